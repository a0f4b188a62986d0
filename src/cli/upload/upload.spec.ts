import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import busboy from 'busboy';
import { runSluice } from '../run-sluice';
import { sendUpload } from './send-upload';

const COMMIT = 'c'.repeat(40);
const REPORT = '<testsuite name="s"><testcase name="a"/></testsuite>';
const OPTIONS = ['--repo', 'git.example/acme/widgets', '--org', 'acme', '--commit', COMMIT];
const OF_CI = /^(GITHUB_|GITLAB_|CI_|CI$|BUILDKITE|CIRCLE|JENKINS_|BUILD_|GIT_|CHANGE_|RUNNER_|SLUICE_)/;

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly content: string;
}

interface Received {
  readonly path: string | undefined;
  readonly token: unknown;
  readonly parts: readonly Part[];
  readonly metadata: Record<string, unknown>;
}

/** Answers uploads like the service, with changes by the test. */
class UploadService {
  readonly received: Received[] = [];
  /** Answers that come before the regular answers; each answer is sent once. */
  readonly before: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object }[] =
    [];
  failures: readonly { readonly name: string; readonly quarantined: boolean }[] = [];
  status: 'stored' | 'known' = 'stored';
  more: object = {};
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void partsOf(request).then((parts) => {
        const metadata = JSON.parse(parts[0]?.content ?? '{}') as Record<string, unknown>;
        this.received.push({ path: request.url, token: request.headers['x-api-token'], parts, metadata });
        const { status, headers, body } = this.before.shift() ?? { status: 200, body: this.answer() };
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body ?? {}));
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(): object {
    const failed = this.failures.length;
    return {
      upload_id: 'u',
      status: this.status,
      results: { total: 3, passed: 3 - failed, failed, skipped: 0 },
      failures: this.failures.map((failure) => ({ ...failure, classname: 'C', parent: '', file: 'c.ts' })),
      failures_truncated: false,
      all_failures_quarantined: this.failures.every(({ quarantined }) => quarantined),
      ...{ counted: true, branch_class: 'stable', refused_files: [], refused_files_total: 0, empty_files: [] },
      ...{ missing_tests: [], missing_tests_total: 0, doubts: [], shared_tests: { same_part: 0, other_parts: 0 } },
      ...this.more,
    };
  }
}

async function partsOf(request: IncomingMessage): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  const form = busboy({ headers: request.headers, preservePath: true });
  form.on('field', (name, content) => parts.push(Promise.resolve({ name, content })));
  form.on('file', (name, stream, { filename: fileName }) => {
    parts.push(buffer(stream).then((packed) => ({ name, fileName, content: gunzipSync(packed).toString() })));
  });
  await new Promise((resolve, reject) => request.pipe(form).on('close', resolve).on('error', reject));
  return Promise.all(parts);
}

describe('sluice upload', () => {
  const home = process.cwd();
  const environment = { ...process.env };
  let service: UploadService;
  let folder: string;

  beforeEach(async () => {
    for (const name of Object.keys(process.env).filter((name) => OF_CI.test(name))) delete process.env[name];
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-upload-')));
    process.chdir(folder);
    service = new UploadService();
    process.env.SLUICE_URL = await service.start();
    process.env.SLUICE_TOKEN = 'slc_secret';
  });

  afterEach(async () => {
    process.chdir(home);
    process.env = { ...environment };
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  function write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  async function sluice(...args: readonly string[]) {
    const said = { out: '', err: '' };
    const out = (text: string): void => void (said.out += text);
    const err = (text: string): void => void (said.err += text);
    return { exit: await runSluice(['upload', ...args], { out, err, columns: undefined }), ...said };
  }

  /** A command that writes a report and ends. */
  const tests = (exit: number, report: string | null = REPORT): string[] => {
    const writing = report === null ? '' : `require('fs').writeFileSync('report.xml', ${JSON.stringify(report)});`;
    return ['--', process.execPath, '-e', `${writing} process.exit(${exit})`];
  };

  it('sends each matching report, compressed, after its metadata', async () => {
    write('reports/b/two.xml', REPORT.repeat(3));
    write('reports/one.xml', REPORT);
    write('reports/packed.xml.gz', gzipSync('<testsuite/>'));
    write('reports/other.txt', 'no');
    write('reports/node_modules/x.xml', 'no');
    const { exit, out, err } = await sluice(
      'reports/**/*.xml',
      'reports/*.gz',
      ...OPTIONS,
      '--variant',
      'linux',
      '--pr',
      '7',
    );
    expect({ exit, out }).toEqual({ exit: 0, out: 'Stored: 3 results, 3 passed, 0 failed, 0 skipped.\n' });
    expect(err).toMatch(/^Uploading 3 reports \(1 kB\) to http:.*\n(.* % {2}\d of 3 reports\n)+$/);
    const [received] = service.received;
    expect(received).toMatchObject({ path: '/v1/flaky-tests/upload-results', token: 'slc_secret' });
    expect(received?.metadata).toEqual({
      repo: { host: 'git.example', owner: 'acme', name: 'widgets' },
      org_url_slug: 'acme',
      commit: COMMIT,
      pr_number: 7,
      variant: 'linux',
      part: 'reports/**/*.xml reports/*.gz',
      upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(received?.parts.slice(1)).toEqual([
      { name: 'report', fileName: 'reports/b/two.xml', content: REPORT.repeat(3) },
      { name: 'report', fileName: 'reports/one.xml', content: REPORT },
      { name: 'report', fileName: 'reports/packed.xml.gz', content: '<testsuite/>' },
    ]);
  });

  it('accepts a folder, and files whose names look like patterns', async () => {
    write('out/deep/a.xml', REPORT);
    write('out/b.txt', 'no');
    write('case[1].xml', REPORT);
    expect((await sluice('out', 'case[1].xml', ...OPTIONS)).exit).toBe(0);
    expect(service.received[0]?.parts.slice(1).map(({ fileName }) => fileName)).toEqual([
      'case[1].xml',
      'out/deep/a.xml',
    ]);
  });

  it('sends reports of every format from a folder, and JSON files only if they begin like a report', async () => {
    write('out/a.trx', '<TestRun/>');
    write('out/b.tap', '1..0');
    write('out/ctrf.json', '\n{\n  "reportFormat": "CTRF"}');
    write('out/go.jsonl', '{"Time":"2026-11-22T12:00:00Z","Action":"start"}\n');
    write('out/package.json', '{ "name": "shop" }');
    write('out/coverage-final.json', '{"/a.ts":{}}');
    write('out/empty.json', '');
    expect((await sluice('out', ...OPTIONS)).exit).toBe(0);
    expect(service.received[0]?.parts.slice(1).map(({ fileName }) => fileName)).toEqual([
      ...['out/a.trx', 'out/b.tap', 'out/ctrf.json', 'out/go.jsonl'],
    ]);
  });

  it('sends every file that a pattern names, whatever its format', async () => {
    write('out/package.json', '{ "name": "shop" }');
    await sluice('out/*.json', ...OPTIONS);
    expect(service.received[0]?.parts.slice(1).map(({ fileName }) => fileName)).toEqual(['out/package.json']);
  });

  it('says where it searched when no file matches', async () => {
    const { exit, err } = await sluice('reports/**/*.xml', ...OPTIONS);
    expect(exit).toBe(1);
    expect(err).toContain(`No file matches 'reports/**/*.xml' in ${folder}.`);
    expect(service.received).toEqual([]);
  });

  it('reads repository, commit and branch from git outside CI', async () => {
    write('report.xml', REPORT);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { encoding: 'utf8' }).trim();
    git('init', '--quiet', '--initial-branch', 'feature');
    git('remote', 'add', 'origin', 'https://me:secret@git.example/acme/gadgets.git');
    git('commit', '--quiet', '--allow-empty', '--message', 'a');
    process.env.SLUICE_ORG = 'acme';
    expect(await sluice('*.xml')).toMatchObject({ exit: 0 });
    expect(service.received[0]?.metadata).toMatchObject({
      repo: { host: 'git.example', owner: 'acme', name: 'gadgets' },
      org_url_slug: 'acme',
      commit: git('rev-parse', 'HEAD'),
      branch: 'feature',
    });
  });

  it.each([
    ['repository', ['--org', 'acme', '--commit', COMMIT], '--repo'],
    ['organization', ['--repo', 'git.example/acme/widgets', '--commit', COMMIT], '--org'],
    ['commit', ['--repo', 'git.example/acme/widgets', '--org', 'acme'], '--commit'],
  ])('reports before the tests run that the %s is unknown', async (_, options, flag) => {
    const { exit, err } = await sluice('*.xml', ...options, ...tests(0));
    expect(exit).toBe(2);
    expect(err).toContain(flag);
    expect((await sluice('*.xml', ...OPTIONS)).err).toContain('No file matches');
  });

  it('gives the same reports of a job the same id, and other reports another id', async () => {
    Object.assign(process.env, { GITLAB_CI: 'true', CI_JOB_ID: '5', CI_COMMIT_SHA: COMMIT });
    write('report.xml', REPORT);
    await sluice('*.xml', ...OPTIONS);
    await sluice('*.xml', ...OPTIONS);
    process.env.CI_JOB_ID = '6';
    await sluice('*.xml', ...OPTIONS);
    write('report.xml', `${REPORT} `);
    await sluice('*.xml', ...OPTIONS);
    const [first, again, ofOtherJob, ofOtherReport] = service.received.map(({ metadata }) => metadata.upload_id);
    expect(again).toBe(first);
    expect(new Set([first, ofOtherJob, ofOtherReport]).size).toBe(3);
  });

  it('sends the CODEOWNERS file of the checkout, or the named file', async () => {
    write('report.xml', REPORT);
    write('docs/CODEOWNERS', '* @docs\n');
    write('CODEOWNERS', '* @root\n');
    write('.github/CODEOWNERS', '* @github\n');
    await sluice('*.xml', ...OPTIONS);
    await sluice('*.xml', ...OPTIONS, '--repo', 'gitlab.example/acme/widgets');
    await sluice('*.xml', ...OPTIONS, '--codeowners', 'docs/CODEOWNERS');
    const sent = service.received.map(({ parts }) => parts.find(({ name }) => name === 'codeowners')?.content);
    expect(sent).toEqual(['* @github\n', '* @root\n', '* @docs\n']);
    expect(await sluice('*.xml', ...OPTIONS, '--codeowners', 'elsewhere')).toMatchObject({ exit: 2 });
  });

  it('retries when the service is busy, after the time that the service names', async () => {
    write('report.xml', REPORT);
    service.before.push(
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 429, headers: { 'retry-after': '0' } },
    );
    const { exit, err } = await sluice('*.xml', ...OPTIONS);
    expect(exit).toBe(0);
    expect(err).toMatch(/answered 503; again in 0 s \(1 of 5\)\n[^]*answered 429; again in 0 s \(2 of 5\)/);
    expect(new Set(service.received.map(({ metadata }) => metadata.upload_id)).size).toBe(1);
    expect(service.received).toHaveLength(3);
  });

  it('waits longer each time for an unreachable service, and then gives up', async () => {
    await service.stop();
    write('report.xml', REPORT);
    const pauses: number[] = [];
    const file = { name: 'report.xml', path: join(folder, 'report.xml'), bytes: 1, changedAtMs: 0 };
    const metadata = { repo: { host: 'h', owner: 'o', name: 'n' }, org_url_slug: 'a', commit: COMMIT, upload_id: 'u' };
    const outcome = await sendUpload(
      { metadata, isIdOfContent: false, codeOwners: undefined, files: [file] },
      {
        settings: { url: process.env.SLUICE_URL ?? '', token: 't' },
        say: () => undefined,
        onSent: () => undefined,
        pause: (ms) => Promise.resolve(pauses.push(ms)),
      },
    );
    expect(outcome).toMatchObject({ type: 'unreachable', error: { code: 'UNREACHABLE' } });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    await service.start();
  });

  it('prints the reason of a refusal', async () => {
    write('report.xml', REPORT);
    const error = { code: 'VALIDATION_FAILED', message: 'report.xml: unclosed tag (line 3).', details: [] };
    service.before.push({ status: 400, body: { error } });
    const { exit, err } = await sluice('*.xml', ...OPTIONS);
    expect(exit).toBe(1);
    expect(err).toContain('sluice: report.xml: unclosed tag (line 3).');
    expect(service.received).toHaveLength(1);
  });

  it('reports the answer of a service or proxy that refuses a report before all of it was sent', async () => {
    write('report.xml.gz', randomBytes(8_000_000));
    const gate = createServer((request, response) => {
      response.writeHead(413, { connection: 'close' }).end('<html>Too large</html>', () => request.resume());
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const { exit, err } = await sluice('*.gz', ...OPTIONS, '--url', url);
    await new Promise((resolve) => gate.close(resolve));
    expect(exit).toBe(1);
    expect(err).toContain('answered 413');
  });

  it('runs the tests first and exits with their code', async () => {
    write('report.xml', 'old');
    expect(await sluice('*.xml', ...OPTIONS, ...tests(0))).toMatchObject({ exit: 0 });
    expect(await sluice('*.xml', ...OPTIONS, ...tests(7))).toMatchObject({ exit: 7 });
    expect(service.received.map(({ parts }) => parts[1]?.content)).toEqual([REPORT, REPORT]);
    expect(await sluice('*.xml', ...OPTIONS, '--', 'no-such-command')).toMatchObject({ exit: 127 });
  });

  it('leaves out reports of an earlier run', async () => {
    write('earlier.xml', REPORT);
    utimesSync(join(folder, 'earlier.xml'), 1_000, 1_000);
    const { err } = await sluice('*.xml', ...OPTIONS, ...tests(0));
    expect(err).toContain('Left out: 1 report of an earlier run.');
    expect(service.received[0]?.parts.slice(1)).toMatchObject([{ fileName: 'report.xml' }]);
  });

  describe('without a reachable service, or without a token', () => {
    const AWAY = { status: 503, headers: { 'retry-after': '0' } };

    it('exits as the tests did, and says why nothing was uploaded', async () => {
      write('report.xml', REPORT);
      service.before.push(...Array<typeof AWAY>(6).fill(AWAY));
      const { exit, err } = await sluice('*.xml', ...OPTIONS);
      expect([exit, err]).toEqual([0, expect.stringMatching(/sluice: The results were not uploaded: .* answered 503/)]);
      delete process.env.SLUICE_TOKEN;
      const forked = await sluice('*.xml', ...OPTIONS);
      expect([forked.exit, forked.err]).toEqual([0, expect.stringContaining('there is no token')]);
      expect(await sluice('*.xml', ...OPTIONS, ...tests(0))).toMatchObject({ exit: 0 });
      expect(await sluice('*.xml', ...OPTIONS, ...tests(3))).toMatchObject({ exit: 3 });
      process.env.SLUICE_TOKEN = '';
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(0))).toMatchObject({ exit: 0 });
    });

    it('fails with --require-upload', async () => {
      write('report.xml', REPORT);
      service.before.push(...Array<typeof AWAY>(6).fill(AWAY));
      expect(await sluice('*.xml', ...OPTIONS, '--require-upload')).toMatchObject({ exit: 1 });
      delete process.env.SLUICE_TOKEN;
      expect(await sluice('*.xml', ...OPTIONS, '--require-upload')).toMatchObject({ exit: 1 });
      const passed = await sluice('*.xml', ...OPTIONS, '--require-upload', '--quarantine', ...tests(0));
      expect(passed).toMatchObject({ exit: 1 });
    });
  });

  it('lists refused and empty reports, and fails for them only with --require-upload', async () => {
    write('report.xml', REPORT);
    service.more = {
      refused_files: [
        { file: 'a.xml', line: 3, reason: 'unclosed tag' },
        { file: 'b.gz', line: null, reason: 'is damaged gzip' },
      ],
      ...{ refused_files_total: 2, empty_files: ['c.xml'] },
    };
    const { exit, out } = await sluice('*.xml', ...OPTIONS);
    expect(exit).toBe(0);
    expect(out).toContain('Refused, and not stored:\n  a.xml, line 3: unclosed tag\n  b.gz: is damaged gzip\n');
    expect(out).toContain('Warning: no test is in:\n  c.xml\n');
    const required = await sluice('*.xml', ...OPTIONS, '--require-upload');
    expect([required.exit, required.err]).toEqual([1, expect.stringContaining('2 of the reports were refused.')]);
  });

  it('names --job if matrix jobs share an attempt, and says that another command of the job reported the same tests', async () => {
    Object.assign(process.env, {
      GITHUB_ACTIONS: 'true',
      GITHUB_JOB: 'unit',
      GITHUB_RUN_ID: '7',
      GITHUB_RUN_ATTEMPT: '2',
    });
    write('report.xml', REPORT);
    service.more = { shared_tests: { same_part: 12, other_parts: 1 } };
    const { out } = await sluice('*.xml', ...OPTIONS, '--attempt', '3');
    expect(out).toContain('12 of these tests are in another upload of this attempt, too.');
    expect(out).toContain(`add --job "unit (\${{ join(matrix.*, ', ') }})"; for shares`);
    expect(out).toContain('1 of these tests is in the reports of another command of this job, too.');
    expect(service.received[0]?.metadata).toMatchObject({ attempt: '7/2/3' });
    service.more = {};
    expect((await sluice('*.xml', ...OPTIONS)).out).not.toContain('attempt');
    expect(service.received[1]?.metadata).toMatchObject({ attempt: '7/2' });
    expect(service.received[1]?.metadata.upload_id).not.toBe(service.received[0]?.metadata.upload_id);
  });

  it('prints once, also without a failure, the warning that a changed test command counts as another part of the job', async () => {
    write('report.xml', REPORT);
    const message = 'It is another one: name it with --part.';
    service.more = { doubts: [{ kind: 'no_earlier_run', message }] };
    for (const words of [[], tests(0), ['--quarantine', ...tests(0)]]) {
      expect((await sluice('*.xml', ...OPTIONS, ...words)).out).toContain(`\nWarning: ${message}\n`);
    }
    service.failures = [{ name: 'flaky', quarantined: true }];
    const { out, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(1));
    expect([out.includes(message), err.split(message).length]).toEqual([false, 2]);
    service.more = { doubts: [{ kind: 'no_earlier_run', message: 'None.' }] };
    expect((await sluice('*.xml', ...OPTIONS)).out).not.toContain('None.');
  });

  it('shows failures in CI, unless an option turns this off', async () => {
    const summary = join(folder, 'summary.md');
    Object.assign(process.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    service.failures = [{ name: 'broken', quarantined: false }];
    const quiet = await sluice('*.xml', ...OPTIONS, '--no-annotations', ...tests(3));
    expect([quiet.exit, quiet.err.includes('::error'), existsSync(summary)]).toEqual([3, false, false]);
    const told = await sluice('*.xml', ...OPTIONS, '--json', ...tests(3));
    expect([told.exit, told.out.includes('::')]).toEqual([3, false]);
    expect(told.err).toContain('\n::error file=c.ts,title=C › broken (c.ts)::');
    expect(readFileSync(summary, 'utf8')).toContain('`C › broken (c.ts)`');
  });

  it('says for which branches the results count, if they do not count for all branches', async () => {
    write('report.xml', REPORT);
    service.more = { branch_class: 'pull_request' };
    expect((await sluice('*.xml', ...OPTIONS)).out).toContain(
      'Results of a pull request: they quarantine no test on other branches.',
    );
    service.more = { counted: false };
    expect((await sluice('*.xml', ...OPTIONS)).out).toMatch(/\nNot counted: so many healthy tests/);
  });

  it('sends the job of the results, the exit code of the tests, and the part of the job', async () => {
    Object.assign(process.env, { GITLAB_CI: 'true', CI_JOB_NAME: 'unit 2/4', CI_JOB_ID: '5' });
    await sluice('*.xml', ...OPTIONS, ...tests(7));
    await sluice('*.xml', ...OPTIONS, ...tests(0));
    await sluice(
      'report.xml',
      ...OPTIONS,
      '--job',
      'other',
      '--shard',
      '1/2',
      '--part',
      'mine',
      '--test-exit-code',
      '0',
    );
    const [first, second, said] = service.received.map(({ metadata }) => metadata);
    expect(first).toMatchObject({ job: 'unit', shard: '2/4', test_exit_code: 7 });
    expect(first?.part).toMatch(/^\*\.xml [0-9a-f]{12}$/);
    expect(second?.part).not.toBe(first?.part);
    expect(said).toMatchObject({ job: 'other', shard: '1/2', part: 'mine', test_exit_code: 0 });
  });

  describe('with --quarantine', () => {
    const QUARANTINED = { name: 'flaky', quarantined: true };
    const OTHER = { name: 'broken', quarantined: false };

    it('exits with 0 if every failure is quarantined, and lists the failures', async () => {
      service.failures = [QUARANTINED];
      const { exit, out } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(1));
      expect(exit).toBe(0);
      expect(out).toBe(
        'Stored: 3 results, 2 passed, 1 failed, 0 skipped.\nFailed, and quarantined:\n  C › flaky (c.ts)\nEvery failed test is quarantined, and nothing else failed.\n',
      );
      expect(service.received[0]?.metadata).toMatchObject({ ignores_quarantined: true });
    });

    it('exits as the tests did if a failure is not quarantined', async () => {
      service.failures = [QUARANTINED, OTHER];
      const { exit, out, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(3));
      expect(exit).toBe(3);
      expect(out).toContain('Failed:\n  C › broken (c.ts)\n');
      expect(err).toContain('1 of the failed tests is not quarantined.');
      write('report.xml', REPORT);
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine')).toMatchObject({ exit: 1 });
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', '--test-exit-code', '4')).toMatchObject({ exit: 4 });
    });

    it('exits as the tests did when they crashed without a report, even if an earlier run left a report', async () => {
      service.failures = [QUARANTINED];
      write('report.xml', REPORT);
      const { exit, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(3, null));
      expect(exit).toBe(3);
      expect(err).toContain('There is no report, and the tests ended with 3.');
      expect(service.received).toEqual([]);
    });

    it('exits as the tests did when they were killed', async () => {
      service.failures = [QUARANTINED];
      const killed = [
        '--',
        process.execPath,
        '-e',
        "require('fs').writeFileSync('report.xml', ''); process.kill(process.pid, 'SIGKILL')",
      ];
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', ...killed)).toMatchObject({ exit: 137 });
    });

    it('exits as the tests did when the service refuses the reports', async () => {
      service.failures = [QUARANTINED];
      const refused = { status: 401, body: { error: { code: 'INVALID_TOKEN', message: 'The token is unknown.' } } };
      service.before.push(refused, refused);
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(3))).toMatchObject({ exit: 3 });
      const passed = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(0));
      expect(passed.exit).toBe(0);
      expect(passed.err).toMatch(/sluice: The token is unknown\..* The tests ended with 0\./);
      delete process.env.SLUICE_TOKEN;
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(3))).toMatchObject({ exit: 3 });
    });

    it('gives the same result for the same reports when the step is repeated', async () => {
      Object.assign(process.env, { GITLAB_CI: 'true', CI_JOB_ID: '5' });
      service.failures = [QUARANTINED];
      service.status = 'known';
      write('report.xml', REPORT);
      write('output.txt', '1 failed');
      const ended = ['--test-exit-code', '3', '--test-output', 'output.txt'];
      const { exit, out } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...ended);
      expect(exit).toBe(0);
      expect(out).toMatch(/^Already stored: /);
    });

    it('exits as the tests did when their output was not watched', async () => {
      service.failures = [QUARANTINED];
      write('report.xml', REPORT);
      const { exit, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', '--test-exit-code', '3');
      expect([exit, err]).toEqual([3, expect.stringContaining('The output of the tests is not known')]);
      const output = ['--test-output', 'nowhere.txt'];
      expect(await sluice('*.xml', ...OPTIONS, '--quarantine', '--test-exit-code', '3', ...output)).toMatchObject({
        exit: 2,
      });
    });

    it('exits as the tests did when tests are missing, and says which tests, and where each of them last ran', async () => {
      service.failures = [QUARANTINED];
      const last_seen = { commit: COMMIT, job_url: 'https://ci.example/7' };
      const test = { name: 'b', classname: 'C', parent: '', file: 'c.ts', status: 'healthy', last_seen };
      const doubts = [{ kind: 'missing_tests', message: '30 tests are missing.' }];
      service.more = { missing_tests: [test], missing_tests_total: 30, doubts };
      const { exit, out, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(1));
      expect([exit, err]).toEqual([1, expect.stringContaining('30 tests are missing.')]);
      const line = `  C › b (c.ts), last seen at ${COMMIT.slice(0, 12)}, https://ci.example/7`;
      expect(out).toContain(`Missing tests, present in earlier runs of this job:\n${line}\n  and 29 more\n`);
    });

    it('exits as the tests did when an older service cannot report missing tests', async () => {
      service.failures = [QUARANTINED];
      service.more = { doubts: undefined };
      const { exit, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', ...tests(1));
      expect([exit, err]).toEqual([1, expect.stringContaining('too old to tell')]);
    });

    it('exits as the tests did when the service answers about an earlier upload with the same id', async () => {
      service.failures = [QUARANTINED];
      service.status = 'known';
      const again = [...OPTIONS, '--quarantine', '--upload-id', 'fixed'];
      expect(await sluice('*.xml', ...again, ...tests(3))).toMatchObject({ exit: 3 });
    });

    it('prints JSON with --json, which contains the exit code', async () => {
      service.failures = [OTHER];
      const { exit, out, err } = await sluice('*.xml', ...OPTIONS, '--quarantine', '--json', ...tests(3));
      expect(exit).toBe(3);
      expect(JSON.parse(out)).toMatchObject({ status: 'stored', exit: 3, failures: [{ name: 'broken' }] });
      expect(err).toContain('"code": "TESTS_FAILED"');
    });
  });
});
