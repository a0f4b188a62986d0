import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import type { Client } from './client';
import { Rows } from './rows';
import { NOW, Service } from './service';

const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
const SUITE = 'a b c d e f g h i j k l';

const shaOf = (text: string) => createHash('sha1').update(text).digest('hex');

/** One CI job uploads over HTTP in several parts: by a matrix, by packages, or by shares of its tests. */
describe('A test in several uploads of one attempt', () => {
  let service: Service;
  let ci: Client;
  let admin: Client;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-attempts-'));
    service = await Service.start({ dataDirectory: folder });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    ci = await service.client('acme', 'ci');
    admin = await service.client('acme', 'admin');
    const settings = { ...COMMON, quarantine_enabled: true, auto_quarantine: true };
    expect((await admin.post('flaky-tests/update-settings', settings)).status).toBe(200);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /**
   * Uploads results in the notation `a b! c?`: a passed, b failed, c was retried. Each `it` has its own tests, told
   * apart by `prefix`.
   */
  async function upload(prefix: string, tests: string, more: object = {}): Promise<StoredUpload> {
    const cases = tests.split(' ').map((word) => {
      const test = `<testcase name="${prefix} ${word.replace(/[!?]/, '')}" classname="W" file="w.ts">`;
      if (word.endsWith('!')) return `${test}<failure message="no"/></testcase>`;
      return `${test}${word.endsWith('?') ? '<flakyFailure message="no"/>' : ''}</testcase>`;
    });
    const form = new FormData();
    const of = {
      branch: 'main',
      job: 'CI / test',
      part: 'reports/*.xml',
      commit: shaOf(`${prefix} 1`),
      attempt: '1/1',
    };
    form.append('metadata', JSON.stringify({ ...COMMON, ...of, ...more }));
    form.append('r', new Blob([`<testsuite>${cases.join('')}</testsuite>`]), 'r.xml');
    const path = `${service.url}/v1/flaky-tests/upload-results`;
    const response = await fetch(path, { method: 'POST', headers: { 'x-api-token': ci.token ?? '' }, body: form });
    const body = (await response.json()) as StoredUpload;
    expect({ status: response.status, body }).toMatchObject({ status: 200 });
    await service.app.get(EvaluationTicker).drain();
    return body;
  }

  async function standingOf(name: string): Promise<string> {
    const test = await service.prisma.testCase.findFirstOrThrow({ where: { name } });
    return `${test.status}${test.quarantined ? ', quarantined' : ''}${test.repeated ? ', repeated' : ''}`;
  }

  it('is not flaky because of two matrix jobs with the same name, even if the failed job runs again', async () => {
    await upload('matrix', `${SUITE} x!`);
    await upload('matrix', `${SUITE} x`);
    expect(await standingOf('matrix x')).toBe('healthy');
    await upload('matrix', `${SUITE} x!`, { attempt: '1/2' });
    expect(await standingOf('matrix x')).toBe('healthy');
    await upload('matrix', `${SUITE} x`, { attempt: '1/3' });
    expect(await standingOf('matrix x')).toBe('healthy');
  });

  it('is not flaky if a matrix job that was cancelled in the first attempt passes in the second', async () => {
    const before = { commit: shaOf('matrix before'), attempt: '8/1' };
    await upload('cancelled', `${SUITE} x`, before);
    await upload('cancelled', `${SUITE} x`, before);
    await upload('cancelled', `${SUITE} x!`);
    await upload('cancelled', `${SUITE} x`, { attempt: '1/2' });
    expect(await standingOf('cancelled x')).toBe('healthy');
    await upload('cancelled', `${SUITE} x!`, { attempt: '1/2' });
    expect(await standingOf('cancelled x')).toBe('healthy');
  });

  it('is not flaky if a cancelled matrix job passes alone, and its conditions tell it from the failed job', async () => {
    await upload('conditions', `${SUITE} x!`, { conditions: 'node 18.20' });
    await upload('conditions', `${SUITE} x`, { attempt: '1/2', conditions: 'node 22.13' });
    expect(await standingOf('conditions x')).toBe('healthy');
    const answer = await upload('conditions', `${SUITE} x!`, { attempt: '1/2', conditions: 'node 18.20' });
    expect(await standingOf('conditions x')).toBe('healthy');
    expect(answer.shared_tests.same_part).toBe(0);
    await upload('conditions', `${SUITE} x`, { attempt: '1/3', conditions: 'node 18.20' });
    expect(await standingOf('conditions x')).toBe('flaky, quarantined');
  });

  it('is flaky if all matrix jobs fail and then all pass', async () => {
    for (const x of ['x!', 'x!']) await upload('all', `${SUITE} ${x}`);
    await upload('all', `${SUITE} x`, { attempt: '1/2' });
    expect(await standingOf('all x')).toBe('healthy');
    await upload('all', `${SUITE} x`, { attempt: '1/2' });
    expect(await standingOf('all x')).toBe('flaky, quarantined');
  });

  it('is flaky if its own job fails in one attempt and passes in another, if the matrix jobs have names', async () => {
    for (const [job, x] of [
      ['test (18)', 'x!'],
      ['test (22)', 'x'],
    ] as const)
      await upload('named', `${SUITE} ${x}`, { job });
    expect(await standingOf('named x')).toBe('healthy');
    await upload('named', `${SUITE} x`, { job: 'test (18)', attempt: '1/2' });
    expect(await standingOf('named x')).toBe('flaky, quarantined');
  });

  it('is flaky on main, even if a pull request uploads the test many times in one attempt', async () => {
    const ofPullRequest = { branch: 'topic', pr_number: 7, commit: shaOf('topic'), attempt: '9/1' };
    for (let leg = 0; leg < 3; leg++) await upload('attacked', `${SUITE} x`, ofPullRequest);
    await upload('attacked', `${SUITE} x!`);
    await upload('attacked', `${SUITE} x`, { attempt: '1/2' });
    expect(await standingOf('attacked x')).toBe('flaky, quarantined');
  });

  it('is not flaky because of uploads with an unknown attempt, but because of a retry within one report', async () => {
    const unknown = { attempt: undefined };
    for (const x of ['x!', 'x', 'x!']) await upload('unknown', `${SUITE} ${x}`, unknown);
    expect(await standingOf('unknown x')).toBe('healthy');
    await upload('unknown', `${SUITE} y?`, unknown);
    expect(await standingOf('unknown y')).toBe('flaky, quarantined');
  });

  it('is flaky because of uploads of an older client, if the URL of the job names the attempt', async () => {
    const run = (attempt: number) => ({
      attempt: undefined,
      job_url: `https://github.com/acme/w/actions/runs/77/attempts/${attempt}`,
    });
    await upload('older', `${SUITE} x!`, run(1));
    await upload('older', `${SUITE} x`, run(1));
    await upload('older', `${SUITE} y!`, run(1));
    await upload('older', `${SUITE} y`, run(2));
    expect([await standingOf('older x'), await standingOf('older y')]).toEqual(['healthy', 'flaky, quarantined']);
  });

  it('is known as a repeated name if two packages have it, and two results in one upload are no retry', async () => {
    const packages = (attempt: string, commit: string) => ({ commit: shaOf(commit), attempt });
    expect((await upload('parts', `${SUITE} x`, packages('2/1', 'p1'))).shared_tests).toEqual({
      same_part: 0,
      other_parts: 0,
    });
    const second = await upload('parts', 'x y', { ...packages('2/1', 'p1'), part: 'other/*.xml' });
    expect(second.shared_tests).toEqual({ same_part: 0, other_parts: 1 });
    expect([await standingOf('parts x'), await standingOf('parts y')]).toEqual(['healthy, repeated', 'healthy']);
    await upload('parts', 'x! x y', packages('3/1', 'p2'));
    expect(await standingOf('parts x')).toBe('healthy, repeated');
  });

  it('stays the same test if another shard of the job runs it', async () => {
    await upload('shares', `${SUITE} x`, { shard: '1/2' });
    const moved = await upload('shares', 'x y', { shard: '2/2' });
    expect([moved.shared_tests, await standingOf('shares x')]).toEqual([{ same_part: 0, other_parts: 0 }, 'healthy']);
  });

  it('is counted as a shared test in the answer if another matrix job has it, also in a repeated answer', async () => {
    await upload('told', SUITE);
    const second = await upload('told', `${SUITE} x`, { upload_id: 'told' });
    const again = await upload('told', `${SUITE} x`, { upload_id: 'told' });
    expect(second.shared_tests).toEqual({ same_part: 12, other_parts: 0 });
    expect([again.status, again.shared_tests]).toEqual(['known', second.shared_tests]);
    const retried = await upload('told', SUITE, { attempt: '1/2' });
    expect(retried.shared_tests).toEqual({ same_part: 0, other_parts: 0 });
  });
});
