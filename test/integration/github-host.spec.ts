import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CodeHost } from '../../src/domain/code-host.port';
import { TokenCredentials } from '../../src/code-hosts/github/client/credentials';
import { GitHubApi } from '../../src/code-hosts/github/client/github-api';
import { RateGate } from '../../src/code-hosts/github/client/rate-gate';
import { Transport } from '../../src/code-hosts/github/client/transport';
import { readPullRequestStates } from '../../src/code-hosts/github/reading/open-pull-requests';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { ManualClock } from '../support/manual-clock';
import { type Connection, connectTo, GITHUB_HOST, GITHUB_WIDGETS, checkedByContract } from '../contract/github-host';

const START = new Date('2026-11-20T12:00:00.000Z');

describe('a repository on GitHub', () => {
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

  const read = (number: number) => host.readPullRequest(GITHUB_WIDGETS, number, 'main');

  it('is found in any letter case, but not where the app is not installed', async () => {
    expect(await host.findRepository({ ...GITHUB_WIDGETS, owner: 'ACME', name: 'Widgets' })).toBe('found');
    expect(await host.findRepository({ ...GITHUB_WIDGETS, name: 'gadgets' })).toBe('unknown');
    expect(await host.findRepository({ ...GITHUB_WIDGETS, owner: 'grace' })).toBe('unknown');
  });

  describe('shows a pull request:', () => {
    it('title, description and author', async () => {
      const { number, head } = repository.openPullRequest(
        { 'a.txt': 'a\n' },
        { title: 'Add a', body: 'It is due.', by: 'ada' },
      );
      const { id } = github.state.accounts.of('ada');
      expect(await read(number)).toEqual({
        number,
        title: 'Add a',
        body: 'It is due.',
        author: 'ada',
        authorEmail: `${id}+ada@users.noreply.${GITHUB_HOST}`,
        url: `${github.gitUrl}/acme/widgets/pull/${number}`,
        head: head.sha,
        headBranch: `change-${number}`,
        base: 'main',
        state: 'open',
        draft: false,
        mergeability: 'in_progress',
        observedAt: START,
      });
    });

    it('whether it can be merged, once GitHub has computed the answer', async () => {
      repository.openPullRequest({ 'README.md': 'mine\n' }, { number: 1 });
      repository.answerUnknown(2);
      const answers = [await read(1), await read(1), await read(1)];
      expect(answers.map((seen) => seen?.mergeability)).toEqual(['in_progress', 'in_progress', 'mergeable']);
      repository.pushToBranch('main', { 'README.md': 'theirs\n' });
      await read(1);
      await read(1);
      expect(await read(1)).toMatchObject({ mergeability: 'not_mergeable' });
    });

    it('that it cannot be merged while it lacks approvals that a ruleset requires', async () => {
      repository.changePermission('grace', 'write');
      repository.changePermission('mary', 'write');
      repository.openPullRequest({ 'a.txt': 'a\n' }, { number: 1 });
      repository.answerUnknown(0);
      const said = async (): Promise<unknown> => (await read(1))?.mergeability;
      repository.protect('main', { kind: 'ruleset', requiredContexts: ['ci'] });
      expect(await said()).toBe('mergeable');
      repository.protect('main', { kind: 'ruleset', requiredApprovals: 1, bypass: [github.bot] });
      expect(await said()).toBe('not_mergeable');
      repository.review(1, 'APPROVED', 'stranger');
      expect(await said()).toBe('not_mergeable');
      repository.review(1, 'APPROVED', 'grace');
      repository.review(1, 'CHANGES_REQUESTED', 'mary');
      expect(await said()).toBe('not_mergeable');
      repository.review(1, 'APPROVED', 'mary');
      expect(await said()).toBe('mergeable');
    });

    it('that it is a draft, was closed, has another base or was merged', async () => {
      for (const number of [1, 2, 3, 4]) repository.openPullRequest({ [`${number}.txt`]: 'x\n' }, { number });
      repository.setBranch('stable', repository.tip('main'));
      repository.convertToDraft(1);
      repository.closePullRequest(2);
      repository.changeBase(3, 'stable');
      repository.merge(4, 'squash');
      expect(await read(1)).toMatchObject({ draft: true, state: 'open' });
      expect(await read(2)).toMatchObject({ draft: false, state: 'closed', mergeability: 'unspecified' });
      expect(await read(3)).toMatchObject({ base: 'stable', state: 'open' });
      expect(await read(4)).toMatchObject({ state: 'merged' });
    });

    it('its branch with the owner if it comes from a fork', async () => {
      const fork = github.fork(repository, 'grace');
      const { number } = repository.openPullRequest({ 'a.txt': 'a\n' }, { fork, by: 'grace', branch: 'fix' });
      expect(await read(number)).toMatchObject({ headBranch: 'grace:fix', author: 'grace' });
      expect(await host.findPullRequestsByBranch(GITHUB_WIDGETS, 'grace:fix')).toEqual([number]);
      expect(await host.findPullRequestsByBranch(GITHUB_WIDGETS, 'fix')).toEqual([]);
    });

    it('nothing: null for a number that does not exist', async () => {
      expect(await read(99)).toBeNull();
      expect(await read(0)).toBeNull();
    });
  });

  it('finds pull requests by branch: open pull requests first, and newer before older', async () => {
    repository.setBranch('stable', repository.tip('main'));
    repository.openPullRequest({ 'a.txt': 'x\n' }, { number: 1, branch: 'fix' });
    repository.closePullRequest(1);
    repository.openPullRequest({ 'a.txt': 'y\n' }, { number: 2, branch: 'fix' });
    clock.advance(1_000);
    repository.openPullRequest({ 'a.txt': 'z\n' }, { number: 3, branch: 'fix', base: 'stable' });
    repository.closePullRequest(3);
    expect(await host.findPullRequestsByBranch(GITHUB_WIDGETS, 'fix')).toEqual([2, 3, 1]);
    expect(await host.findPullRequestsByBranch(GITHUB_WIDGETS, 'nothing')).toEqual([]);
  });

  describe('requires for a branch', () => {
    it("the statuses of the branch's protection and of its rulesets, each once", async () => {
      repository.protect('main', { requiredContexts: ['build', 'lint'] });
      repository.protect('main', { kind: 'ruleset', requiredContexts: ['lint', 'e2e'] });
      expect(await host.readProtectedStatuses(GITHUB_WIDGETS, 'main')).toEqual(['build', 'lint', 'e2e']);
    });

    it('the statuses of its protection only, if rulesets are unavailable', async () => {
      repository.protect('main', { requiredContexts: ['build'] });
      github.faults.answer('repos/get-branch-rules', 403, 'Upgrade to GitHub Pro to enable this feature.');
      expect(await host.readProtectedStatuses(GITHUB_WIDGETS, 'main')).toEqual(['build']);
    });

    it('nothing without protection and rulesets, or without the branch', async () => {
      expect(await host.readProtectedStatuses(GITHUB_WIDGETS, 'main')).toEqual([]);
      expect(await host.readProtectedStatuses(GITHUB_WIDGETS, 'gone')).toEqual([]);
    });
  });

  describe('knows for a commit', () => {
    it('the newest status and check run of every name', async () => {
      const commit = repository.tip('main');
      repository.setStatus(commit, 'ci', 'pending');
      clock.advance(1_000);
      repository.setStatus(commit, 'ci', 'success', { targetUrl: 'https://ci.example/1', description: 'All good' });
      repository.setCheckRun(commit, 'lint', 'in_progress');
      repository.setCheckRun(commit, 'e2e', 'timed_out');
      const reports = await host.readStatuses(GITHUB_WIDGETS, commit);
      const common = { repositoryId: GITHUB_WIDGETS.id, sha: commit };
      expect(reports.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
        expect.objectContaining({ ...common, kind: 'status', name: 'ci', state: 'success', description: 'All good' }),
        expect.objectContaining({ ...common, kind: 'check_run', name: 'e2e', state: 'timed_out' }),
        expect.objectContaining({ ...common, kind: 'check_run', name: 'lint', state: 'pending' }),
      ]);
      expect(reports.find(({ name }) => name === 'ci')).toMatchObject({
        url: 'https://ci.example/1',
        hostTime: new Date(START.getTime() + 1_000),
      });
    });

    it('all statuses and check runs, even on many pages', async () => {
      const commit = repository.tip('main');
      for (let n = 0; n < 130; n++) repository.setStatus(commit, `status ${n}`, 'success');
      for (let n = 0; n < 120; n++) repository.setCheckRun(commit, `check ${n}`, 'success');
      const names = (await host.readStatuses(GITHUB_WIDGETS, commit)).map(({ name }) => name);
      expect(new Set(names).size).toBe(250);
    });

    it('that the end of a check run comes after its beginning, even within one second', async () => {
      const commit = repository.tip('main');
      repository.setCheckRun(commit, 'lint', 'in_progress');
      const [begun] = await host.readStatuses(GITHUB_WIDGETS, commit);
      repository.setCheckRun(commit, 'lint', 'failure');
      const [ended] = await host.readStatuses(GITHUB_WIDGETS, commit);
      expect(ended?.state).toBe('failure');
      expect(ended?.hostTime).toEqual(begun?.hostTime);
      expect((ended?.hostId ?? '') > (begun?.hostId ?? '')).toBe(true);
    });

    it('nothing if the commit does not exist', async () => {
      expect(await host.readStatuses(GITHUB_WIDGETS, '1'.repeat(40))).toEqual([]);
      expect(await host.readStatuses(GITHUB_WIDGETS, 'main')).toEqual([]);
    });
  });

  describe('that is polled', () => {
    it('shows heads, bases and drafts of open pull requests, in one API request', async () => {
      const one = repository.openPullRequest({ '1.txt': 'x\n' }, { number: 1, draft: true });
      repository.openPullRequest({ '2.txt': 'x\n' }, { number: 2 });
      repository.closePullRequest(2);
      const state = await host.readState(GITHUB_WIDGETS, ['main'], [1, 2]);
      expect([...state.pullRequestHeads]).toEqual([
        [1, one.head.sha],
        [2, null],
      ]);
      expect(state.pullRequestTraits?.get(1)).toEqual({ base: 'main', draft: true });
      expect(github.requests.count('pulls/list')).toBe(1);
      expect(github.requests.count(/^(pulls\/get|repos\/get)/)).toBe(0);
    });

    it('uses no rate limit while nothing changes', async () => {
      repository.openPullRequest({ '1.txt': 'x\n' }, { number: 1 });
      await host.readState(GITHUB_WIDGETS, ['main'], [1]);
      github.requests.clear();
      await host.readState(GITHUB_WIDGETS, ['main'], [1]);
      const asked = github.requests.all.filter(({ operation }) => !operation.startsWith('git-http'));
      expect(asked.map(({ operation, status }) => [operation, status])).toEqual([['pulls/list', 304]]);
    });

    it('finds pull requests beyond the first page, and reads no more pages than needed', async () => {
      const pages = await servePages(350);
      const transport = new Transport(GITHUB_HOST, pages.url);
      const gate = new RateGate(GITHUB_HOST, clock);
      const credentials = new TokenCredentials('any', { transport, gate });
      const api = new GitHubApi({ transport, gate, credentials, identities: null, clock });
      const seen = await readPullRequestStates(api, GITHUB_WIDGETS, [1, 150]);
      expect([...seen.pullRequestHeads]).toEqual([
        [1, 'head of 1'],
        [150, 'head of 150'],
      ]);
      expect(pages.asked).toEqual(['1', '2']);
      expect((await readPullRequestStates(api, GITHUB_WIDGETS, [999])).pullRequestHeads.get(999)).toBeNull();
      expect(pages.asked).toEqual(['1', '2', '1', '2', '3', '4']);
      pages.close();
    });
  });
});

/** Starts a server that only answers the list of open pull requests, with this many of them. */
async function servePages(count: number): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
    asked.push(String(page));
    const numbers = Array.from({ length: count }, (_, index) => index + 1).slice((page - 1) * size, page * size);
    const head = (number: number) => ({
      number,
      head: { sha: `head of ${number}` },
      base: { ref: 'main' },
      draft: false,
    });
    if (page * size < count) response.setHeader('link', `<http://localhost/?page=${page + 1}>; rel="next"`);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(numbers.map(head)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}
