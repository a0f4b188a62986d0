import type {
  AskedMerges,
  CodeHost,
  LandOutcome,
  LandRequest,
  MergeMethod,
  PullRequestAtHead,
} from '../../src/domain/code-host.port';
import { landToTheEnd } from '../../src/testing/contract/land-to-the-end';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { ManualClock } from '../support/manual-clock';
import { checkedByContract, connectTo, GITHUB_WIDGETS as repository } from './github-host';

const ASK = 'pulls/merge-async';
const STACK = 'pull-request-stacks/get';

describe('stacks of GitHub', () => {
  let clock: ManualClock;
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let host: CodeHost;
  let connection: ReturnType<typeof connectTo>;
  let kept: { asked: AskedMerges | null };
  const exchanges = checkedByContract();

  beforeEach(async () => {
    clock = new ManualClock(new Date('2026-03-01T12:00:00Z'));
    double = await GitHubDouble.start({ now: () => clock.now(), onExchange: exchanges.onExchange });
    place = double.createRepository('acme', 'widgets');
    place.answerUnknown(0);
    connection = connectTo(double, { clock });
    ({ host } = connection);
    kept = { asked: null };
  });

  afterEach(async () => {
    await double.close();
    connection.release();
    exchanges.assertFits();
  });

  /** Each layer changes the line that the layer below has written. */
  const openStack = (size: number): readonly number[] =>
    place.openStack(size, (number) => ({ 'all.txt': `of ${number}\n` }));

  const atHead = (number: number): PullRequestAtHead => {
    const described = { title: `Change ${number}`, body: 'Because.', author: 'Ada', authorEmail: 'ada@example.com' };
    const stack = place.record.stacks.find(({ layers }) => layers.includes(number))?.number ?? null;
    return { number, head: place.headOf(number), headBranch: null, ...described, stack };
  };

  const built = (mergeMethod: MergeMethod, numbers: readonly number[]) => {
    const onto = place.tip('main');
    const pullRequests = numbers.map(atHead);
    const made = { repository, targetBranch: 'main', onto, pullRequests, mergeMethod, committedAt: clock.now() };
    return { made, building: host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [] }) };
  };

  const tested = async (mergeMethod: MergeMethod, ...numbers: readonly number[]): Promise<LandRequest> => {
    const { made, building } = built(mergeMethod, numbers);
    const outcome = await building;
    if (outcome.type !== 'built') throw new Error(`not built: ${outcome.type}`);
    const testedAs = { testedCommit: outcome.commit, testedTree: outcome.tree, testingBranches: [] };
    return { ...made, expectedTip: made.onto, ...testedAs };
  };

  const landToEnd = (request: LandRequest) => landToTheEnd(host, request, kept);
  const land = (request: LandRequest): Promise<LandOutcome> => {
    const store = (asked: AskedMerges): Promise<void> => Promise.resolve(void (kept.asked = asked));
    return host.land({ ...request, memory: { asked: kept.asked, store } });
  };
  const count = (operation: string): number => double.requests.byOperation()[operation] ?? 0;
  const isMerged = (...numbers: readonly number[]): boolean[] =>
    numbers.map((number) => place.pullRequest(number).merged !== null);
  const look = (number: number) => host.readPullRequest(repository, number, 'main', 'squash');

  it('have the target as the base of every layer, and know the layers below', async () => {
    openStack(3);
    expect(await look(3)).toMatchObject({ base: 'main', stack: { below: [1, 2] }, mergeability: 'mergeable' });
    expect(await look(1)).toMatchObject({ base: 'main', stack: { below: [] }, mergeability: 'mergeable' });
    const state = await host.readState(repository, [], [1, 2, 3]);
    expect([...(state.pullRequestTraits ?? [])].map(([, { base }]) => base)).toEqual(['main', 'main', 'main']);
  });

  it('wait for a rebase if a layer is not on top of the layer below', async () => {
    openStack(2);
    place.push(1, { '1.txt': 'more\n' });
    const words = 'a rebase onto #1 below it in its stack';
    expect(await look(2)).toMatchObject({ mergeability: 'not_mergeable', unmet: [{ words, isPending: true }] });
  });

  it('meet the rules of the target in every layer', async () => {
    openStack(2);
    place.changePermission('grace', 'write');
    place.protect('main', { kind: 'ruleset', requiredApprovals: 1 });
    place.review(1, 'APPROVED');
    expect(await look(1)).toMatchObject({ mergeability: 'mergeable', approvedBy: ['grace'] });
    expect(await look(2)).toMatchObject({ unmet: [{ words: '1 more approval by people who may write' }] });
  });

  it.each<MergeMethod>(['squash', 'rebase', 'merge_commit'])(
    'with ten layers are merged by one call with at most 40 requests, and to the tested tree: %s',
    async (method) => {
      const numbers = openStack(10);
      place.protect('main', { kind: 'ruleset', requiredApprovals: 1 });
      for (const number of numbers) place.review(number, 'APPROVED');
      place.changePermission('grace', 'write');
      const request = await tested(method, ...numbers);
      double.requests.clear();
      const outcome = await landToEnd(request);
      expect(outcome).toMatchObject({ type: 'landed', tip: { tree: request.testedTree } });
      const commits = outcome.type === 'landed' ? outcome.commits : [];
      expect(commits.map(({ number }) => number)).toEqual(numbers);
      expect(commits.map(({ commit }) => commit)).toEqual(
        numbers.map((number) => place.pullRequest(number).merged?.commit),
      );
      expect([count(ASK), count('git-http/receive-pack')]).toEqual([1, 0]);
      const asked = double.requests.all.filter(({ operation }) => !operation?.startsWith('git-http'));
      expect(asked.length).toBeLessThanOrEqual(40);
    },
  );

  it('are merged completely, or no layer is merged', async () => {
    openStack(3);
    const request = await tested('squash', 1, 2, 3);
    place.holdMerges();
    expect(await land(request)).toMatchObject({ type: 'merging', number: 3 });
    place.protect('main', { kind: 'ruleset', requiredApprovals: 1 });
    place.letMerges();
    expect(await land(request)).toMatchObject({ type: 'refused', number: 3, byRule: true });
    expect([isMerged(1, 2, 3), count('pulls/merge')]).toEqual([[false, false, false], 0]);
  });

  it('are merged up to the highest layer of the run, and GitHub rewrites the layers above', async () => {
    openStack(4);
    const before = place.headOf(3);
    const request = await tested('squash', 1, 2);
    expect(await landToEnd(request)).toMatchObject({ type: 'landed', commits: [{ number: 1 }, { number: 2 }] });
    expect(isMerged(1, 2, 3, 4)).toEqual([true, true, false, false]);
    expect(await look(4)).toMatchObject({ stack: { below: [3] }, mergeability: 'mergeable' });
    const rewrite = { repository, targetBranch: 'main', before, after: place.headOf(3) };
    expect(place.headOf(3)).not.toBe(before);
    expect(await host.isRewritten?.({ ...rewrite, pushers: [double.bot] })).toBe(true);
    expect(await host.isRewritten?.({ ...rewrite, pushers: ['web-flow'] })).toBe(true);
    expect(await host.isRewritten?.({ ...rewrite, pushers: [double.bot, 'ada'] })).toBe(false);
    expect(await host.isRewritten?.({ ...rewrite, pushers: [null] })).toBe(false);
    const after = place.push(3, { 'other.txt': 'x\n' });
    expect(await host.isRewritten?.({ ...rewrite, after, pushers: [double.bot] })).toBe(false);
  });

  it.each<[string, () => void, object]>([
    ['has another head', () => void place.push(1, { x: 'x' }), { type: 'pull_request_changed', seen: { number: 1 } }],
    ['is closed', () => place.closePullRequest(1), { seen: { number: 1, state: 'closed' } }],
    ['is a draft', () => place.convertToDraft(2), { seen: { number: 2, draft: true } }],
    [
      'is new',
      () => place.restack(1, 1, 4, 2, 3),
      { seen: { number: 3, unmet: [{ words: 'a test with #4, below it in its stack now' }] } },
    ],
    [
      'stands elsewhere',
      () => place.restack(1, 2, 1, 3),
      { seen: { unmet: [{ words: 'a test in the order of its stack' }] } },
    ],
    ['is in no stack any more', () => place.unstack(), { seen: { number: 1, base: 'main' } }],
  ])('are not merged if a layer below %s directly before the call', async (_, change, outcome) => {
    openStack(3);
    place.openPullRequest({ '4.txt': '4\n' }, { number: 4, base: 'change-1' });
    const request = await tested('squash', 1, 2, 3);
    // After the service has read all pull requests, it reads the stack once more.
    double.faults.before(STACK, () => double.faults.before(STACK, change));
    expect(await landToEnd(request)).toMatchObject({ type: 'pull_request_changed', ...outcome });
    expect([count(ASK), isMerged(1, 2, 3)]).toEqual([0, [false, false, false]]);
  });

  it("are reported with the layer that moved during GitHub's merge", async () => {
    openStack(2);
    const request = await tested('squash', 1, 2);
    place.holdMerges();
    await land(request);
    place.push(1, { x: 'x' });
    place.letMerges();
    expect(await land(request)).toMatchObject({ type: 'pull_request_changed', seen: { number: 1 } });
  });

  it('are reported with a wrong tree, once per call, if GitHub merges other content', async () => {
    openStack(3);
    const request = await tested('squash', 1, 2, 3);
    place.leaveOut('README.md');
    expect(await landToEnd(request)).toMatchObject({
      type: 'landed',
      wrongTrees: [{ number: 3, commit: place.tip('main'), files: ['README.md'] }],
    });
  });

  it('are merged together with single pull requests: by a call, or by a push if the app may push', async () => {
    openStack(2);
    const single = place.openPullRequest({ 'alone.txt': 'x\n' }).number;
    const request = await tested('merge_commit', 1, 2, single);
    const pushes = count('git-http/receive-pack');
    expect(await landToEnd(request)).toMatchObject({ type: 'landed', tip: { tree: request.testedTree } });
    expect([count(ASK), count('git-http/receive-pack') - pushes]).toEqual([1, 1]);
    expect(isMerged(1, 2, single)).toEqual([true, true, true]);
  });

  it('are not pushed if a pull request was added to a stack after its test', async () => {
    place.openPullRequest({ '1.txt': '1\n' }, { number: 1 });
    place.openPullRequest({ '2.txt': '2\n' }, { number: 2, base: 'change-1' });
    const request = await tested('merge_commit', 1);
    place.stack(1, 2);
    expect(await landToEnd(request)).toMatchObject({ type: 'pull_request_changed', seen: { stack: { below: [] } } });
    expect([count('git-http/receive-pack'), isMerged(1)]).toEqual([0, [false]]);
  });

  it('conflict if a layer lacks commits that were pushed to the layer below', async () => {
    openStack(2);
    place.push(1, { '1.txt': 'more\n' });
    expect(await built('squash', [1, 2]).building).toMatchObject({ type: 'conflict', number: 2 });
  });
});
