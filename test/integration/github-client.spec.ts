import { generateKeyPairSync } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { register } from 'prom-client';
import type { CodeHost } from '../../src/domain/code-host.port';
import { RateGate } from '../../src/code-hosts/github/client/rate-gate';
import { TokenCredentials } from '../../src/code-hosts/github/client/credentials';
import { GitHubApi } from '../../src/code-hosts/github/client/github-api';
import { Transport } from '../../src/code-hosts/github/client/transport';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { ManualClock } from '../support/manual-clock';
import { type Connection, connectTo, GITHUB_HOST, GITHUB_WIDGETS, checkedByContract } from '../contract/github-host';

const START = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const TOKEN_ISSUED = 'apps/create-installation-access-token';

describe('the client for GitHub', () => {
  let clock: ManualClock;
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let connection: Connection;
  let host: CodeHost;
  let exchanges: ReturnType<typeof checkedByContract>;

  beforeEach(async () => {
    clock = new ManualClock(START);
    exchanges = checkedByContract();
    github = await GitHubDouble.start({ now: () => clock.now(), onExchange: exchanges.onExchange });
    repository = github.createRepository('acme', 'widgets');
    connection = connectTo(github, { clock });
    ({ host } = connection);
  });
  afterEach(async () => {
    await github.close();
    connection.release();
    exchanges.assertFits();
  });

  const readMain = () => host.readBranch(GITHUB_WIDGETS, 'main');
  /** Protections are read through the API; git reads branches. */
  const readProtection = () => host.readProtectedStatuses(GITHUB_WIDGETS, 'main');
  const tipOfMain = () => ({ commit: repository.tip('main') });

  it("attack 13: reports in GitHub's words that the private key is wrong", async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const wrong = connectTo(github, { clock, access: { appId: github.appId, privateKey: pem } });
    await expect(wrong.host.readBranch(GITHUB_WIDGETS, 'main')).rejects.toMatchObject({
      kind: 'no_access',
      message: expect.stringMatching(
        /github\.example does not take the app's credentials: .*JSON web token/i,
      ) as string,
    });
    wrong.release();
  });

  it('attack 13: reads the tip of a branch from git only, so that no test is lost because of a slow API', async () => {
    const before = repository.tip('main');
    repository.pushToBranch('main', { 'a.txt': 'a' });
    const [record] = [...github.state.repositories.values()];
    record!.branches = new Map([['main', before]]);
    const { branches } = await host.readState(GITHUB_WIDGETS, ['main'], []);
    expect(await readMain()).toEqual(branches.get('main'));
    expect((await readMain())?.commit).not.toBe(before);
  });

  describe('as an app', () => {
    it('requests the installation and its token once, for any number of reads', async () => {
      await Promise.all([readMain(), readMain()]);
      await readMain();
      await host.readState(GITHUB_WIDGETS, ['main'], [1]);
      expect(github.requests.count(TOKEN_ISSUED)).toBe(1);
    });

    it('renews the token before it expires', async () => {
      await readMain();
      clock.advance(49 * MINUTE_MS);
      await readMain();
      expect(github.requests.count(TOKEN_ISSUED)).toBe(1);
      clock.advance(2 * MINUTE_MS);
      expect(await readMain()).toMatchObject(tipOfMain());
      expect(github.requests.count(TOKEN_ISSUED)).toBe(2);
      expect(github.requests.all.filter(({ status }) => status === 401)).toEqual([]);
    });

    it('renews a token that GitHub refuses before it expires, and repeats the request', async () => {
      await readMain();
      github.revokeTokens();
      expect(await readMain()).toMatchObject(tipOfMain());
      expect(github.requests.count(TOKEN_ISSUED)).toBe(2);
    });

    it('renews a refused token for git as well', async () => {
      const commit = repository.tip('main');
      await readMain();
      github.revokeTokens();
      expect(await host.readFile(GITHUB_WIDGETS, commit, 'README.md')).toBe('hello\n');
    });

    it('does not ask without a limit if GitHub refuses every token', async () => {
      github.faults.answer('repos/get-branch', 401, 'Bad credentials', { times: Infinity });
      await expect(readProtection()).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'no_access' });
      expect(github.requests.count('repos/get-branch')).toBe(2);
    });

    it('finds the new installation after the app was installed again', async () => {
      await readMain();
      github.uninstall('acme');
      await expect(readMain()).rejects.toMatchObject({ kind: 'no_access' });
      expect(await host.findRepository(GITHUB_WIDGETS)).toBe('unknown');
      github.install('acme');
      expect(await readMain()).toMatchObject(tipOfMain());
    });

    it('finds the new installation also if the token had expired', async () => {
      await readMain();
      github.uninstall('acme');
      github.install('acme');
      clock.advance(51 * MINUTE_MS);
      expect(await readMain()).toMatchObject(tipOfMain());
    });

    it('does not report a missing pull request if the repository itself is hidden from the app', async () => {
      await readMain();
      const [key, record] = [...github.state.repositories][0]!;
      github.state.repositories.delete(key);
      await expect(readMain()).rejects.toMatchObject({ kind: 'no_access' });
      await expect(host.readPullRequest(GITHUB_WIDGETS, 1, 'main')).rejects.toMatchObject({ kind: 'no_access' });
      github.state.repositories.set(key, record);
      expect(await host.readPullRequest(GITHUB_WIDGETS, 1, 'main')).toBeNull();
    });

    it('reports missing access, and not missing branches, if the app has lost access to a repository', async () => {
      await readMain();
      github.setPermission('acme', 'contents', 'none');
      await expect(readProtection()).rejects.toMatchObject({ kind: 'no_access' });
      await expect(readMain()).rejects.toMatchObject({
        kind: 'no_access',
        message: expect.stringMatching(/github\.example does not let the service use acme\/widgets: .*403/) as string,
      });
      await expect(host.readState(GITHUB_WIDGETS, ['main'], [])).rejects.toMatchObject({ kind: 'no_access' });
    });
  });

  it('works with a personal token', async () => {
    repository.changePermission('ada', 'write');
    const plain = connectTo(github, { access: { token: github.createUserToken('ada') } });
    expect(await plain.host.readBranch(GITHUB_WIDGETS, 'main')).toMatchObject(tipOfMain());
    expect(github.requests.count(TOKEN_ISSUED)).toBe(0);
    plain.release();
  });

  it('writes no tokens to the disk', async () => {
    await host.readFile(GITHUB_WIDGETS, repository.tip('main'), 'README.md');
    const pattern = 'gh[sp]_|x-access-token|Authorization';
    const search = spawnSync('grep', ['-rlE', pattern, connection.dataDirectory], { encoding: 'utf8' });
    expect(search).toMatchObject({ status: 1, stdout: '' });
  });

  describe('when it reads again', () => {
    it('uses no rate limit for answers that have not changed, and gets changed answers', async () => {
      await readProtection();
      const before = await remaining();
      await readProtection();
      await readProtection();
      expect(await remaining()).toBe(before);
      expect(github.requests.all.filter(({ status }) => status === 304)).toHaveLength(4);
      repository.protect('main', { requiredContexts: ['lint'] });
      expect(await readProtection()).toEqual(['lint']);
    });

    it('repeats a read over another connection if the first connection breaks', async () => {
      await readProtection();
      github.faults.disconnect('repos/get-branch');
      expect(await readProtection()).toEqual([]);
    });
  });

  describe('under a rate limit of GitHub', () => {
    it('sends no request until the hour is over', async () => {
      await readProtection();
      github.limits.leave(0);
      const until = new Date(START.getTime() + 60 * MINUTE_MS);
      const refusal = { name: 'HostUnavailable', kind: 'rate_limited', retryAt: until };
      await expect(readProtection()).rejects.toMatchObject(refusal);
      const sent = github.requests.all.length;
      await expect(host.readPullRequest(GITHUB_WIDGETS, 1, 'main')).rejects.toMatchObject(refusal);
      expect(github.requests.all).toHaveLength(sent);
      clock.advance(61 * MINUTE_MS);
      expect(await readProtection()).toEqual([]);
    });

    it.each([403, 429] as const)(
      'tries again at the time that GitHub names, for a secondary limit (%s)',
      async (status) => {
        github.faults.secondaryRateLimit('repos/get-branch', 30, { status });
        const retryAt = new Date(START.getTime() + 30_000);
        await expect(readProtection()).rejects.toMatchObject({ kind: 'rate_limited', retryAt });
        clock.advance(29_000);
        await expect(readProtection()).rejects.toMatchObject({ kind: 'rate_limited', retryAt });
        clock.advance(2_000);
        expect(await readProtection()).toEqual([]);
      },
    );

    it('waits a minute if the secondary limit names no time', async () => {
      github.faults.answer('repos/get-branch', 403, 'You have exceeded a secondary rate limit.');
      const retryAt = new Date(START.getTime() + MINUTE_MS);
      await expect(readProtection()).rejects.toMatchObject({ kind: 'rate_limited', retryAt });
    });

    it('shows the number of remaining requests in /metrics', async () => {
      await readProtection();
      const left = await remaining();
      expect(left).toBeGreaterThan(4_000);
      expect(await register.metrics()).toMatch(
        /sluice_github_requests_remaining\{host="github\.example",identity="installation \d+"/,
      );
    });
  });

  it.each([
    [502, 'gateway_error'],
    [503, 'gateway_error'],
    [500, 'server_error'],
  ] as const)('classifies a %s correctly: %s', async (status, kind) => {
    github.faults.answer('repos/get-branch', status, 'Oh dear', { times: Infinity });
    await expect(readProtection()).rejects.toMatchObject({ name: 'HostUnavailable', kind });
  });

  it('gives up on a request that takes too long', async () => {
    const limitMs = 150;
    const transport = new Transport(GITHUB_HOST, github.apiUrl, limitMs);
    const gate = new RateGate(GITHUB_HOST, clock);
    repository.changePermission('ada', 'write');
    const credentials = new TokenCredentials(github.createUserToken('ada'), { transport, gate });
    const api = new GitHubApi({ transport, gate, credentials, identities: null, clock });
    github.faults.hang('repos/get', { times: Infinity });
    await expect(api.findRepository(GITHUB_WIDGETS)).rejects.toMatchObject({
      kind: 'no_answer',
      message: expect.stringContaining('took longer than 0.15 s') as string,
    });
  });

  it('has no secret in its error messages', async () => {
    github.faults.answer(/./, 401, 'Bad credentials', { times: Infinity });
    const error = await readProtection().catch((thrown: unknown) => thrown as Error);
    expect(String((error as Error).stack)).not.toMatch(/Bearer|ghs_|eyJ/);
  });

  async function remaining(): Promise<number> {
    const metric = await register.getSingleMetric('sluice_github_requests_remaining')?.get();
    const values = metric?.values.filter(({ labels }) => String(labels.identity).startsWith('installation')) ?? [];
    return values.at(-1)?.value ?? Number.NaN;
  }
});
