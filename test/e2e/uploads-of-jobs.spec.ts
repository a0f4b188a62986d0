import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { type Client } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };

describe('The tests in the last runs of a job', () => {
  let service: Service;
  let ci: Client;
  let folder: string;
  let runs = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-jobs-'));
    service = await Service.start({ dataDirectory: folder });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    ci = await service.client('acme', 'ci');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => service.prisma.testUpload.deleteMany());

  /** Uploads results in the notation `a b!`: a passed, and b failed. */
  async function upload(tests: string, more: object = {}): Promise<StoredUpload> {
    const cases = tests.split(' ').map((word) => {
      const name = word.replace('!', '');
      return `<testcase name="${name}" classname="W" file="w.ts">${word === name ? '' : '<failure/>'}</testcase>`;
    });
    return send(`<testsuite>${cases.join('')}</testsuite>`, more);
  }

  async function send(report: string, more: object = {}): Promise<StoredUpload> {
    runs += 1;
    const run = { commit: shaOf(runs), branch: 'main', job: 'unit', job_url: `https://ci.example/${runs}` };
    const form = new FormData();
    form.append('metadata', JSON.stringify({ ...COMMON, ...run, ...more }));
    form.append('r', new Blob([report]), 'report');
    const headers = { 'x-api-token': ci.token ?? '' };
    const response = await fetch(`${service.url}/v1/flaky-tests/upload-results`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(response.status).toBe(200);
    return (await response.json()) as StoredUpload;
  }

  const missing = ({ missing_tests, doubts }: StoredUpload): string =>
    [...missing_tests.map(({ name }) => name), ...doubts.map(({ kind }) => kind)].join(' ');

  it('are expected in each later run, and the answer names where each missing test was last seen', async () => {
    expect(missing(await upload('a b c'))).toBe('no_earlier_run');
    expect(missing(await upload('a! b c'))).toBe('');
    const answer = await upload('a! d', { upload_id: 'lost' });
    expect(missing(answer)).toBe('b c missing_tests');
    expect(answer).toMatchObject({ missing_tests_total: 2, may_pass: false });
    const last_seen = { commit: shaOf(runs - 1), job_url: `https://ci.example/${runs - 1}`, at: NOW.toISOString() };
    expect(answer.missing_tests[0]).toMatchObject({ name: 'b', classname: 'W', file: 'w.ts', last_seen });
    await upload('a b c d');
    expect(await upload('x', { upload_id: 'lost' })).toMatchObject({ status: 'known', missing_tests_total: 2 });
  });

  const trx = (test: string, outcome: string): string =>
    `<UnitTestResult testName="${test}" testId="${test}" executionId="${test}" outcome="${outcome}"/>`;
  const trxOf = (...results: readonly string[]): string =>
    `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>${results.join('')}</Results></TestRun>`;
  const ctrf = (...tests: readonly (readonly [name: string, status: string])[]): string =>
    JSON.stringify({
      reportFormat: 'CTRF',
      specVersion: '1.0.0',
      results: {
        tool: { name: 'any' },
        summary: {},
        tests: tests.map(([name, status]) => ({ name, status, duration: 1 })),
      },
    });
  const both = '<testcase name="a"/><testcase name="b"/>';

  it.each([
    [
      'JUnit',
      `<testsuite>${both}</testsuite>`,
      '<testsuite><testcase name="a"><failure/></testcase><testcase name="b"><skipped/></testcase></testsuite>',
    ],
    ['TAP', 'TAP version 13\n1..2\nok 1 - a\nok 2 - b\n', 'TAP version 13\n1..2\nnot ok 1 - a\nok 2 - b # SKIP\n'],
    ['TRX', trxOf(trx('a', 'Passed'), trx('b', 'Passed')), trxOf(trx('a', 'Failed'), trx('b', 'NotExecuted'))],
    ['CTRF', ctrf(['a', 'passed'], ['b', 'passed']), ctrf(['a', 'failed'], ['b', 'pending'])],
  ])(
    'make the result uncertain if a test is skipped that no run that ended with 0 skipped: %s',
    async (_format, passed, failed) => {
      const ended = (test_exit_code: number): object => ({ test_exit_code });
      expect(missing(await send(passed, ended(0)))).toBe('no_earlier_run');
      expect(missing(await send(failed, ended(1)))).toBe('not_run');
      const skipped = failed
        .replace('<failure/>', '')
        .replace('not ok', 'ok')
        .replace('Failed', 'Passed')
        .replace('"failed"', '"passed"');
      await send(skipped, ended(0));
      expect(missing(await send(failed, ended(1)))).toBe('');
    },
  );

  it('are separate for each job, variant, part and shard', async () => {
    await upload('a b');
    for (const other of [{ job: 'browser' }, { variant: 'linux' }, { part: 'it/*.xml' }, { shard: '2/2' }]) {
      expect(missing(await upload('a', other))).toBe('no_earlier_run');
    }
    expect(missing(await upload('a', { job: undefined }))).toBe('unknown_job');
  });

  it('are forgotten after five runs without them, unless none of these runs ended with 0', async () => {
    await upload('a old');
    for (let run = 0; run < 5; run++) expect(missing(await upload('a'))).toBe('old missing_tests');
    expect(missing(await upload('a'))).toBe('');
    await upload('a kept', { test_exit_code: 0 });
    for (let run = 0; run < 7; run++) {
      expect(missing(await upload('a', { test_exit_code: 1 }))).toBe('kept missing_tests');
    }
    await upload('a', { test_exit_code: 0 });
    expect(missing(await upload('a'))).toBe('');
  });

  it('may be spread over several uploads of a run', async () => {
    const run = { job_url: 'https://ci.example/parts' };
    await upload('a b', run);
    expect(missing(await upload('c', run))).toBe('no_earlier_run');
    expect(missing(await upload('a b'))).toBe('c missing_tests');
  });

  it('may move to another shard of the job', async () => {
    const run = (shard: string) => ({ shard, commit: shaOf(runs + 100) });
    await upload('a b', { shard: '1/2' });
    await upload('c d', { shard: '2/2' });
    const commit = { commit: shaOf(77) };
    expect(missing(await upload('b c d', { ...run('2/2'), ...commit }))).toBe('');
    expect(missing(await upload('a', { ...run('1/2'), ...commit }))).toBe('');
    expect(missing(await upload('a', run('1/2')))).toBe('b missing_tests');
  });

  it('attack 17: are not learned from pull requests, except for later runs of the same pull request', async () => {
    const of = (pr_number: number) => ({ pr_number, branch: `topic-${pr_number}` });
    await upload('a b');
    for (let run = 0; run < 6; run++) await upload('a fake', { ...of(7), test_exit_code: 0 });
    expect(missing(await upload('a'))).toBe('b missing_tests');
    expect(missing(await upload('a', of(8)))).toBe('b missing_tests');
    expect(missing(await upload('a b', of(7)))).toBe('fake missing_tests');
  });

  it('are learned for each branch; a pull request expects the tests of its target branch', async () => {
    await upload('a b');
    await upload('a old', { branch: 'release' });
    expect(missing(await upload('a b'))).toBe('');
    expect(missing(await upload('a', { branch: 'release' }))).toBe('old missing_tests');
  });
});
