import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSluice } from '../../src/cli/run-sluice';
import type { Terminal } from '../../src/cli/terminal';
import type { StoredUpload } from '../../src/modules/test-health/http/uploads/dto/stored-upload.dto';
import { World } from '../support/world';

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

const REPOSITORY = 'git.example/acme/widgets';
const STATUSES = ['--required-statuses', 'tests'];

/**
 * Runs the command in this process, but otherwise like the program itself. The tests' environment names the world's
 * database.
 */
async function sluice(...args: string[]): Promise<Ran> {
  const said = { out: '', err: '' };
  const terminal: Terminal = {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    columns: undefined,
  };
  return { exit: await runSluice(args, terminal), ...said };
}

/** Runs a command, which must succeed. Returns the JSON that it prints. */
async function answerOf<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { exit, out, err } = await sluice(...args, '--json');
  if (exit !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${exit}: ${err}`);
  return JSON.parse(out) as T;
}

async function refusalOf(...args: string[]): Promise<{ exit: number; code: string; next?: string; details: unknown }> {
  const { exit, out, err } = await sluice(...args, '--json');
  expect(out).toBe('');
  return { exit, ...(JSON.parse(err) as { error: { code: string; details: unknown } }).error };
}

describe('sluice', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'git' });
    for (const number of [1, 2, 3]) world.git.openPullRequest(number, { [`part-${number}.txt`]: 'a part\n' });
    const { token } = await answerOf<{ token: string }>(
      'token',
      'create',
      '--org',
      'acme',
      '--name',
      'cli',
      '--role',
      'admin',
    );
    process.env.SLUICE_URL = world.url;
    process.env.SLUICE_TOKEN = token;
  });

  afterAll(async () => {
    delete process.env.SLUICE_URL;
    delete process.env.SLUICE_TOKEN;
    await world.close();
  });

  it('creates and lists organizations', async () => {
    expect(await answerOf('org', 'create', 'umbrella', '--name', 'Umbrella')).toMatchObject({
      slug: 'umbrella',
      name: 'Umbrella',
    });
    expect(await answerOf('org', 'list')).toMatchObject([{ slug: 'acme' }, { slug: 'umbrella', name: 'Umbrella' }]);
    expect(await refusalOf('org', 'create', 'umbrella')).toMatchObject({ exit: 1, code: 'REFUSED' });
  });

  it('shows a new token once, and revokes it', async () => {
    const create = ['token', 'create', '--org', 'umbrella', '--name', 'ci', '--role', 'read', '--expires', '90d'];
    const { token, expiresAt } = await answerOf<{ token: string; expiresAt: string }>(...create);
    expect(token).toMatch(/^slc_/);
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const list = await sluice('token', 'list', '--org', 'umbrella');
    expect(list.out).toMatch(/ci +read +none +never +valid until/);
    expect(list.out).not.toContain(token);
    await answerOf('token', 'revoke', '--org', 'umbrella', '--name', 'ci');
    expect((await sluice('token', 'list', '--org', 'umbrella')).out).toMatch(/ci +read +none +never +revoked/);
    expect(await refusalOf('queue', 'get', REPOSITORY, '--token', token)).toMatchObject({
      exit: 1,
      code: 'INVALID_TOKEN',
    });
  });

  it('creates a token with limits, and rotates it', async () => {
    const name = ['--org', 'acme', '--name', 'limited ci'];
    const { expiresAt } = await answerOf<{ expiresAt: string }>(
      ...['token', 'create', ...name, '--role', 'ci', '--repo', REPOSITORY, '--best-priority', 'low'],
    );
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(90);
    const list = async () => (await sluice('token', 'list', '--org', 'acme')).out;
    expect(await list()).toMatch(
      /limited ci +ci +git\.example\/acme\/widgets, priority 200 or worse +never +valid until/,
    );
    const rotated = await answerOf<{ token: string; expiresAt: null }>(
      'token',
      'rotate',
      ...name,
      '--expires',
      'never',
    );
    expect(rotated).toMatchObject({ token: expect.stringMatching(/^slc_/) as string, expiresAt: null });
    expect(await list()).toMatch(/valid, old secret valid until \d{4}-/);
    const other = ['token', 'create', '--org', 'umbrella', '--name', 'x', '--role', 'ci', '--repo', REPOSITORY];
    expect(await refusalOf(...other)).toMatchObject({ exit: 1, code: 'REFUSED' });
    expect(await sluice('token', 'create', ...name, '--role', 'ci', '--best-priority', 'soon')).toMatchObject({
      exit: 2,
    });
  });

  it('creates a sign-in link, and names the tokens from which a person can choose', async () => {
    expect(await refusalOf('sign-in-link', '--org', 'umbrella')).toMatchObject({
      exit: 1,
      next: 'Make one with: sluice token create --org <slug> --name <name> --role admin',
    });
    for (const name of ['ada', 'bob'])
      await answerOf('token', 'create', '--org', 'umbrella', '--name', name, '--role', 'admin');
    expect(await refusalOf('sign-in-link', '--org', 'umbrella')).toMatchObject({
      exit: 1,
      next: 'Choose one with: --name <token>',
    });
    const made = await answerOf('sign-in-link', '--org', 'umbrella', '--name', 'bob');
    expect(made).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:3000\/ui\/sign-in-link\?code=sll_[\w-]{43}$/) as string,
      organization: 'umbrella',
      token: 'bob',
      expiresAt: expect.any(String) as string,
    });
  });

  it('assigns repositories to an organization, and removes unused repositories from it', async () => {
    expect(await answerOf('repo', 'add', 'Local/umbrella/shop', '--org', 'umbrella')).toMatchObject({
      host: 'local',
      owner: 'umbrella',
    });
    expect(await refusalOf('repo', 'add', 'local/umbrella/shop', '--org', 'acme')).toMatchObject({ exit: 1 });
    await answerOf('repo', 'remove', 'local/umbrella/shop', '--org', 'umbrella');
    expect(await answerOf('repo', 'list', '--org', 'umbrella')).toEqual([]);
  });

  it('creates a queue with every kind of setting, changes it and shows it', async () => {
    const made = await answerOf(
      ...['queue', 'create', REPOSITORY, '--concurrency', '2', '--bisection-concurrency', 'null', '--batch', 'false'],
      ...['--merge-method', 'rebase', '--required-statuses', 'tests', 'lint', '--allowed-bot-submitters'],
      ...['--batching-rules', '[{"targetPattern":"//infra/*","policy":"isolate"}]'],
    );
    expect(made).toMatchObject({
      concurrency: 2,
      bisectionConcurrency: 2,
      batch: false,
      mergeMethod: 'rebase',
      requiredStatuses: ['tests', 'lint'],
      allowedBotSubmitters: [],
      batchingRules: [{ targetPattern: '//infra/*', policy: 'isolate' }],
    });
    const update = ['queue', 'update', REPOSITORY, '--state', 'paused', '--merge-method', 'squash'];
    expect(await answerOf(...update, ...STATUSES)).toMatchObject({
      state: 'paused',
      concurrency: 2,
      requiredStatuses: ['tests'],
    });
    expect((await sluice('queue', 'get', REPOSITORY)).out).toMatch(
      /paused, mode single, 2 test runs at once[\s\S]*The queue is empty/,
    );
    const inFlow = ['--scheduling', 'flow', '--can-optimistically-merge', 'true'];
    await answerOf('queue', 'update', REPOSITORY, ...inFlow);
    expect((await sluice('queue', 'get', REPOSITORY)).out).toContain(
      [
        '  5.0 % of pull requests fail their tests (assumed)',
        '  0.5 % of passed pull requests have a semantic conflict with others (assumed)',
        '  1.0 % of tests fail although nothing is wrong (assumed)',
      ].join('\n'),
    );
    const inOrder = ['--scheduling', 'in_order', '--can-optimistically-merge', 'false'];
    await answerOf('queue', 'update', REPOSITORY, ...inOrder, '--state', 'running');
  });

  it('pauses a queue with a reason, and resumes it', async () => {
    const { exit, out } = await sluice('queue', 'pause', REPOSITORY, '--reason', 'release day');
    expect({ exit, out }).toEqual({
      exit: 0,
      out: [
        'Paused the queue of git.example/acme/widgets, branch main: release day.',
        '  Pull requests are accepted and wait. Running tests finish. Nothing merges.',
        '',
        'Next: sluice queue resume git.example/acme/widgets --branch main',
        '',
      ].join('\n'),
    });
    expect(await answerOf('queue', 'pause', REPOSITORY)).toMatchObject({ state: 'paused', pauseReason: 'release day' });
    expect(await answerOf('queue', 'resume', REPOSITORY)).toMatchObject({ state: 'running', pauseReason: null });
    const missing = await refusalOf('queue', 'pause', REPOSITORY, '--branch', 'none');
    expect(missing).toMatchObject({ exit: 1, next: expect.stringContaining('sluice queue create') as string });
  });

  it('submits, shows, restarts, cancels and watches pull requests, and reports statuses', async () => {
    const submitted = await answerOf('pr', 'submit', REPOSITORY, '1', '--priority', 'high', '--no-batch');
    expect(submitted).toMatchObject({ prNumber: 1, priorityName: 'high', noBatch: true });
    await answerOf('pr', 'submit', REPOSITORY, '2');
    await world.settles();
    expect(await answerOf('pr', 'restart', REPOSITORY, '1')).toMatchObject({
      stateReason: 'tests_restarted_by_api_request',
    });
    await world.settles();
    expect(await answerOf('pr', 'cancel', REPOSITORY, '2')).toMatchObject({
      state: 'cancelled',
      stateReason: 'api_requested',
    });
    const status = await sluice('pr', 'status', REPOSITORY, '#1', '--timeline');
    expect(status.out).toMatch(
      /#1 Change 1: testing\n.*\n {2}waiting for: Required status `tests`[\s\S]*tests_restarted_by_api_request {2}by cli/,
    );
    const { body } = await world.api.post('getMergeQueueTestingDetails', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number: 1 },
    });
    await answerOf(
      'status',
      'set',
      REPOSITORY,
      String(body.testBranchSha),
      'tests',
      'success',
      '--link',
      'https://ci.example/1',
    );
    await world.settles();
    expect(await sluice('pr', 'watch', REPOSITORY, '1')).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/#1 Change 1: merged \(merge_graph_merge\)/) as string,
    });
    const watched = await sluice('pr', 'watch', REPOSITORY, '1', '2', '--json');
    expect(
      watched.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { state: string }).state),
    ).toEqual(['merged', 'cancelled']);
    expect(watched).toMatchObject({ exit: 1, err: expect.stringContaining('Not merged: #2 cancelled.') as string });
  });

  it('uploads test reports, ignores failures of quarantined tests, and finds tests', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-reports-'));
    const report = (commit: string, ...cases: readonly string[]) => {
      writeFileSync(join(folder, 'report.xml'), `<testsuite name="widgets">\n${cases.join('\n')}\n</testsuite>`);
      writeFileSync(join(folder, 'output.txt'), '1 failed');
      const run = ['--commit', commit.repeat(40), '--pr', '7', '--job', 'unit'];
      const ended = ['--test-exit-code', '7', '--test-output', join(folder, 'output.txt')];
      return ['upload', `${folder}/**/*.xml`, '--repo', REPOSITORY, '--org', 'acme', ...run, '--quarantine', ...ended];
    };
    const failed = '<testcase name="turns"><failure message="stuck"/></testcase>';
    const passed = Array.from({ length: 4 }, (_, number) => `<testcase name="stands ${number}"/>`);
    const tests = { repo: { host: 'git.example', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
    const ask = async (operation: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'x-api-token': process.env.SLUICE_TOKEN ?? '' };
      const address = `${world.url}/v1/flaky-tests/${operation}`;
      const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ ...tests, ...body }) });
      expect(response.status).toBe(200);
    };
    try {
      const refused = await sluice(...report('1', ...passed, failed), '--json');
      expect(refused.exit).toBe(7);
      const { results, failures } = JSON.parse(refused.out) as StoredUpload;
      expect(results).toEqual({ total: 5, passed: 4, failed: 1, skipped: 0 });
      await ask('update-settings', { quarantine_enabled: true });
      const [test] = failures;
      await ask('set-quarantine', { test_case_id: test?.test_case_id, setting: 'always_quarantine', reason: 'known' });
      const forgiven = await sluice(...report('2', ...passed, failed));
      expect(forgiven).toMatchObject({ exit: 0, out: expect.stringContaining('widgets › turns') as string });
      const malformed = await sluice(...report('3', failed, '<testcase name="a < b"/>'));
      expect(malformed).toMatchObject({ exit: 7, err: expect.stringMatching(/report\.xml: .* \(line 3\)/) as string });
      const found = await sluice('tests', 'find', REPOSITORY, 'widgets', 'turns', '--org', 'acme');
      expect(found.out).toMatch(/failed each time, quarantined +100 % +1 +widgets › turns\n/);
      expect(found.out).not.toContain('stands');
      const none = await sluice('tests', 'find', REPOSITORY, 'nothing', '--org', 'acme', '--choice', 'failing');
      expect(none).toMatchObject({ exit: 0, out: expect.stringContaining('/widgets matches.') as string });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('suggests the next step after a refusal', async () => {
    expect(await refusalOf('queue', 'create', REPOSITORY)).toMatchObject({
      exit: 1,
      code: 'QUEUE_ALREADY_EXISTS',
      next: expect.stringContaining('sluice queue update') as string,
    });
    expect(await refusalOf('queue', 'update', REPOSITORY, '--concurrency', '0')).toMatchObject({
      exit: 1,
      code: 'VALIDATION_FAILED',
      details: [{ field: 'concurrency' }],
    });
    expect(await refusalOf('pr', 'status', REPOSITORY, '99')).toMatchObject({ exit: 1, code: 'PR_NOT_FOUND' });
    expect(await refusalOf('queue', 'get', REPOSITORY, '--url', 'http://127.0.0.1:1')).toMatchObject({
      exit: 1,
      code: 'UNREACHABLE',
      next: expect.stringContaining('sluice serve') as string,
    });
    expect((await sluice('pr', 'status', REPOSITORY, '99')).err).toMatch(
      /^sluice: .+\nOpen the pull request at the code host .+ sluice pr submit/,
    );
  });

  it('deletes an empty queue', async () => {
    await answerOf('pr', 'submit', REPOSITORY, '3');
    expect(await refusalOf('queue', 'delete', REPOSITORY)).toMatchObject({ exit: 1, code: 'QUEUE_HAS_ACTIVE_ENTRIES' });
    await answerOf('pr', 'cancel', REPOSITORY, '3');
    expect(await answerOf('queue', 'delete', REPOSITORY)).toEqual({});
  });

  it.each([
    ['an unknown command', ['quueue']],
    ['an option that is not there', ['org', 'list', '--loud']],
    ['a repository without an owner', ['queue', 'get', 'widgets']],
    ['a setting that is no number', ['queue', 'create', REPOSITORY, '--concurrency', 'many']],
    ['a role that does not exist', ['token', 'create', '--org', 'acme', '--name', 'x', '--role', 'boss']],
    ['an address that is none', ['queue', 'get', REPOSITORY, '--url', 'here']],
  ])('ends with exit code 2 on %s', async (_what, args) => {
    const { exit, out, err } = await sluice(...args);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).not.toBe('');
  });

  it('ends with exit code 2 without a token, and says how to create a token', async () => {
    const token = process.env.SLUICE_TOKEN;
    delete process.env.SLUICE_TOKEN;
    const { exit, err } = await sluice('queue', 'get', REPOSITORY);
    process.env.SLUICE_TOKEN = token;
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('sluice token create') as string });
  });

  it('runs as a program that prints its answer and ends with the exit code', async () => {
    const program = (args: string[]) =>
      new Promise<Ran>((resolve) => {
        const launch = ['-r', './prisma/engine/load-typescript.cjs', '-e', `require('./src/cli/main.ts')`, 'sluice'];
        execFile(
          process.execPath,
          [...launch, ...args],
          { cwd: join(__dirname, '../..'), env: process.env },
          (error, out, err) => resolve({ exit: Number(error?.code ?? 0), out, err }),
        );
      });
    const [listed, refused] = await Promise.all([
      program(['org', 'list', '--json']),
      program(['org', 'create', 'acme']),
    ]);
    expect(listed).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(listed.out)).toContainEqual(expect.objectContaining({ slug: 'acme' }));
    expect(refused).toMatchObject({ exit: 1, out: '', err: 'sluice: There is an organization acme already.\n' });
  });
});
