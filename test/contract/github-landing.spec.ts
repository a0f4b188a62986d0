import {
  type CodeHost,
  type LandRequest,
  type LandOutcome,
  MERGE_METHODS,
  type MergeMethod,
  type PullRequestAtHead,
} from '../../src/domain/code-host.port';
import { landToTheEnd } from '../../src/testing/contract/land-to-the-end';
import { ManualClock } from '../support/manual-clock';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { connectTo, GITHUB_WIDGETS as repository } from './github-host';

const NOON = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:00:01Z');

describe('merging on GitHub', () => {
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let host: CodeHost;
  let connection: ReturnType<typeof connectTo>;

  beforeEach(async () => {
    double = await GitHubDouble.start();
    place = double.createRepository('acme', 'widgets');
    place.answerUnknown(0);
    connection = connectTo(double);
    ({ host } = connection);
  });

  afterEach(async () => {
    await double.close();
    connection.release();
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
    await host.pushTestingBranch({
      ...{ repository, branch: 'sluice-merge/pr-1/run', commit: built.commit },
      ...{ testRunId: 'run', requiredStatuses: ['ci'] },
    });
    const landing = { expectedTip: onto, testedCommit: built.commit, testedTree: built.tree, committedAt: LATER };
    return { ...made, ...landing, testingBranches: ['sluice-merge/pr-1/run'] };
  };

  const land = (request: LandRequest) => landToTheEnd(host, request);

  const isMerged = (...numbers: number[]): boolean[] =>
    numbers.map((number) => place.pullRequest(number).merged !== null);
  const merges = (): number => double.requests.byOperation()['pulls/merge-async'] ?? 0;

  it('promises to merge whole runs with merge commits only', () => {
    const whole = MERGE_METHODS.filter((method) => host.landsWholeRuns(repository, method));
    expect(whole).toEqual(['merge_commit']);
  });

  it('pushes exactly the tested merge commits, once', async () => {
    const request = await tested('merge_commit', open(1), open(2));
    const outcome = await land(request);
    expect(outcome).toMatchObject({ type: 'landed', tip: { commit: request.testedCommit, tree: request.testedTree } });
    expect(place.tip('main')).toBe(request.testedCommit);
    expect([isMerged(1, 2), merges()]).toEqual([[true, true], 0]);
  });

  it.each(['squash', 'rebase'] as const)(
    'merges with the merge button, one pull request at a time, for %s, and gets the tested tree',
    async (method) => {
      const request = await tested(method, open(1), open(2));
      const outcome = await land(request);
      expect(outcome).toMatchObject({ type: 'landed', tip: { commit: place.tip('main'), tree: request.testedTree } });
      expect([isMerged(1, 2), merges()]).toEqual([[true, true], 2]);
      expect(await land(request)).toEqual(outcome);
      expect(merges()).toBe(2);
    },
  );

  it('merges with the merge button if the app may not push to the target', async () => {
    place.protect('main', { requiredContexts: ['ci'] });
    const request = await tested('merge_commit', open(1), open(2));
    for (const { head } of request.pullRequests) place.setStatus(head, 'ci', 'success');
    expect(await land(request)).toMatchObject({ type: 'landed', tip: { tree: request.testedTree } });
    expect([isMerged(1, 2), merges()]).toEqual([[true, true], 2]);
    const again = await tested('merge_commit', open(3));
    place.setStatus(again.pullRequests[0]!.head, 'ci', 'success');
    const pushes = (): number => double.requests.byOperation()['git-http/receive-pack'] ?? 0;
    const before = pushes();
    expect(await land(again)).toMatchObject({ type: 'landed' });
    expect([merges(), pushes()]).toEqual([3, before]);
  });

  it('tries again after ten minutes whether the app may push to the target', async () => {
    const clock = new ManualClock(new Date());
    connection.release();
    connection = connectTo(double, { clock });
    ({ host } = connection);
    const pushes = (): number => double.requests.byOperation()['git-http/receive-pack'] ?? 0;
    place.protect('main', { requiredContexts: ['ci'] });
    const landOne = async (number: number): Promise<number> => {
      const landing = await tested('merge_commit', open(number));
      place.setStatus(landing.pullRequests[0]!.head, 'ci', 'success');
      const before = pushes();
      expect(await land(landing)).toMatchObject({ type: 'landed' });
      return pushes() - before;
    };
    expect(await landOne(1)).toBe(1);
    clock.advance(10 * 60_000 - 1);
    expect(await landOne(2)).toBe(0);
    clock.advance(1);
    expect(await landOne(3)).toBe(1);
  });

  it('reports which part of a run is merged if GitHub refuses the next pull request, also when asked again', async () => {
    const request = await tested('squash', open(1), open(2), open(3));
    place.failNextMerge('A review is missing.');
    expect(await land(request)).toEqual({ type: 'refused', number: 1, why: 'A review is missing.' });
    expect(isMerged(1, 2, 3)).toEqual([false, false, false]);

    const firstTwo = { ...request, pullRequests: request.pullRequests.slice(0, 2), testedTree: null };
    const landed = await land(firstTwo);
    const tip = { commit: place.tip('main'), tree: await host.readTree(repository, place.tip('main')) };
    expect(landed).toMatchObject({ type: 'landed', tip, commits: [{ number: 1 }, { number: 2, ...tip }] });
    place.failNextMerge('A review is missing.');
    expect(await land(request)).toEqual({
      type: 'landed_partly',
      tip,
      commits: (landed as Extract<LandOutcome, { type: 'landed' }>).commits,
      because: { type: 'refused', number: 3, why: 'A review is missing.' },
    });
  });

  it('reads the target last, so that a push while the pull request is read prevents the merge', async () => {
    const request = await tested('squash', open(1));
    const push = () => void place.pushToBranch('main', { 'outside.txt': 'x\n' });
    // The service reads the pull request together with its run, and then a second time. The push happens before the
    // second read.
    double.faults.before('pulls/get', () => double.faults.before('pulls/get', push));
    expect(await land(request)).toEqual({
      type: 'target_moved',
      tip: await host.readBranch(repository, 'main'),
    });
    expect([isMerged(1), merges()]).toEqual([[false], 0]);
  });

  it('reports a push to the target between two merges, because the merge button does not check the target', async () => {
    const request = await tested('squash', open(1));
    place.pushToBranch('main', { 'outside.txt': 'x\n' });
    place.merge(1, 'squash');
    const inLanes = { ...request, testedTree: null };
    expect(await land(inLanes)).toMatchObject({
      type: 'landed',
      isMixed: true,
      tip: { commit: place.tip('main') },
    });
  });

  it.each(['squash', 'rebase'] as const)(
    'reports the files that GitHub left out of a %s, and merges nothing onto that commit',
    async (method) => {
      const request = await tested(method, open(1), open(2));
      place.leaveOut('README.md');
      const outcome = await land(request);
      const found = await host.readBranch(repository, 'main');
      const wrong = { number: 1, commit: found?.commit, found: found?.tree, files: ['README.md'] };
      expect(outcome).toMatchObject({ type: 'landed_partly', commits: [{ number: 1 }], wrongTrees: [wrong] });
      const [{ patch } = { patch: null }] = outcome.type === 'landed_partly' ? (outcome.wrongTrees ?? []) : [];
      expect(patch).toContain('+++ b/README.md');
      expect([isMerged(1, 2), merges()]).toEqual([[true, false], 1]);
    },
  );

  it('reports the files that GitHub left out of the last pull request of a run', async () => {
    const request = await tested('squash', open(1));
    place.leaveOut('README.md', '1.txt');
    const outcome = await land(request);
    expect(outcome).toMatchObject({ type: 'landed', wrongTrees: [{ number: 1, files: ['1.txt', 'README.md'] }] });
    expect(outcome).not.toHaveProperty('isMixed');
    expect(await land(request)).toEqual(outcome);
  });

  it('requires a manual rebase if GitHub can merge but not rebase a branch, for the merge method rebase alone', async () => {
    place.openPullRequest({ 'a.txt': 'one\n' }, { number: 1 });
    place.push(1, { 'a.txt': 'two\n' });
    place.pushToBranch('main', { 'a.txt': 'two\n' });
    const read = (method: MergeMethod) => host.readPullRequest(repository, 1, 'main', method);
    expect(await read('squash')).toMatchObject({ mergeability: 'mergeable' });
    const unmet = [{ words: expect.stringContaining('a branch that GitHub can rebase') as string }];
    expect(await read('rebase')).toMatchObject({ mergeability: 'not_mergeable', unmet });
  });

  it('refuses a pull request that GitHub merges differently from git, before any test', async () => {
    const one = open(1);
    const { world } = place.record;
    const tree = world.inBare('rev-parse', 'main^{tree}');
    const wrong = world.inBare('commit-tree', tree, '-p', place.tip('main'), '-p', one.head, '-m', 'test merge');
    world.setRef('refs/pull/1/merge', wrong);
    await expect(tested('squash', one)).rejects.toThrow('not built: refused');
    // A test merge on an older target does not count.
    place.pushToBranch('main', { 'outside.txt': 'x\n' });
    world.setRef('refs/pull/1/merge', wrong);
    await expect(tested('squash', one)).resolves.toMatchObject({ mergeMethod: 'squash' });
  });

  it('tells files that GitHub left out from files of a push in between', async () => {
    const request = await tested('squash', open(1));
    place.pushToBranch('main', { 'outside.txt': 'x\n' });
    place.leaveOut('1.txt');
    place.merge(1, 'squash');
    const outcome = await land({ ...request, testedTree: null });
    expect(outcome).toMatchObject({ type: 'landed', wrongTrees: [{ number: 1, files: ['1.txt'] }] });
  });

  it('merges no further pull request of a run if somebody pushed to the target after the first merge', async () => {
    const request = await tested('squash', open(1), open(2));
    double.faults.before('pulls/merge-async', () => place.pushToBranch('main', { 'outside.txt': 'x\n' }));
    const landed = await land(request);
    const because = { type: 'target_moved', tip: await host.readBranch(repository, 'main') };
    const stopped = { type: 'landed_partly', commits: [{ number: 1 }], because };
    expect(landed).toMatchObject(stopped);
    // The process died before it could report the outcome.
    expect(await land(request)).toMatchObject(stopped);
    expect(isMerged(1, 2)).toEqual([true, false]);
  });

  it('continues after a lost answer, and merges nothing twice', async () => {
    const request = await tested('squash', open(1), open(2));
    double.faults.loseAnswer('pulls/merge-async');
    await expect(land(request)).rejects.toMatchObject({ name: 'HostUnavailable' });
    expect(isMerged(1, 2)).toEqual([true, false]);
    expect(await land(request)).toMatchObject({ type: 'landed', commits: [{ number: 1 }, { number: 2 }] });
    // The mock counts only the requests that it answered.
    expect(merges()).toBe(1);
  });

  it.each(['merge_commit', 'squash'] as const)(
    'reports that a %s was merged if another process merged it directly before the read',
    async (mergeMethod) => {
      const request = await tested(mergeMethod, open(1));
      double.faults.before('pulls/get', () => {
        if (mergeMethod === 'squash') place.merge(1, 'squash');
        else place.setBranch('main', request.testedCommit!);
      });
      expect(await land(request)).toMatchObject({ type: 'landed', commits: [{ number: 1 }] });
      expect([isMerged(1), place.tip('main')]).toEqual([[true], (await host.readBranch(repository, 'main'))?.commit]);
    },
  );

  it.each([
    'Base branch was modified. Review and try the merge again.',
    'Merge already in progress',
    'You are not authorized to push to this branch. Visit https://docs.github.com for more information.',
  ])('tries again later if GitHub says: %s', async (message) => {
    const request = await tested('squash', open(1));
    place.failNextMerge(message);
    await expect(land(request)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'server_error' });
    expect(await land(request)).toMatchObject({ type: 'landed' });
  });

  it("attack 13: says in GitHub's words that the service may not merge, and merges once the service may", async () => {
    const request = await tested('squash', open(1));
    double.faults.answer('pulls/merge-async', 403, 'Resource not accessible by integration');
    const refusal = expect.stringContaining('#1: Resource not accessible by integration') as string;
    await expect(land(request)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'no_access', refusal });
    expect(await land(request)).toMatchObject({ type: 'landed' });
  });

  it('merges nothing if one pull request of the run was pushed to, closed or made a draft', async () => {
    const first = open(1);
    const second = open(2);
    const third = open(3);
    const request = await tested('squash', first, second, third);
    const seen = place.push(3, { '3.txt': 'other\n' });
    expect(await land(request)).toEqual({ type: 'head_moved', number: 3, head: seen });
    place.convertToDraft(2);
    expect(await land(request)).toMatchObject({ type: 'pull_request_changed', seen: { number: 2, draft: true } });
    place.closePullRequest(1);
    expect(await land(request)).toMatchObject({
      type: 'pull_request_changed',
      seen: { number: 1, state: 'closed' },
    });
    expect([place.tip('main'), merges()]).toEqual([request.expectedTip, 0]);
  });

  describe('attack 1: a pull request that is aimed at another branch', () => {
    it('does not count as merged if its base is changed between the last read and the merge', async () => {
      const request = await tested('squash', open(1));
      place.setBranch('release', request.expectedTip);
      double.faults.before('pulls/merge-async', () => place.changeBase(1, 'release'));
      const elsewhere = { type: 'pull_request_changed', seen: { number: 1, state: 'merged', base: 'release' } };
      expect(await land(request)).toMatchObject(elsewhere);
      expect(place.tip('main')).toBe(request.expectedTip);
      // The process died before it could report the outcome.
      expect(await land(request)).toMatchObject(elsewhere);
    });

    it('stops the rest of its run', async () => {
      const request = await tested('squash', open(1), open(2), open(3));
      place.setBranch('release', request.expectedTip);
      double.faults.before('pulls/merge-async', () => place.changeBase(2, 'release'));
      expect(await land(request)).toMatchObject({
        type: 'landed_partly',
        commits: [{ number: 1 }],
        because: { type: 'pull_request_changed', seen: { number: 2, state: 'open', base: 'release' } },
      });
    });

    it('is not merged into its new base when a merge whose answer was lost is tried again', async () => {
      const request = await tested('squash', open(1), open(2));
      place.setBranch('release', request.expectedTip);
      double.faults.loseAnswer('pulls/merge-async');
      await expect(land(request)).rejects.toMatchObject({ name: 'HostUnavailable' });
      place.changeBase(2, 'release');
      expect(await land(request)).toMatchObject({ type: 'landed_partly', commits: [{ number: 1 }] });
      expect([isMerged(2), place.tip('release')]).toEqual([[false], request.expectedTip]);
    });
  });

  it('reports a push to the head that GitHub noticed first', async () => {
    const request = await tested('squash', open(1));
    double.faults.before('pulls/merge-async', () => void place.push(1, { '1.txt': 'other\n' }));
    expect(await land(request)).toMatchObject({ type: 'head_moved', number: 1, head: place.headOf(1) });
  });

  it.each(['merge_commit', 'squash'] as const)(
    'merges nothing onto a target that somebody moved (%s)',
    async (method) => {
      const request = await tested(method, open(1));
      const tip = place.pushToBranch('main', { 'outside.txt': 'x\n' });
      const outcome: LandOutcome = await land(request);
      expect(outcome).toMatchObject({ type: 'target_moved', tip: { commit: tip } });
      expect(isMerged(1)).toEqual([false]);
    },
  );
});
