import { GitHubClient, signedToken, type ClientAnswer } from './github-client';
import { GitHubDouble } from './github-double';
import type { RepositoryDouble } from './repository-double';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('access to the mock GitHub, and its rate limits', () => {
  let now: Date;
  let github: GitHubDouble;
  let repository: RepositoryDouble;
  let client: GitHubClient;

  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00Z');
    github = await GitHubDouble.start({ now: () => now });
    repository = github.createRepository('acme', 'widgets');
    client = new GitHubClient(github, 'acme/widgets');
  });

  afterEach(() => github.close());

  const pass = (milliseconds: number): void => {
    now = new Date(now.getTime() + milliseconds);
  };

  const messageOf = ({ body }: ClientAnswer): string => (body as { message: string }).message;

  describe('an app', () => {
    const seconds = (): number => Math.floor(now.getTime() / 1000);
    const ask = (claims: Readonly<Record<string, unknown>>): Promise<ClientAnswer> =>
      client.ask('GET', '/app', { authorization: `Bearer ${signedToken(github, claims)}` });

    it('is authenticated by a token that it has signed', async () => {
      const answer = await ask({ iat: seconds() - 30, exp: seconds() + 300, iss: github.appId });
      expect(answer).toMatchObject({ status: 200, body: { id: github.appId } });
    });

    it.each<[string, number, number, RegExp]>([
      ['issued later', 60, 300, /'Issued at' claim/],
      ['expired', -600, -1, /'Expiration time' claim/],
      ['good for too long', 0, 660, /too far in the future/],
    ])('is refused with a token that is %s', async (_, issued, expires, why) => {
      const answer = await ask({ iat: seconds() + issued, exp: seconds() + expires, iss: github.appId });
      expect(answer.status).toBe(401);
      expect(messageOf(answer)).toMatch(why);
    });

    it('is refused with a token that somebody else has signed', async () => {
      const [header, , signature] = client.appAuthorization.split('.');
      const claims = Buffer.from(JSON.stringify({ iat: 0, exp: seconds() + 60, iss: github.appId }));
      const authorization = `${header}.${claims.toString('base64url')}.${signature}`;
      const answer = await client.ask('GET', '/app', { authorization });
      expect(messageOf(answer)).toBe('A JSON web token could not be decoded');
    });

    it('finds no installation in an account where it is not installed', async () => {
      const authorization = client.appAuthorization;
      github.uninstall('acme');
      expect((await client.ask('GET', 'installation', { authorization })).status).toBe(404);
    });

    it('gets the time of the server in every answer', async () => {
      const { headers } = await client.ask('GET', '/app', { authorization: client.appAuthorization });
      expect(headers.get('date')).toBe(now.toUTCString());
    });
  });

  describe('an installation of an app', () => {
    it('has access for an hour, and then needs a new token', async () => {
      expect((await client.ask('GET', '')).status).toBe(200);
      pass(HOUR_MS - 1);
      expect((await client.ask('GET', '')).status).toBe(200);
      pass(1);
      const late = await client.ask('GET', '');
      expect([late.status, messageOf(late)]).toEqual([401, 'Bad credentials']);
      await client.renewToken();
      expect((await client.ask('GET', '')).status).toBe(200);
    });

    it('has no access with a revoked token', async () => {
      await client.installationToken();
      github.revokeTokens();
      expect((await client.ask('GET', '')).status).toBe(401);
    });

    it('loses a permission also for tokens that exist already', async () => {
      const post = (): Promise<ClientAnswer> =>
        client.ask('POST', `statuses/${repository.tip('main')}`, { body: { state: 'success' } });
      expect((await post()).status).toBe(201);
      github.setPermission('acme', 'statuses', 'none');
      const answer = await post();
      expect([answer.status, messageOf(answer)]).toEqual([403, 'Resource not accessible by integration']);
      github.setPermission('acme', 'statuses', 'write');
      expect((await post()).status).toBe(201);
    });

    it('may do no more than the requested permissions of its token', async () => {
      const authorization = client.appAuthorization;
      const { body } = await client.ask('GET', 'installation', { authorization });
      const path = `/app/installations/${(body as { id: number }).id}/access_tokens`;
      const options = { body: { permissions: { contents: 'read' } }, authorization };
      const token = ((await client.ask('POST', path, options)).body as { token: string }).token;
      const asked = { authorization: `token ${token}` };
      expect((await client.ask('GET', 'branches/main', asked)).status).toBe(200);
      expect((await client.ask('GET', 'pulls', asked)).status).toBe(403);
    });

    it('does not see repositories of other accounts', async () => {
      github.createRepository('initech', 'tps');
      expect((await client.ask('GET', '/repos/initech/tps')).status).toBe(404);
    });

    it('sees that the permission of a person was changed', async () => {
      const level = async (): Promise<unknown> =>
        ((await client.ask('GET', 'collaborators/grace/permission')).body as { permission: unknown }).permission;
      repository.changePermission('grace', 'write');
      expect(await level()).toBe('write');
      repository.changePermission('grace', 'none');
      expect(await level()).toBe('none');
    });
  });

  describe('the token of a person', () => {
    it('has the permissions of that person, and may not create check runs', async () => {
      const authorization = `token ${github.createUserToken('grace')}`;
      const ask = (method: string, path: string, body?: unknown): Promise<ClientAnswer> =>
        client.ask(method, path, { body, authorization });
      const status = { state: 'success' };
      const head = repository.tip('main');
      expect((await ask('GET', '')).status).toBe(404);
      repository.changePermission('grace', 'read');
      expect((await ask('GET', '')).status).toBe(200);
      expect((await ask('POST', `statuses/${head}`, status)).status).toBe(403);
      repository.changePermission('grace', 'write');
      expect((await ask('POST', `statuses/${head}`, status)).status).toBe(201);
      const refused = await ask('POST', 'check-runs', { name: 'queue', head_sha: head });
      expect(messageOf(refused)).toBe('You must authenticate via a GitHub App.');
    });
  });

  describe('rate limits', () => {
    it('count requests by the hour, but not requests whose answer is "not modified"', async () => {
      const first = await client.ask('GET', '');
      const used = Number(first.headers.get('x-ratelimit-used'));
      const etag = first.headers.get('etag') ?? '';
      const again = await client.ask('GET', '', { headers: { 'if-none-match': etag } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('x-ratelimit-used')).toBe(String(used));
      expect((await client.ask('GET', 'branches/main')).headers.get('x-ratelimit-used')).toBe(String(used + 1));
      pass(HOUR_MS - MINUTE_MS);
      expect((await client.ask('GET', '')).headers.get('x-ratelimit-used')).toBe(String(used + 2));
    });

    it('do not spare a conditional request if the resource has changed: the answer is complete', async () => {
      const etag = (await client.ask('GET', 'branches/main')).headers.get('etag') ?? '';
      repository.pushToBranch('main', { 'a.txt': 'a\n' });
      expect((await client.ask('GET', 'branches/main', { headers: { 'if-none-match': etag } })).status).toBe(200);
    });

    it('are lifted when the hour ends', async () => {
      await client.installationToken();
      github.limits.leave(1);
      expect((await client.ask('GET', '')).headers.get('x-ratelimit-remaining')).toBe('0');
      const refused = await client.ask('GET', '');
      expect(refused.status).toBe(403);
      expect(messageOf(refused)).toMatch(/^API rate limit exceeded for installation ID \d+\.$/);
      expect(refused.headers.get('x-ratelimit-reset')).toBe(String((now.getTime() + HOUR_MS) / 1000));
      expect((await client.ask('GET', '/rate_limit')).status).toBe(200);
      expect((await client.ask('GET', '/app', { authorization: client.appAuthorization })).status).toBe(200);
      pass(HOUR_MS);
      await client.renewToken();
      expect((await client.ask('GET', '')).status).toBe(200);
    });

    it('include a secondary limit, which says when to retry', async () => {
      github.faults.secondaryRateLimit(/^issues\//, 30);
      const refused = await client.ask('POST', 'issues/1/comments', { body: { body: 'x' } });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '30']);
      expect(messageOf(refused)).toContain('secondary rate limit');
    });
  });

  describe('a fault that a test sets', () => {
    it('affects as many requests of an operation as a test sets', async () => {
      await client.installationToken();
      github.faults.badGateway('repos/get', { times: 2 });
      const statuses: number[] = [];
      for (const path of ['branches/main', '', '', '']) statuses.push((await client.ask('GET', path)).status);
      expect(statuses).toEqual([200, 502, 502, 200]);
    });

    it('affects every request until the test ends it', async () => {
      await client.installationToken();
      github.faults.goDown();
      expect((await client.ask('GET', '')).status).toBe(502);
      github.faults.recover();
      github.faults.goDown('disconnect');
      await expect(client.ask('GET', '')).rejects.toThrow('fetch failed');
      github.faults.recover();
      expect((await client.ask('GET', '')).status).toBe(200);
    });

    it('can lose the answer after the work was done', async () => {
      repository.openPullRequest({ 'a.txt': 'a\n' });
      await client.installationToken();
      github.faults.loseAnswer('issues/create-comment');
      await expect(client.ask('POST', 'issues/1/comments', { body: { body: 'x' } })).rejects.toThrow('fetch failed');
      expect(repository.comments(1)).toHaveLength(1);
    });

    it('can delay answers, or never send them', async () => {
      await client.installationToken();
      github.faults.delay('repos/get', 50);
      const begin = performance.now();
      await client.ask('GET', '');
      expect(performance.now() - begin).toBeGreaterThan(45);
      github.faults.hang('repos/get');
      const pending = client.ask('GET', '');
      await expect(Promise.all([pending, github.close()])).rejects.toThrow('fetch failed');
      github = await GitHubDouble.start();
    });
  });

  it("counts requests by the operation names of GitHub's description", async () => {
    await client.ask('GET', '');
    await client.ask('GET', 'nothing');
    await client.ask('GET', '');
    expect(github.requests.byOperation()).toEqual({
      'repos/get': 2,
      'apps/get-repo-installation': 1,
      'apps/create-installation-access-token': 1,
      unknown: 1,
    });
    expect(github.requests.count(/^apps\//)).toBe(2);
  });
});
