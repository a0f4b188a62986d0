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

const NOON = new Date('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const ASK = 'pulls/merge-async';
const LOOK = 'pulls/get-merge-async-result';
const AT_ONCE = 'pulls/merge';

describe('merging in the background on GitHub', () => {
  let clock: ManualClock;
  let double: GitHubDouble;
  let place: RepositoryDouble;
  let host: CodeHost;
  let connection: ReturnType<typeof connectTo>;
  let kept: { asked: AskedMerges | null };
  const exchanges = checkedByContract();

  beforeEach(async () => {
    clock = new ManualClock(NOON);
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

  const open = (number: number): PullRequestAtHead => {
    const { head } = place.openPullRequest({ [`${number}.txt`]: `${number}\n` }, { number });
    const described = { title: `Change ${number}`, body: 'Because.', author: 'Ada', authorEmail: 'ada@example.com' };
    return { number, head: head.sha, headBranch: null, ...described };
  };

  const tested = async (...pullRequests: PullRequestAtHead[]): Promise<LandRequest> => testedBy('squash', pullRequests);

  const testedBy = async (
    mergeMethod: MergeMethod,
    pullRequests: readonly PullRequestAtHead[],
  ): Promise<LandRequest> => {
    const onto = place.tip('main');
    const made = { repository, targetBranch: 'main', onto, pullRequests, mergeMethod, committedAt: clock.now() };
    const built = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [] });
    if (built.type !== 'built') throw new Error(`not built: ${built.type}`);
    return { ...made, expectedTip: onto, testedCommit: built.commit, testedTree: built.tree, testingBranches: [] };
  };

  /** One attempt of the service to merge. The attempt stores its state, which the next attempt reads. */
  const land = (request: LandRequest): Promise<LandOutcome> =>
    host.land({
      ...request,
      memory: { asked: kept.asked, store: (asked) => Promise.resolve(void (kept.asked = asked)) },
    });
  const landToEnd = (request: LandRequest) => landToTheEnd(host, request, kept);

  const count = (operation: string): number => double.requests.byOperation()[operation] ?? 0;
  const asked = (): number[] => [count(ASK), count(LOOK), count(AT_ONCE)];
  const isMerged = (...numbers: number[]): boolean[] =>
    numbers.map((number) => place.pullRequest(number).merged !== null);
  const titles = (): string[] =>
    place.record.world
      .inBare('log', '--first-parent', '--reverse', '--format=%s', 'main')
      .split('\n')
      .filter(Boolean)
      .slice(1);
  const secondsUntil = (outcome: LandOutcome): number =>
    outcome.type === 'merging' ? (outcome.askAgainAt.getTime() - clock.now().getTime()) / SECOND : NaN;

  it('stores the request id before it asks for the result, first after 1, 2 and 4 s, then every 8 s', async () => {
    const one = open(1);
    const request = await tested(one);
    place.holdMerges();
    const first = await land(request);
    expect(first).toMatchObject({ type: 'merging', number: 1 });
    const [{ uuid, expectedHead, action, method } = {}] = place.record.backgroundMerges;
    expect([expectedHead, action, method]).toEqual([one.head, 'direct_merge', 'squash']);
    expect(kept.asked).toEqual({ merged: [], underWay: { number: 1, id: uuid, askedAt: NOON.getTime() } });
    const waits = [secondsUntil(first)];
    const before = double.requests.all.length;
    for (let look = 1; look <= 5; look++) {
      clock.advance((waits.at(-1) ?? 0) * SECOND);
      waits.push(secondsUntil(await land(request)));
    }
    expect(waits).toEqual([1, 2, 4, 8, 8, 8]);
    expect(double.requests.all.slice(before).map(({ operation }) => operation)).toEqual(Array(5).fill(LOOK));
    place.letMerges();
    expect(await land(request)).toMatchObject({ type: 'landed', tip: { tree: request.testedTree } });
    expect([asked(), titles()]).toEqual([[1, 6, 0], ['Change 1 (#1)']]);
  });

  it('finds the merge request of a process that died before it stored the id, and merges once', async () => {
    const request = await tested(open(1));
    place.holdMerges();
    const died = { asked: null, store: () => Promise.reject(new Error('died')) };
    await expect(host.land({ ...request, memory: died })).rejects.toThrow('died');
    expect(await land(request)).toMatchObject({ type: 'merging' });
    const [{ uuid: id } = { uuid: '' }, ...others] = place.record.backgroundMerges;
    expect(kept.asked?.underWay).toMatchObject({ number: 1, id, isFoundThere: true });
    place.letMerges();
    expect(await land(request)).toMatchObject({ type: 'landed' });
    expect([others, titles()]).toEqual([[], ['Change 1 (#1)']]);
  });

  it('accepts the answer "already merged"', async () => {
    const request = await tested(open(1));
    double.faults.before(ASK, () => place.merge(1, 'squash'));
    expect(await land(request)).toMatchObject({ type: 'landed', commits: [{ number: 1, commit: place.tip('main') }] });
    expect(titles()).toHaveLength(1);
  });

  it.each<[string, (number: number) => void, object]>([
    ['closed', (number) => place.closePullRequest(number), { state: 'closed' }],
    ['made a draft', (number) => place.convertToDraft(number), { draft: true }],
  ])('reports the state of the pull request if GitHub refuses a pull request that was %s', async (_, change, seen) => {
    const request = await tested(open(1));
    double.faults.before(ASK, () => change(1));
    expect(await land(request)).toMatchObject({ type: 'pull_request_changed', seen });
    expect([isMerged(1), kept.asked]).toEqual([[false], null]);
  });

  describe('after a merge request by somebody else', () => {
    it('waits for the end of that request, and accepts the tested content, whatever its options', async () => {
      const request = await tested(open(1));
      place.holdMerges();
      double.faults.before(ASK, () => void place.askToMerge(1, 'merge'));
      expect(await land(request)).toMatchObject({ type: 'merging', number: 1 });
      place.letMerges();
      const landed = await land(request);
      expect(landed).toMatchObject({ type: 'landed', tip: { commit: place.tip('main'), tree: request.testedTree } });
      expect(landed).not.toHaveProperty('wrongTrees');
      expect([asked(), titles()]).toEqual([[1, 1, 0], ['Merge pull request #1 from acme/change-1']]);
    });

    it('reports it if that request merged other content', async () => {
      const request = await tested(open(1));
      place.holdMerges();
      double.faults.before(ASK, () => {
        place.push(1, { '1.txt': 'not tested\n' });
        place.askToMerge(1, 'squash');
      });
      expect(await land(request)).toMatchObject({ type: 'merging' });
      place.letMerges();
      const wrong = [{ number: 1, commit: place.tip('main'), files: ['1.txt'] }];
      expect(await land(request)).toMatchObject({ type: 'landed', wrongTrees: wrong });
    });

    it('sends its own request if that request failed', async () => {
      const request = await tested(open(1));
      place.holdMerges();
      double.faults.before(ASK, () => void place.askToMerge(1, 'rebase'));
      await land(request);
      place.failNextMerge('Rebase merges are not allowed on this repository.');
      place.letMerges();
      expect(await landToEnd(request)).toMatchObject({ type: 'landed' });
      expect([asked(), titles()]).toEqual([[2, 2, 0], ['Change 1 (#1)']]);
    });
  });

  it.each(['at once', 'later'] as const)(
    "never counts a pull request in GitHub's own queue as merged (%s)",
    async (when) => {
      const request = await tested(open(1));
      if (when === 'later') place.holdMerges();
      else place.enqueue(1);
      const first = await land(request);
      place.enqueue(1);
      const outcome = first.type === 'merging' ? await land(request) : first;
      expect(outcome).toEqual({
        ...{ type: 'refused', number: 1 },
        why: "GitHub's own merge queue has #1, and merges it by its own tests. Remove the pull request from that queue, or switch that queue off.",
      });
      expect([isMerged(1), place.tip('main')]).toEqual([[false], request.expectedTip]);
    },
  );

  describe('if GitHub no longer knows the request id', () => {
    const aDayAgo = async (request: LandRequest, failure?: string): Promise<void> => {
      place.holdMerges();
      await land(request);
      if (failure !== undefined) place.failNextMerge(failure);
      place.letMerges();
      clock.advance(24 * HOUR);
    };

    it('finds the merge that the request made', async () => {
      const request = await tested(open(1));
      await aDayAgo(request);
      expect(await land(request)).toMatchObject({ type: 'landed', commits: [{ number: 1 }] });
      expect([asked(), titles()]).toEqual([[1, 1, 0], ['Change 1 (#1)']]);
    });

    it('requests the merge again if the pull request is unmerged, unless the target has moved', async () => {
      const request = await tested(open(1));
      await aDayAgo(request, 'nobody knows');
      expect(await landToEnd(request)).toMatchObject({ type: 'landed' });
      expect(asked()).toEqual([2, 2, 0]);
      kept.asked = null;
      const then = await tested(open(2));
      await aDayAgo(then, 'nobody knows');
      const tip = place.pushToBranch('main', { 'outside.txt': 'x\n' });
      expect(await landToEnd(then)).toMatchObject({ type: 'target_moved', tip: { commit: tip } });
      expect(isMerged(1, 2)).toEqual([true, false]);
    });
  });

  describe('if GitHub reports a failed merge', () => {
    const fails = async (request: LandRequest, words: string, meanwhile: () => void = () => undefined) => {
      place.holdMerges();
      await land(request);
      meanwhile();
      place.failNextMerge(words);
      place.letMerges();
      return land(request);
    };

    it("refuses the pull request in GitHub's own words", async () => {
      const request = await tested(open(1));
      const why = 'Squash merges are not allowed on this repository.';
      expect(await fails(request, why)).toEqual({ type: 'refused', number: 1, why });
      expect(asked()).toEqual([1, 1, 0]);
    });

    it.each<[string, () => void, object]>([
      ['head', () => void place.push(1, { '1.txt': 'other\n' }), { type: 'head_moved', number: 1 }],
      ['base', () => place.changeBase(1, 'release'), { type: 'pull_request_changed', seen: { base: 'release' } }],
      ['state', () => place.closePullRequest(1), { type: 'pull_request_changed', seen: { state: 'closed' } }],
      ['draft', () => place.convertToDraft(1), { type: 'pull_request_changed', seen: { draft: true } }],
    ])(
      "reads the pull request again if its %s was changed, whatever GitHub's message says",
      async (_, change, outcome) => {
        const request = await tested(open(1));
        place.setBranch('release', request.expectedTip);
        expect(await fails(request, 'Something went wrong.', change)).toMatchObject(outcome);
      },
    );

    it('requests the merge again if GitHub was busy, after head and target are read again', async () => {
      const request = await tested(open(1));
      const busy = 'Base branch was modified. Review and try the merge again.';
      await expect(fails(request, busy)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'server_error' });
      const tip = place.pushToBranch('main', { 'outside.txt': 'x\n' });
      expect(await land(request)).toMatchObject({ type: 'target_moved', tip: { commit: tip } });
      expect([asked(), isMerged(1)]).toEqual([[1, 1, 0], [false]]);
    });

    it('stops the rest of a run, and does not read finished merges again', async () => {
      const request = await tested(open(1), open(2), open(3));
      expect(await land(request)).toMatchObject({ type: 'merging', number: 1 });
      expect(await land(request)).toMatchObject({ type: 'merging', number: 2 });
      expect(kept.asked?.merged).toEqual([{ number: 1, commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string }]);
      place.failNextMerge('Nobody likes it.');
      double.requests.clear();
      expect(await land(request)).toMatchObject({ type: 'merging', number: 3 });
      expect([count(LOOK), double.requests.all.filter(({ path }) => path.endsWith('/pulls/1'))]).toEqual([1, []]);
      expect(await land(request)).toMatchObject({
        ...{ type: 'landed_partly', commits: [{ number: 1 }, { number: 2 }] },
        because: { type: 'refused', number: 3, why: 'Nobody likes it.' },
      });
    });
  });

  it('uses the synchronous call if a rule lets the app bypass it always, but not if the rule exempts the app', async () => {
    const protect = (bypassMode: 'always' | 'exempt') =>
      place.protect('main', { kind: 'ruleset', strict: true, bypass: [double.bot], bypassMode });
    const numbers = [1, 2, 3];
    const changes = numbers.map(open);
    const landOne = async (number: number) => {
      kept.asked = null;
      return landToEnd(await tested(changes[number - 1]!));
    };
    protect('exempt');
    // After the first merge, the other pull requests are behind the target.
    for (const number of [1, 2]) expect(await landOne(number)).toMatchObject({ type: 'landed' });
    expect(asked()).toEqual([2, 2, 0]);
    protect('always');
    expect(await landOne(3)).toMatchObject({ type: 'landed' });
    expect([asked(), isMerged(...numbers)]).toEqual([
      [3, 3, 1],
      [true, true, true],
    ]);
  });

  it('merges the lowest layer of a stack, which the synchronous call refuses', async () => {
    const one = open(1);
    place.openPullRequest({ '2.txt': '2\n' }, { number: 2, base: 'change-1' });
    place.stack(1, 2);
    expect(() => place.merge(1, 'squash')).toThrow('Merging stacked PRs via this endpoint is not supported');
    const stack = place.record.stacks[0]?.number;
    expect(await landToEnd(await tested({ ...one, stack }))).toMatchObject({
      type: 'landed',
      commits: [{ number: 1 }],
    });
    expect(isMerged(1, 2)).toEqual([true, false]);
  });

  it('waits for a pending merge without a limit, also after a server error, and pushes nothing meanwhile', async () => {
    place.protect('main', { requiredContexts: ['ci'] });
    const one = open(1);
    place.setStatus(one.head, 'ci', 'success');
    const request = await testedBy('merge_commit', [one]);
    place.holdMerges();
    expect(await land(request)).toMatchObject({ type: 'merging', number: 1 });
    place.unprotect('main');
    const pushes = count('git-http/receive-pack');
    for (let minutes = 0; minutes < 60; minutes += 6) {
      clock.advance(6 * 60 * SECOND);
      expect(secondsUntil(await land(request))).toBe(8);
    }
    double.faults.answer(LOOK, 500, 'Server Error');
    await expect(land(request)).rejects.toMatchObject({ name: 'HostUnavailable', kind: 'no_answer' });
    expect([count('git-http/receive-pack'), asked()]).toEqual([pushes, [1, 11, 0]]);
    place.letMerges();
    expect(await land(request)).toMatchObject({ type: 'landed', tip: { tree: request.testedTree } });
    expect(titles()).toHaveLength(1);
  });

  it('uses the synchronous call if the server knows no other, and tries a background merge an hour later', async () => {
    double.mergeAtOnceOnly();
    for (const number of [1, 2]) expect(await land(await tested(open(number)))).toMatchObject({ type: 'landed' });
    expect([asked(), isMerged(1, 2)]).toEqual([
      [1, 0, 2],
      [true, true],
    ]);
    clock.advance(HOUR);
    expect(await land(await tested(open(3)))).toMatchObject({ type: 'landed' });
    expect(asked()).toEqual([2, 0, 3]);
  });
});
