import {
  type CodeHost,
  type LandOutcome,
  type LandRequest,
  type MergeMethod,
  MERGE_METHODS,
  type PullRequestAtHead,
} from '../../src/domain/code-host.port';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { ManualClock } from '../support/manual-clock';
import { connectToGitea, GITEA_WIDGETS as repository } from './gitea-host';

const NOON = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:00:01Z');
const BRANCH = 'sluice-merge/pr-1/run';

describe('merging on Gitea', () => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let clock: ManualClock;
  let release: () => void;

  beforeEach(async () => {
    double = await GiteaDouble.start();
    place = double.createRepository('acme', 'widgets');
    clock = new ManualClock(new Date());
    ({ host, release } = connectToGitea(double, { clock }));
  });

  afterEach(async () => {
    await double.close();
    release();
  });

  const open = (number: number): PullRequestAtHead => {
    const { head } = place.openPullRequest({ [`${number}.txt`]: `${number}\n` }, { number });
    const described = { title: `Change ${number}`, body: 'Because.', author: 'Ada', authorEmail: 'ada@example.com' };
    return { number, head: head.sha, headBranch: null, ...described };
  };

  /** Builds the pull requests on the present target, and lets their tests pass. */
  const tested = async (mergeMethod: MergeMethod, ...pullRequests: PullRequestAtHead[]): Promise<LandRequest> => {
    const onto = place.tip('main');
    const made = { repository, targetBranch: 'main', onto, pullRequests, mergeMethod };
    const built = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [], committedAt: NOON });
    if (built.type !== 'built') throw new Error(`not built: ${built.type}`);
    const pushed = { repository, branch: BRANCH, commit: built.commit, testRunId: 'run', requiredStatuses: ['ci'] };
    await host.pushTestingBranch(pushed);
    const landing = { expectedTip: onto, testedCommit: built.commit, testedTree: built.tree, committedAt: LATER };
    return { ...made, ...landing, testingBranches: [BRANCH] };
  };

  const show = async (landed: LandOutcome, { pullRequests }: LandRequest, number: number, landedAt = clock.now()) => {
    const { commit } = landed.type === 'landed' ? landed.commits.find((one) => one.number === number)! : { commit: '' };
    const { head } = pullRequests.find((one) => one.number === number)!;
    await host.showMerged?.(repository, { number, head, commit, targetBranch: 'main', landedAt });
  };

  const isMerged = (...numbers: number[]): boolean[] => numbers.map((number) => place.isMerged(number));
  const merges = (): number => double.requests.count('repoMergePullRequest');

  it.each(MERGE_METHODS)('pushes a run once, and marks its pull requests as merged (%s)', async (method) => {
    const request = await tested(method, open(1), open(2));
    const landed = await host.land(request);
    expect(landed).toMatchObject({ type: 'landed', tip: { commit: request.testedCommit, tree: request.testedTree } });
    expect([place.tip('main'), isMerged(1, 2), merges()]).toEqual([request.testedCommit, [true, true], 2]);
    const commits = landed.type === 'landed' ? landed.commits.map(({ commit }) => commit) : [];
    expect([1, 2].map((number) => place.pullRequest(number).merged?.commit)).toEqual(commits);
  });

  it.each(['badGateway', 'loseAnswer'] as const)(
    'succeeds if the host cannot mark a pull request as merged (%s), and marks that pull request later',
    async (trouble) => {
      const request = await tested('squash', open(1), open(2));
      double.faults[trouble]('repoMergePullRequest');
      const landed = await host.land(request);
      expect(landed).toMatchObject({ type: 'landed' });
      expect([place.tip('main'), isMerged(2)]).toEqual([request.testedCommit, [true]]);
      for (const number of [1, 2]) await show(landed, request, number);
      expect(isMerged(1, 2)).toEqual([true, true]);
    },
  );

  it('marks no pull request as merged if the host notices merges itself', async () => {
    place.record.detectsManualMerge = true;
    const request = await tested('merge_commit', open(1), open(2));
    expect(await host.land(request)).toMatchObject({ type: 'landed' });
    expect([isMerged(1, 2), merges()]).toEqual([[true, true], 0]);
  });

  it('closes a pull request that cannot be marked as merged, after half a minute, with the commit in a comment', async () => {
    place.record.allowsManualMerge = false;
    const request = await tested('squash', open(1));
    const landed = await host.land(request);
    expect(landed).toMatchObject({ type: 'landed' });
    const landedAt = clock.now();
    clock.advance(29_999);
    await expect(show(landed, request, 1, landedAt)).rejects.toMatchObject({ name: 'HostUnavailable' });
    expect(place.comments(1)).toEqual([]);
    clock.advance(1);
    for (let times = 0; times < 2; times++) await show(landed, request, 1, landedAt);
    expect(place.pullRequest(1)).toMatchObject({ state: 'closed', merged: null });
    expect(place.comments(1).map(({ body }) => body)).toEqual([expect.stringContaining(place.tip('main'))]);
  });

  it('does not mark a pull request as merged if somebody pushed to it after the merge, so no commits are lost', async () => {
    const request = await tested('squash', open(1));
    double.faults.badGateway('repoMergePullRequest');
    const landed = await host.land(request);
    place.push(1, { 'more.txt': 'more\n' });
    await show(landed, request, 1);
    expect([place.pullRequest(1).state, isMerged(1)]).toEqual(['open', [false]]);
  });

  it.each(MERGE_METHODS)(
    'merges one pull request at a time if the service may not push, and gets the tested tree (%s)',
    async (method) => {
      place.protect('main', { pushers: [] });
      expect(host.landsWholeRuns(repository, method)).toBe(true);
      const request = await tested(method, open(1), open(2));
      const landed = await host.land(request);
      expect(landed).toMatchObject({ type: 'landed', tip: { commit: place.tip('main'), tree: request.testedTree } });
      expect([isMerged(1, 2), merges()]).toEqual([[true, true], 2]);
      expect(await host.land(request)).toEqual(landed);
      expect(host.landsWholeRuns(repository, method)).toBe(false);
      clock.advance(10 * 60_000);
      expect(host.landsWholeRuns(repository, method)).toBe(true);
    },
  );

  it('leaves every merge to the server if hostMerges says so', async () => {
    release();
    ({ host, release } = connectToGitea(double, { clock, settings: { hostMerges: true } }));
    expect(host.landsWholeRuns(repository, 'squash')).toBe(false);
    const request = await tested('squash', open(1), open(2));
    expect(await host.land(request)).toMatchObject({ type: 'landed' });
    expect([isMerged(1, 2), double.requests.count('git-http/receive-pack')]).toEqual([[true, true], 1]);
  });

  it('never overrides the protection, and never asks the host to merge later when statuses succeed', async () => {
    const bodies: unknown[] = [];
    await double.close();
    release();
    double = await GiteaDouble.start({ onExchange: ({ requestBody }) => bodies.push(requestBody) });
    place = double.createRepository('acme', 'widgets');
    ({ host, release } = connectToGitea(double, { clock }));
    place.protect('main', { pushers: [] });
    const request = await tested('squash', open(1));
    expect(await host.land(request)).toMatchObject({ type: 'landed' });
    const merge = bodies.find((body) => (body as { Do?: string } | undefined)?.Do === 'squash');
    expect(Object.keys(merge as object).sort()).toEqual([
      'Do',
      'MergeMessageField',
      'MergeTitleField',
      'head_commit_id',
    ]);
  });

  it('reports that the head moved when the host noticed the push first', async () => {
    place.protect('main', { pushers: [] });
    const request = await tested('squash', open(1));
    double.faults.answer('repoMergePullRequest', 409, 'head out of date');
    expect(await host.land(request)).toMatchObject({ type: 'head_moved', number: 1 });
  });

  it.each([
    [405, 'Please try again later', 'server_error'],
    [409, 'merge push out of date', 'server_error'],
    [405, 'User not allowed to merge PR', 'no_access'],
  ])('tries again later when the host answers %i %s', async (status, message, kind) => {
    place.protect('main', { pushers: [] });
    const request = await tested('squash', open(1));
    double.faults.answer('repoMergePullRequest', status, message);
    await expect(host.land(request)).rejects.toMatchObject({ name: 'HostUnavailable', kind });
    expect(await host.land(request)).toMatchObject({ type: 'landed' });
  });

  describe('with a rule that requires statuses and names none', () => {
    beforeEach(() => place.protect('main', { contexts: [], asksStatuses: true }));

    const unmet = async (): Promise<unknown> => (await host.readPullRequest(repository, 1, 'main'))?.unmet;
    const commit = (): string => `its head ${place.headOf(1).slice(0, 7)}`;

    it("the head needs at least one status, and all its statuses except the queue's own must have passed", async () => {
      open(1);
      place.setStatus(place.headOf(1), 'Sluice Merge Queue (main)', 'pending', '', double.bot);
      expect(await unmet()).toEqual([{ words: `a status on ${commit()} (none is reported yet)`, isPending: true }]);
      place.setStatus(place.headOf(1), 'a', 'success');
      place.setStatus(place.headOf(1), 'b', 'failure');
      expect(await unmet()).toEqual([{ words: `the status "b" on ${commit()} (failed)` }]);
      place.setStatus(place.headOf(1), 'b', 'success');
      expect(await unmet()).toBeUndefined();
    });

    it("the queue's own status does not block the host's own merge", async () => {
      place.protect('main', { contexts: [], asksStatuses: true, pushers: [] });
      const one = open(1);
      place.setStatus(one.head, 'a', 'success');
      place.setStatus(one.head, 'Sluice Merge Queue (main)', 'pending', '', double.bot);
      const request = await tested('squash', one);
      expect(await host.land(request)).toMatchObject({ type: 'landed' });
      expect(isMerged(1)).toEqual([true]);
    });
  });

  describe('traps', () => {
    it('a push checks no reviews: the host reads the official reviews directly before it pushes', async () => {
      place.protect('main', { approvals: 1, pushers: [double.bot] });
      place.changePermission('grace', 'write');
      const request = await tested('squash', open(1));
      const lacks = { type: 'pull_request_changed', seen: { number: 1, mergeability: 'not_mergeable' } };
      expect(await host.land(request)).toMatchObject(lacks);
      place.review(1, 'APPROVED', 'mallory');
      expect(await host.land(request)).toMatchObject(lacks);
      place.review(1, 'APPROVED').dismissed = true;
      expect(await host.land(request)).toMatchObject(lacks);
      place.review(1, 'APPROVED').stale = true;
      expect(await host.land(request)).toMatchObject(lacks);
      place.review(1, 'APPROVED');
      place.changePermission('edsger', 'write');
      place.review(1, 'REQUEST_CHANGES', 'edsger');
      expect(await host.land(request)).toMatchObject(lacks);
      expect(place.tip('main')).toBe(request.expectedTip);
      place.review(1, 'APPROVED', 'edsger');
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ approvedBy: ['grace', 'edsger'] });
      expect(await host.land(request)).toMatchObject({ type: 'landed' });
    });

    it("the rule's options for stale approvals and rejections count if they are readable", async () => {
      place.protect('main', { approvals: 1, pushers: [double.bot] });
      place.changePermission(double.bot, 'admin');
      place.changePermission('grace', 'write');
      place.changePermission('edsger', 'write');
      const request = await tested('squash', open(1));
      place.review(1, 'APPROVED').stale = true;
      place.review(1, 'REQUEST_CHANGES', 'edsger');
      expect(await host.land(request)).toMatchObject({ type: 'landed' });
    });

    it('a push checks no statuses: the host reads statuses for which the queue did not wait before it pushes', async () => {
      place.protect('main', { contexts: ['ci', 'lint / *'], pushers: [double.bot] });
      const one = open(1);
      const request = await tested('squash', one);
      const landing = { ...request, reports: { commit: request.testedCommit ?? '', names: ['ci'] } };
      expect(await host.land(landing)).toMatchObject({ type: 'not_yet', number: 1 });
      place.setStatus(request.testedCommit ?? '', 'lint / go', 'warning');
      expect(await host.land(landing)).toMatchObject({ type: 'refused', byRule: true });
      place.setStatus(request.testedCommit ?? '', 'lint / go', 'success');
      expect(await host.land(landing)).toMatchObject({ type: 'landed' });
    });

    it('6 and 20: the doctor says that the service has no signing key, and which names need testing pull requests', async () => {
      place.protect('main', {
        demandsSignatures: true,
        contexts: ['ci / test (pull_request)'],
        pushers: [double.bot],
      });
      place.changePermission(double.bot, 'admin');
      const queues = [{ targetBranch: 'main', mergeMethod: 'squash' as const }];
      const about = { host: repository.host, brand: 'sluice', publicUrl: 'https://sluice.example' };
      const findings = await host.examine?.({ ...about, repositories: [{ repository, queues }] });
      expect(findings?.map(({ verdict, what }) => `${verdict}: ${what}`)).toEqual(
        expect.arrayContaining([
          'problem: demands signed commits, and the service has no key to sign them',
          'ok: demands "ci / test (pull_request)"',
        ]),
      );
    });

    it('the doctor reports a problem if the host does not answer', async () => {
      double.faults.goDown();
      const about = { host: repository.host, brand: 'sluice', publicUrl: 'https://sluice.example' };
      expect(await host.examine?.({ ...about, repositories: [] })).toContainEqual({
        verdict: 'problem',
        about: repository.host,
        what: expect.stringMatching(/^does not answer: /) as string,
        advice: 'Check the entry of the code host in SLUICE_HOSTS, its token and the network from here.',
      });
    });

    it('21: a protection rule for testing branches stops no merge', async () => {
      const request = await tested('squash', open(1));
      place.protect('sluice-merge/**', { pushers: [double.bot] });
      expect(await host.land(request)).toMatchObject({ type: 'landed' });
      expect([isMerged(1), place.branches().includes(BRANCH)]).toEqual([[true], true]);
    });

    it('`mergeable: false`, which the server also answers while it still checks, is no conflict', async () => {
      place.record.checkingReads = Infinity;
      open(1);
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ mergeability: 'mergeable' });
    });

    it('7 and 9: the newest status of a name counts, of two workflows the worse status, and a warning is a failure', async () => {
      const { head } = open(1);
      place.setStatus(head, 'ci', 'failure', 'https://gitea.example/acme/widgets/actions/runs/1/jobs/0');
      place.setStatus(head, 'ci', 'success', 'https://gitea.example/acme/widgets/actions/runs/2/jobs/0');
      place.setStatus(head, 'lint', 'warning');
      place.setStatus(head, 'docs', 'failure');
      place.setStatus(head, 'docs', 'skipped');
      const states = async (): Promise<Record<string, string>> =>
        Object.fromEntries((await host.readStatuses(repository, head)).map(({ name, state }) => [name, state]));
      expect(await states()).toEqual({ ci: 'failure', lint: 'failure', docs: 'skipped' });
      place.setStatus(head, 'ci', 'success', 'https://gitea.example/acme/widgets/actions/runs/1/jobs/0');
      expect((await states()).ci).toBe('success');
    });

    it('8: a failed, skipped, pending or errored status has the same state in Sluice', async () => {
      const { head } = open(1);
      for (const state of ['failure', 'skipped', 'pending', 'error'] as const) place.setStatus(head, state, state);
      const states = (await host.readStatuses(repository, head)).map(({ name, state }) => [name, state]);
      expect(states.toSorted()).toEqual(['error', 'failure', 'pending', 'skipped'].map((one) => [one, one]));
    });

    it('10: statuses are read from all pages, even if the pages are short', async () => {
      const { head } = open(1);
      for (let at = 0; at < 120; at++) place.setStatus(head, `ci ${at}`, 'success');
      expect(await host.readStatuses(repository, head)).toHaveLength(120);
      expect(double.requests.count('repoListStatusesByRef')).toBe(3);
    });

    it('11: the head branch is null if the head is only a ref, and is prefixed with the owner if it is in a fork', async () => {
      open(1);
      const fork = double.fork(place, 'grace');
      place.openPullRequest({ '2.txt': '2\n' }, { number: 2, fork });
      place.pullRequest(1).head = { ...place.pullRequest(1).head, branch: null };
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ headBranch: null });
      expect(await host.readPullRequest(repository, 2, 'main')).toMatchObject({ headBranch: 'grace:change-2' });
    });

    it('12: merging does not request the server version: Forgejo is Gitea with another number', async () => {
      const request = await tested('squash', open(1));
      expect(await host.land(request)).toMatchObject({ type: 'landed' });
      expect(double.requests.count('getVersion')).toBe(0);
    });

    it('14: no error text contains the token', async () => {
      double.revokeTokens();
      const words = expect.not.stringMatching(/[0-9a-f]{40}/) as string;
      const refused = { kind: 'no_access', message: words };
      await expect(host.readBranch(repository, 'main')).rejects.toMatchObject(refused);
      await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject(refused);
    });

    it('17: no head branch is removed together with the merge', async () => {
      const request = await tested('squash', open(1));
      await host.land(request);
      expect(place.branches()).toContain('change-1');
    });

    it('22: every testing branch is pushed separately, because Gitea loses events for many refs in one push', async () => {
      const commit = (await tested('squash', open(1))).testedCommit ?? '';
      double.requests.clear();
      const push = (branch: string) =>
        host.pushTestingBranch({ repository, branch, commit, testRunId: 'run', requiredStatuses: ['ci'] });
      const branches = [1, 2, 3, 4, 5].map((run) => `sluice-merge/pr-1/${run}`);
      await Promise.all(branches.map(push));
      expect(place.branches()).toEqual(expect.arrayContaining(branches));
      expect(double.requests.count('git-http/receive-pack')).toBe(branches.length);
    });

    it('a renamed repository gets no writes under its old name', async () => {
      const request = await tested('squash', open(1));
      place.renameTo('gadgets');
      expect(await host.findRepository(repository)).toBe('unknown');
      await expect(host.land(request)).rejects.toMatchObject({ name: 'HostUnavailable' });
      await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject({ kind: 'another_repository' });
      expect(place.tip('main')).toBe(request.expectedTip);
    });

    it('19: a refused token is not tried for a minute, and then by one request only', async () => {
      const { head } = open(1);
      const giveBack = double.revokeTokens();
      double.requests.clear();
      const ask = (): Promise<unknown>[] => [
        host.readPullRequest(repository, 1, 'main'),
        host.readStatuses(repository, head),
        host.readBranch(repository, 'main'),
      ];
      const refusals = async (): Promise<number> => {
        for (const result of await Promise.allSettled(ask())) expect(result.status).toBe('rejected');
        return double.requests.all.filter(({ status }) => status === 401).length;
      };
      const first = await refusals();
      clock.advance(59_000);
      expect(await refusals()).toBe(first);
      clock.advance(1_000);
      expect(await refusals()).toBe(first + 1);
      clock.advance(119_000);
      expect(await refusals()).toBe(first + 1);
      giveBack();
      clock.advance(1_000);
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ number: 1 });
    });

    it('a rate limit is obeyed until the time that the server names', async () => {
      open(1);
      double.faults.answer('repoGetPullRequest', 429, 'slow down', { headers: { 'retry-after': '30' } });
      const limited = { kind: 'rate_limited', retryAt: new Date(clock.now().getTime() + 30_000) };
      await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject(limited);
      await expect(host.readPullRequest(repository, 1, 'main')).rejects.toMatchObject(limited);
      clock.advance(30_000);
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ number: 1 });
      expect(double.requests.count('repoGetPullRequest')).toBe(2);
    });
  });
});
