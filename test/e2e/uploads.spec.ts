import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { Rows, shaOf } from './rows';
import type { Client } from './client';
import { NOW, Service } from './service';

const PATH = 'flaky-tests/upload-results';
const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const COMMIT = '1'.repeat(40);
const METADATA = { repo: REPO, org_url_slug: 'acme', commit: COMMIT, branch: 'main' };

type Part = readonly [field: string, text: string | Uint8Array<ArrayBuffer>, fileName?: string];

const report = (...cases: readonly string[]) =>
  `<testsuite name="widgets" file="test/widgets.ts">${cases.join('')}</testsuite>`;
const passed = (name: string) => `<testcase name="${name}" classname="Widgets" time="0.25"/>`;
const failed = (name: string, message = 'expected 2, got 3') =>
  `<testcase name="${name}" classname="Widgets"><failure message="${message}"/></testcase>`;

describe('An upload of test results', () => {
  let service: Service;
  let ci: Client;
  let folder: string;
  let repositoryId: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-uploads-'));
    service = await Service.start({ dataDirectory: folder, uploadMaxMib: 2 });
    const rows = new Rows(service.prisma, NOW);
    repositoryId = await rows.repository(await service.organization('acme'), 'widgets');
    await rows.repository(await service.organization('other'), 'secret');
    ci = await service.client('acme', 'ci');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  async function send(parts: readonly Part[], client = ci) {
    const form = new FormData();
    for (const [field, text, fileName] of parts) {
      if (fileName === undefined) form.append(field, text);
      else form.append(field, new Blob([text]), fileName);
    }
    const headers = { 'x-api-token': client.token ?? '' };
    const response = await fetch(`${service.url}/v1/${PATH}`, { method: 'POST', headers, body: form });
    const body = (await response.json()) as StoredUpload & { error?: { code: string; message: string } };
    return { status: response.status, body };
  }

  const upload = (more: object, ...reports: readonly string[]) =>
    send([
      ['metadata', JSON.stringify({ ...METADATA, ...more })],
      ...reports.map((text, index): Part => ['report', text, `report-${index}.xml`]),
    ]);

  const storedResults = async () =>
    (
      await service.prisma.$queryRaw<{ name: string; outcome: number; at: Date }[]>`
        SELECT t."name", r.outcome, r.occurred_at AS "at" FROM test_results.result r
        JOIN "TestCase" t ON t."id" = r.test_case_id ORDER BY t."name", r.outcome`
    ).map(({ name, outcome, at }) => [name, outcome, at.toISOString()]);

  beforeEach(async () => {
    await service.prisma
      .$executeRaw`TRUNCATE test_results.result, test_results.failure_group, test_results.upload_failure,
      test_results.judgement_due, test_results.day_total, test_results.summed_day`;
    await service.prisma.testUpload.deleteMany();
  });

  it('is stored with all its files, plain and compressed, and its answer counts failures', async () => {
    const packed = gzipSync(report(failed('b'), '<testcase name="c"><skipped/></testcase>'));
    const { status, body } = await send([
      ['metadata', JSON.stringify({ ...METADATA, upload_id: 'job-1', variant: 'linux' })],
      ['codeowners', '*.ts @acme/everybody\n/test/ @acme/testers\n'],
      ['one', report(passed('a')), 'one.xml'],
      ['two', new Uint8Array(packed), 'two.xml.gz'],
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      upload_id: 'job-1',
      results: { total: 3, passed: 1, failed: 1, skipped: 1 },
      counted: true,
      tests_set_aside: 0,
      shared_tests: { same_part: 0, other_parts: 0 },
      branch_class: 'stable',
      failures: [
        {
          test_case_id: expect.any(String) as string,
          name: 'b',
          classname: 'Widgets',
          parent: 'widgets',
          file: 'test/widgets.ts',
          variant: 'linux',
          status: 'healthy',
          quarantined: false,
          known: expect.objectContaining({ message: 'expected 2, got 3', codeowners: ['@acme/testers'] }) as object,
        },
      ],
      failures_truncated: false,
      all_failures_quarantined: false,
      refused_files: [],
      refused_files_total: 0,
      empty_files: [],
      missing_tests: [],
      missing_tests_total: 0,
      doubts: [{ kind: 'unknown_job', message: expect.any(String) as string }],
      may_pass: false,
      status: 'stored',
    });
    const at = NOW.toISOString();
    expect(await storedResults()).toEqual([
      ['a', 0, at],
      ['b', 1, at],
      ['c', 2, at],
    ]);
    const { codeowners } = await service.prisma.testCase.findFirstOrThrow({ where: { name: 'a', variant: 'linux' } });
    expect(codeowners).toEqual(['@acme/testers']);
  });

  it('may be a single report as the body, with all metadata in the query', async () => {
    const query = `?repo=local/acme/widgets&org_url_slug=acme&commit=${COMMIT}&upload_id=raw&pr_number=7`;
    const answer = await ci.send('POST', PATH + query, report(passed('a')), { 'content-type': 'application/xml' });
    expect([answer.status, answer.body]).toMatchObject([200, { upload_id: 'raw', results: { total: 1 } }]);
    expect(await service.prisma.testUpload.findFirst()).toMatchObject({ branchClass: 'pull_request', prNumber: 7 });
  });

  it.each([
    ['TRX', 'application/xml', '<TestRun><Results><UnitTestResult testName="a" outcome="Failed"/></Results></TestRun>'],
    ['CTRF', 'application/json', '{"results":{"tests":[{"name":"a","status":"failed"}]}}'],
    ['go test -json', 'application/x-ndjson', '{"Action":"fail","Test":"a"}\n{"Action":"fail"}\n'],
    ['TAP', 'text/plain; charset=utf-8', '1..1\nnot ok 1 - a\n'],
  ])('may be a report of %s, as the body and as a part, with any name', async (_format, type, text) => {
    const query = `?repo=local/acme/widgets&org_url_slug=acme&commit=${COMMIT}`;
    const body = await ci.send('POST', PATH + query, text, { 'content-type': type });
    expect([body.status, body.body]).toMatchObject([200, { failures: [{ name: 'a' }] }]);
    const part = await upload({}, text, report(passed('b')));
    expect(part.body).toMatchObject({ results: { failed: 1, passed: 1 }, failures: [{ name: 'a' }] });
  });

  it('changes nothing if it is sent again, even while the first request is in progress, and gets the same answer', async () => {
    const twice = await Promise.all([1, 2].map(() => upload({ upload_id: 'again' }, report(failed('a')))));
    expect(twice.map(({ body }) => body.results)).toMatchObject([{ failed: 1 }, { failed: 1 }]);
    expect(twice.map(({ body }) => body.failures.length)).toEqual([1, 1]);
    expect(twice.map(({ body }) => body.status).sort()).toEqual(['known', 'stored']);
    expect(await storedResults()).toHaveLength(1);
    const third = await upload({ upload_id: 'again' }, report(passed('other')));
    expect(third.body).toMatchObject({ results: { failed: 1, passed: 0 } });
    expect(await storedResults()).toHaveLength(1);
  });

  it('is refused if no report is readable, and its id can be used again', async () => {
    const broken = await upload({ upload_id: 'x' }, `${report(passed('a'))}\n<`, '<testsuite><testcase name="b"/>');
    expect([broken.status, broken.body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(broken.body.error?.message).toMatch(/^None of the 2 reports can be read. .* report-0\.xml: .*line 2/);
    expect(broken.body.error).toMatchObject({ details: [{ field: 'report-0.xml' }, { field: 'report-1.xml' }] });
    expect(await storedResults()).toEqual([]);
    expect(await service.prisma.testUpload.count()).toBe(0);
    expect((await upload({ upload_id: 'x' }, report(passed('a')))).body).toMatchObject({ results: { total: 1 } });
  });

  it('keeps its readable reports, and names file and reason of each refused report, also the second time', async () => {
    const many = Array.from({ length: 9_000 }, (_, index) => failed(`lost ${index}`, `message ${index}`));
    const bad = `<testsuite name="widgets" file="test/widgets.ts">${many.join('\n')}<testcase`;
    const reports = [
      report(passed('a')),
      bad,
      report(failed('b')),
      '<testsuite>\n<oops',
      report(passed('c'), failed('a')),
    ];
    const { status, body } = await upload({ upload_id: 'partly', job: 'unit' }, ...reports);
    expect(status).toBe(200);
    const refused = [
      { file: 'report-1.xml', line: 9_000, reason: expect.stringMatching(/tag/) as string },
      { file: 'report-3.xml', line: 2, reason: expect.stringMatching(/tag/) as string },
    ];
    const partly = {
      refused_files: refused,
      refused_files_total: 2,
      may_pass: false,
      results: { total: 4, failed: 2 },
    };
    expect(body).toMatchObject(partly);
    expect(body.doubts).toContainEqual({
      kind: 'refused_files',
      message: '2 of the reports cannot be read: report-1.xml.',
    });
    expect((await upload({ upload_id: 'partly' }, report(passed('a')))).body).toMatchObject({
      ...partly,
      status: 'known',
    });
    const at = NOW.toISOString();
    const stored = [
      ['a', 1, at],
      ['b', 1, at],
      ['c', 0, at],
    ];
    expect(await storedResults()).toEqual(stored);
    expect(await service.prisma.testCase.count({ where: { name: { startsWith: 'lost' } } })).toBe(0);
  });

  it('keeps the reports that follow a report that cannot be decompressed', async () => {
    const { body } = await send([
      ['metadata', JSON.stringify(METADATA)],
      ['r', new Uint8Array([0x1f, 0x8b, 1, 2, ...Array<number>(200_000).fill(7)]), 'bad.gz'],
      ['r', report(passed('a')), 'good.xml'],
    ]);
    expect(body).toMatchObject({ refused_files: [{ file: 'bad.gz', line: null }], results: { total: 1 } });
  });

  it('is answered with the names of its reports that have no results', async () => {
    const { body } = await upload({}, report(), report(passed('a')));
    expect(body).toMatchObject({ empty_files: ['report-0.xml'], results: { total: 1 } });
  });

  it('does not quarantine a failure outside of tests, not even by a manual setting', async () => {
    const admin = await service.client('acme', 'admin');
    const common = { repo: REPO, org_url_slug: 'acme' };
    await admin.post('flaky-tests/update-settings', { ...common, quarantine_enabled: true });
    const hooks = '<testsuite name="hooks"><error message="cannot connect"/></testsuite>';
    const { test_case_id } = (await upload({}, hooks)).body.failures[0]!;
    const setting = { test_case_id, setting: 'always_quarantine', reason: 'it is slow' };
    const { body } = await admin.post('flaky-tests/set-quarantine', { ...common, ...setting });
    expect(body).toMatchObject({
      quarantined: false,
      reason: expect.stringMatching(/^failures outside tests/) as string,
    });
    expect((await upload({}, hooks)).body.all_failures_quarantined).toBe(false);
    await admin.post('flaky-tests/update-settings', { ...common, quarantine_enabled: false });
  });

  it('is refused if its root element belongs to no format of test reports, and the error names that element', async () => {
    const { status, body } = await upload({}, '<coverage version="1"/>');
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('<coverage>')]);
  });

  it('is answered with failures outside of tests, and with totals that exceed the number of results', async () => {
    const { body } = await upload(
      { job: 'unit' },
      '<testsuite name="s" failures="2"><testcase name="t"><failure/></testcase></testsuite>',
      '<testsuite name="hooks"><error message="cannot connect"/></testsuite>',
    );
    expect(body.doubts).toEqual([
      {
        kind: 'errors_outside_tests',
        message:
          'Something failed outside tests, and such failures are never ignored: hooks: cannot connect (report-1.xml, line 1).',
      },
      {
        kind: 'unmet_totals',
        message: 'A report misses failures: "s" states 2 failures and errors, but 1 are in it (report-0.xml, line 1).',
      },
      expect.objectContaining({ kind: 'no_earlier_run' }),
    ]);
  });

  it('leaves no files on the disk, whether it was stored, refused or aborted', async () => {
    await upload({}, report(passed('a')));
    await upload({}, '<broken');
    await brokenOff();
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
    expect(await service.prisma.testUpload.count()).toBe(1);
  });

  /**
   * Plays a client that disconnects in the middle of its report. Resolves after the service has closed the connection.
   */
  function brokenOff(): Promise<void> {
    const { port, hostname } = new URL(service.url);
    const part = (name: string, text: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}`;
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`POST /v1/${PATH} HTTP/1.1\r\nhost: x\r\nx-api-token: ${ci.token}\r\ncontent-length: 9999\r\n`);
        socket.write('content-type: multipart/form-data; boundary=x\r\n\r\n');
        socket.write(part('metadata', `${JSON.stringify(METADATA)}\r\n`));
        socket.end('--x\r\ncontent-disposition: form-data; name="r"; filename="r.xml"\r\n\r\n<testsuite><testca');
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.resume();
    });
  }

  it.each([
    ['without metadata', [['r', report(), 'r.xml']], 'metadata'],
    [
      'with metadata after a report',
      [
        ['r', report(), 'r.xml'],
        ['metadata', '{}'],
      ],
      'metadata',
    ],
    [
      'with metadata that is no JSON',
      [
        ['metadata', '{'],
        ['r', report(), 'r.xml'],
      ],
      'metadata',
    ],
    ['without a report', [['metadata', JSON.stringify(METADATA)]], 'files'],
    ['with wrong fields', [['metadata', JSON.stringify({ ...METADATA, commit: 'main' })]], 'commit'],
    [
      'with something packed that is not readable',
      [
        ['metadata', JSON.stringify(METADATA)],
        ['r', new Uint8Array([0x1f, 0x8b, 1, 2]), 'r.gz'],
      ],
      'r.gz',
    ],
  ] as const)('is refused %s', async (_what, parts, field) => {
    const { status, body } = await send(parts);
    expect([status, body.error]).toMatchObject([400, { code: 'VALIDATION_FAILED', details: [{ field }] }]);
    expect(await service.prisma.testUpload.count()).toBe(0);
  });

  it('is refused if its content type is not supported, or if its multipart body is unreadable', async () => {
    expect((await ci.send('POST', PATH, '{}', { 'content-type': 'text/html' })).status).toBe(415);
    expect((await ci.send('POST', PATH, 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  });

  it('is refused if it exceeds the limits after decompression, however small it was compressed', async () => {
    const bomb = gzipSync(report(`<system-out>${' '.repeat(3 * 1024 * 1024)}</system-out>`));
    const { status, body } = await send([
      ['metadata', JSON.stringify(METADATA)],
      ['r', new Uint8Array(bomb), 'r.gz'],
    ]);
    expect([status, body.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it("needs a token that may submit, the slug of the caller's organization and a repository of its own", async () => {
    const parts = (metadata: object): Part[] => [
      ['metadata', JSON.stringify(metadata)],
      ['r', report(passed('a')), 'r.xml'],
    ];
    const reader = await service.client('acme', 'read');
    expect((await send(parts(METADATA), reader)).body.error?.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await send(parts({ ...METADATA, org_url_slug: 'other' }))).body.error?.code).toBe('ORGANIZATION_MISMATCH');
    const foreign = { ...METADATA, repo: { ...REPO, name: 'secret' } };
    expect((await send(parts(foreign))).body.error?.code).toBe('REPOSITORY_NOT_FOUND');
  });

  it('uses the times in its results if these are plausible', async () => {
    const at = (time: string) => `<testsuite name="s" timestamp="${time}">${passed(time)}</testsuite>`;
    await upload(
      {},
      `<testsuites>${['2026-11-19T23:59:59Z', '2031-01-01T00:00:00Z', '1999-01-01T00:00:00Z'].map(at).join('')}</testsuites>`,
    );
    expect(await storedResults()).toEqual([
      ['1999-01-01T00:00:00Z', 0, NOW.toISOString()],
      ['2026-11-19T23:59:59Z', 0, '2026-11-19T23:59:59.000Z'],
      ['2031-01-01T00:00:00Z', 0, NOW.toISOString()],
    ]);
  });

  it('is ignored if so many healthy tests fail together on a commit that the machines are the likely cause', async () => {
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `t${from + index}`);
    const uploadOf = (metadata: object, ...cases: string[]) =>
      upload({ branch: 'main', ...metadata }, report(...cases));
    const counted = async () =>
      (await service.prisma.testUpload.findMany({ orderBy: { id: 'asc' } })).map((row) => row.counted);
    await uploadOf({ commit: shaOf(1) }, ...names(0, 20).map(passed));
    const [first, second] = [
      await uploadOf({ commit: shaOf(2) }, ...names(0, 9).map((name) => failed(name))),
      await uploadOf({ commit: shaOf(2) }, ...names(9, 16).map((name) => failed(name)), ...names(16, 20).map(passed)),
    ];
    expect([first.body.counted, second.body.counted]).toEqual([true, false]);
    expect(await counted()).toEqual([true, false, false]);
    expect(second.body).toMatchObject({
      failures: expect.arrayContaining([expect.objectContaining({ name: 't9' })]) as unknown,
    });
    // The upload's tests are listed, although the upload does not count.
    expect(
      await service.prisma.$queryRaw`SELECT sum(failures)::int AS failures FROM test_results.failure_group`,
    ).toEqual([{ failures: 16 }]);
    // Sixteen failures among seventy tests do not count as an infrastructure failure.
    expect((await uploadOf({ commit: shaOf(2) }, ...names(20, 70).map(passed))).body.counted).toBe(true);
    expect(await counted()).toEqual([true, true, true, true]);
  });

  it('is ignored, too, if many jobs run each commit, because health is counted by commits', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const uploadOf = (commit: number, job: string, of: (name: string) => string) =>
      upload({ branch: 'main', commit: shaOf(commit), job }, report(...names.map(of)));
    await uploadOf(1, 'linux', passed);
    const jobs = Array.from({ length: 11 }, (_, index) => `job ${index}`);
    for (const job of jobs) await uploadOf(2, job, (name) => failed(name));
    const rows = await service.prisma.testUpload.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map((row) => row.counted)).toEqual([true, ...jobs.map(() => false)]);
  });

  it("attack 17: is not ignored because of a pull request's uploads", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await upload({ commit: shaOf(1), branch: 'main' }, report(...names.map(passed)));
    await upload({ commit: shaOf(2), branch: 'main' }, report(...names.map(passed)));
    await upload({ commit: shaOf(2), pr_number: 7 }, report(...names.map((name) => failed(name))));
    const rows = await service.prisma.testUpload.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map((row) => row.counted)).toEqual([true, true, false]);
  });

  it('is added to the sums of a day that is already over', async () => {
    await service.prisma.$executeRaw`INSERT INTO test_results.summed_day VALUES ('2026-11-18', now())`;
    const late = `<testsuite name="s" timestamp="2026-11-18T10:00:00Z">${passed('late')}${failed('later')}</testsuite>`;
    const answers = await Promise.all([upload({}, late), upload({}, late), upload({}, report(passed('today')))]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([200, undefined]));
    const totals = await service.prisma.$queryRaw`
      SELECT day::text, sum(passed)::int AS passed, sum(failed)::int AS failed, sum(skipped)::int AS skipped, branch_class
      FROM test_results.day_total GROUP BY day, branch_class`;
    expect(totals).toEqual([{ day: '2026-11-18', passed: 2, failed: 2, skipped: 0, branch_class: 2 }]);
  });

  it('of a testing branch counts for the pull request that is tested on that branch', async () => {
    await upload({ branch: `sluice-merge/pr-12/${randomUUID()}`, pr_number: 99 }, report(passed('a')));
    expect(await service.prisma.testUpload.findFirst()).toMatchObject({ branchClass: 'queue', prNumber: 12 });
  });

  it('of the branch of an open pull request counts for that pull request', async () => {
    const rows = {
      repositoryId,
      number: 5,
      title: '',
      body: '',
      author: 'ada',
      headSha: COMMIT,
      mergeability: 'mergeable',
    };
    await service.prisma.pullRequest.create({
      data: { id: randomUUID(), ...rows, headBranch: 'topic', state: 'open', draft: false, observedAt: NOW },
    });
    await upload({ branch: 'topic' }, report(passed('a')));
    expect(await service.prisma.testUpload.findFirst()).toMatchObject({ branchClass: 'pull_request', prNumber: 5 });
  });

  it('is answered with its effect: a test that failed and passed on the same commit is flaky', async () => {
    const commit = '2'.repeat(40);
    const first = await upload({ commit, attempt: '1' }, report(failed('now and then'), passed('x')));
    expect(first.body.failures).toMatchObject([{ name: 'now and then', status: 'healthy' }]);
    await upload({ commit, attempt: '2' }, report(passed('now and then')));
    const again = await upload({ commit: '3'.repeat(40) }, report(failed('now and then')));
    expect(again.body.failures).toMatchObject([{ name: 'now and then', status: 'flaky' }]);
  });

  it('can be stored at the same time as others with the same new tests and failures', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const shuffled = (seed: number) =>
      [...names].sort((a, b) => ((a.length * 31 + seed) % 7) - ((b.length * 17 + seed) % 5));
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
        upload({}, report(...shuffled(seed).map((name, index) => (index % 2 ? failed(name) : passed(name))))),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await service.prisma.testCase.count({ where: { name: { in: names } } })).toBe(300);
    const sums = await service.prisma.$queryRaw`SELECT sum(failures)::int AS failures FROM test_results.failure_group`;
    expect(sums).toEqual([{ failures: 8 * 150 }]);
  });
});
