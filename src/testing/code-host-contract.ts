import type {
  BuildRequest,
  CodeHost,
  HostRepository,
  LandRequest,
  MergeMethod,
  PullRequestAtHead,
} from '../domain/code-host.port';

/** Files by path with their new content; null removes one. */
export type ContractChanges = Readonly<Record<string, string | null>>;

type Later<T> = T | Promise<T>;

/**
 * What the author of an adapter provides: the host under test, made as the service makes it, and what people do at the server
 * behind it. The methods act on that server, not through `host`: a test double, or a real one with a repository to spare.
 */
export interface HostWorld {
  readonly host: CodeHost;
  /** Exists, with one commit on `main` that has the file `README.md` with the line `hello`, and without pull requests. */
  readonly repository: HostRepository;
  /**
   * Opens this very number with the title `Change <number>`, for `main`: one commit with the changes on `from`, or on the present
   * tip of `main`. Answers the commit id of the head. A host that counts for itself maps the numbers in the world.
   */
  openPullRequest(number: number, changes: ContractChanges, from?: string): Later<string>;
  /** One more commit on the pull request; answers the new head. */
  pushToPullRequest(number: number, changes: ContractChanges): Later<string>;
  /** Somebody pushes one commit to the branch past the queue; answers the new tip. */
  pushTo(branch: string, changes: ContractChanges): Later<string>;
  /** Points the branch at a commit of the repository; makes it when it is not there. */
  setBranch(branch: string, commit: string): Later<void>;
  removeBranch(branch: string): Later<void>;
  /** What people do to an open pull request besides pushing. Absent: the host does not have it. */
  readonly turn?: {
    changeBase(number: number, branch: string): Later<void>;
    convertToDraft(number: number): Later<void>;
    close(number: number): Later<void>;
  };
  /**
   * Somebody is faster than the next landing that moves the branch in one step: after the landing read where the branch is,
   * and before it moves it, the branch is set to the commit by force. Null: the branch is removed.
   */
  overtakeNextLanding(branch: string, commit: string | null): Later<void>;
  /** Names of all branches, sorted, without those that are only heads of pull requests. */
  branches(): Later<readonly string[]>;
  /** Path and content of every file of a commit that the host has. */
  files(commit: string): Later<Readonly<Record<string, string>>>;
  /** Until `recover` the server answers nothing: no API and no git. */
  goDown(): Later<void>;
  recover(): Later<void>;
  /** After every test: ends the server and removes its files. */
  close(): Later<void>;
}

type TestedLanding = LandRequest & { readonly testedCommit: string };

const METHODS: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase'];
const NOON = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:00:01Z');
const BRANCH = 'sluice-merge/pr-1/run';
const RUN = '6b4a1c52-9a43-4c5e-8f0b-0d9b8e6f2a11';
const ABSENT = '1'.repeat(40);
const HOSTILE_NAMES = [
  '-x',
  '..',
  'a..b/../c',
  'a b',
  'ünïcode',
  '',
  '.',
  'a/b',
  '--upload-pack=x',
  'x\ny',
  'x\0y',
  '$(x)',
];

/** What runs the tests: jest, whose globals have all of it, or for example node:test with the package `expect`. */
export interface ContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  readonly beforeEach: (body: () => Promise<void>) => unknown;
  readonly afterEach: (body: () => Later<void>) => unknown;
  readonly expect: ContractExpect;
}

interface ContractExpect {
  (actual: unknown): ContractMatchers & { readonly not: ContractMatchers; readonly rejects: ContractMatchers };
  readonly not: { stringContaining(text: string): unknown };
}

/** Methods, because those of a runner take less than anything. */
interface ContractMatchers {
  toBe(expected: unknown): unknown;
  toBeInstanceOf(expected: unknown): unknown;
  toBeNull(): unknown;
  toContain(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
  toHaveLength(expected: number): unknown;
  toMatch(expected: string | RegExp): unknown;
  toMatchObject(expected: object): unknown;
}

export interface ContractParts {
  /** Absent: the globals of jest. */
  readonly runner?: ContractRunner;
  /** The merge methods whose candidates are tested. Absent: all. Name one where a tested `GitHost` makes the candidates. */
  readonly candidates?: readonly MergeMethod[];
}

/**
 * The promises of the port that no host may break, as tests of Jest or of what has its globals: `describe`, `it`, `expect`.
 * Call it at the top of a test file. `name` begins the name of the suite; `makeWorld` is called for every test, and must not
 * share anything between two worlds. What only some hosts have, such as comments, needs tests of the adapter's own.
 */
export function describeCodeHostContract(
  name: string,
  makeWorld: () => Later<HostWorld>,
  { candidates = METHODS, runner = globalThis as unknown as ContractRunner }: ContractParts = {},
): void {
  const { describe, it, beforeEach, afterEach, expect } = runner;
  const describeEach = (methods: readonly MergeMethod[], what: string, body: (method: MergeMethod) => void): void => {
    for (const method of methods) describe(`${what} ${method}`, () => body(method));
  };
  const itEach = (names: readonly string[], what: string, body: (name: string) => Promise<void>): void => {
    for (const one of names) it(`${what} ${JSON.stringify(one)}`, () => body(one));
  };

  describe(`${name} keeps the promises of a code host`, () => {
    let world: HostWorld;
    let host: CodeHost;
    let repository: HostRepository;

    beforeEach(async () => {
      world = await makeWorld();
      ({ host, repository } = world);
    });

    afterEach(() => world.close());

    const tip = async (branch = 'main'): Promise<{ commit: string; tree: string }> => {
      const found = await host.readBranch(repository, branch);
      if (found === null) throw new Error(`There is no branch ${branch}`);
      return found;
    };

    const at = (number: number, head: string): PullRequestAtHead => ({
      number,
      head,
      title: `Change ${number}`,
      body: 'Because.',
      author: 'Ada',
      authorEmail: 'ada@example.com',
      headBranch: null,
    });

    const open = async (number: number, changes?: ContractChanges, from?: string): Promise<PullRequestAtHead> =>
      at(number, await world.openPullRequest(number, changes ?? { [`${number}.txt`]: `${number}\n` }, from));

    /** Its landings are one move of the target, guarded by where that was; the others are as good as the host allows. */
    const landsInOneMove = (method: MergeMethod): boolean => host.landsWholeRuns(repository, method);

    const usualMethod = (): MergeMethod => (['squash', ...METHODS] as const).find(landsInOneMove) ?? 'squash';

    const requestFor = async (
      pullRequests: readonly PullRequestAtHead[],
      more: Partial<BuildRequest> = {},
    ): Promise<BuildRequest> => {
      const { commit } = await tip();
      return {
        repository,
        targetBranch: 'main',
        onto: commit,
        targetTip: commit,
        alreadyMerged: [],
        pullRequests,
        mergeMethod: usualMethod(),
        committedAt: NOON,
        ...more,
      };
    };

    const build = async (built: BuildRequest): Promise<{ commit: string; tree: string }> => {
      const outcome = await host.buildCandidate(built);
      if (outcome.type !== 'built') throw new Error(`Not built: ${JSON.stringify(outcome)}`);
      return outcome;
    };

    const push = (commit: string, branch = BRANCH) =>
      host.pushTestingBranch({ repository, branch, commit, testRunId: RUN, requiredStatuses: ['test'] });

    /** Built and pushed, so that all that is left is to land it. */
    const tested = async (
      pullRequests: readonly PullRequestAtHead[],
      more: Partial<BuildRequest> = {},
    ): Promise<TestedLanding> => {
      const landing = await landingOf(pullRequests, more);
      await push(landing.testedCommit);
      return landing;
    };

    /** Not pushed: nobody tests it, because its result is known. */
    const landingOf = async (
      pullRequests: readonly PullRequestAtHead[],
      more: Partial<BuildRequest> = {},
    ): Promise<TestedLanding> => {
      const made = await requestFor(pullRequests, more);
      const candidate = await build(made);
      return {
        ...made,
        committedAt: LATER,
        expectedTip: made.targetTip,
        testedCommit: candidate.commit,
        testedTree: candidate.tree,
        testingBranches: [BRANCH],
      };
    };

    it('says whether it has statuses of its own, which then are the only ones that count', () => {
      expect([true, false]).toContain(host.capabilities.hasOwnStatuses);
      return Promise.resolve();
    });

    describe('repositories, branches and files', () => {
      it('knows its repository and no other', async () => {
        expect(await host.findRepository(repository)).toBe('found');
        expect(await host.findRepository({ ...repository, name: 'nothing-here' })).toBe('unknown');
      });

      itEach(HOSTILE_NAMES, 'knows no repository or owner named', async (bad) => {
        expect(await host.findRepository({ ...repository, name: bad })).toBe('unknown');
        expect(await host.findRepository({ ...repository, owner: bad })).toBe('unknown');
      });

      it('reads the tip of a branch with its tree', async () => {
        const before = await tip();
        const pushed = await world.pushTo('main', { 'a.txt': 'a\n' });
        expect(await tip()).toEqual({ commit: pushed, tree: expect.not.stringContaining(before.tree) as string });
        expect((await tip()).tree).toMatch(/^[0-9a-f]{40}$/);
      });

      itEach(
        ['nothing-here', 'a..b', '-x', 'a b', '', '../main', 'refs/heads/main', 'x\ny'],
        'finds no branch named',
        async (branch) => {
          expect(await host.readBranch(repository, branch)).toBeNull();
        },
      );

      it('reads a file at a commit, and null where there is none', async () => {
        const commit = await world.pushTo('main', { 'sub/a.txt': 'grüße\n' });
        expect(await host.readFile(repository, commit, 'sub/a.txt')).toBe('grüße\n');
        expect(await host.readFile(repository, commit, 'sub/b.txt')).toBeNull();
        expect(await host.readFile(repository, commit, 'sub')).toBeNull();
        expect(await host.readFile(repository, ABSENT, 'sub/a.txt')).toBeNull();
      });

      it('reads the tree of a commit, and null where there is none', async () => {
        const { commit, tree } = await tip();
        expect(await host.readTree(repository, commit)).toBe(tree);
        const { head } = await open(1);
        expect(await host.readTree(repository, head)).toMatch(/^[0-9a-f]{40}$/);
        expect(await host.readTree(repository, head)).not.toBe(tree);
        expect(await host.readTree(repository, ABSENT)).toBeNull();
      });

      it('knows what is in the history of a commit', async () => {
        const { commit: start } = await tip();
        const { head } = await open(1);
        const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
        const contains = (commit: string, ancestor: string) => host.containsCommit(repository, commit, ancestor);
        expect(await contains(head, start)).toBe(true);
        expect(await contains(head, head)).toBe(true);
        expect(await contains(start, head)).toBe(false);
        expect(await contains(head, pushed)).toBe(false);
        expect(await contains(head, ABSENT)).toBe(false);
        expect(await contains(ABSENT, start)).toBe(false);
        expect(await contains(ABSENT, ABSENT)).toBe(false);
      });

      it('finds the heads that a commit contains, if it does not tell itself of what people merge', async () => {
        const { commit: start } = await tip();
        const { head: one } = await open(1);
        const { head: two } = await open(2);
        const later = await world.pushTo('main', { 'later.txt': 'later\n' });
        const find = (commit: string, heads: readonly string[]) => host.findContained?.(repository, commit, heads);
        if (host.findContained === undefined) return;
        expect(await find(later, [one, start, two, ABSENT, later])).toEqual([start, later]);
        expect(await find(one, [one, two])).toEqual([one]);
        expect(await find(start, [])).toEqual([]);
        expect(await find(ABSENT, [start])).toEqual([]);
      });

      it('reads branches and heads at once, null for what is not there', async () => {
        const one = await open(1);
        const state = await host.readState(repository, ['main', 'gone'], [1, 2]);
        expect([...state.branches]).toEqual([
          ['main', await tip()],
          ['gone', null],
        ]);
        expect([...state.pullRequestHeads]).toEqual([
          [1, one.head],
          [2, null],
        ]);
      });

      it('reads a thousand pull requests at once', async () => {
        const one = await open(1);
        const numbers = Array.from({ length: 1_500 }, (_, index) => index + 1);
        const state = await host.readState(repository, ['main'], numbers);
        expect(state.pullRequestHeads.get(1)).toBe(one.head);
        expect(state.pullRequestHeads.get(1_500)).toBeNull();
      });
    });

    describe('pull requests', () => {
      it('describes an open one', async () => {
        const { head } = await open(7);
        const seen = await host.readPullRequest(repository, 7, 'main');
        expect(seen).toMatchObject({
          number: 7,
          head,
          state: 'open',
          draft: false,
          mergeability: 'mergeable',
          title: 'Change 7',
        });
        expect(seen?.observedAt).toBeInstanceOf(Date);
      });

      it('knows no other numbers', async () => {
        for (const number of [1, 0, -1, 2 ** 31, 1.5]) {
          expect(await host.readPullRequest(repository, number, 'main')).toBeNull();
        }
      });

      it('says that one which conflicts with the target cannot be merged', async () => {
        await open(1, { 'README.md': 'one\n' });
        await world.pushTo('main', { 'README.md': 'another\n' });
        expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({
          state: 'open',
          mergeability: 'not_mergeable',
        });
      });

      it('checks mergeability against the branch that is asked about', async () => {
        await open(1, { 'README.md': 'one\n' });
        await world.setBranch('stable', (await tip()).commit);
        await world.pushTo('stable', { 'README.md': 'another\n' });
        expect(await host.readPullRequest(repository, 1, 'stable')).toMatchObject({ mergeability: 'not_mergeable' });
        expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ mergeability: 'mergeable' });
      });

      it('sees that one whose head the target contains is merged', async () => {
        const { head } = await open(1);
        await world.setBranch('main', head);
        expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ state: 'merged' });
      });

      it('sees the new head after a push', async () => {
        await open(1);
        const head = await world.pushToPullRequest(1, { 'more.txt': 'more\n' });
        expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ head, state: 'open' });
      });
    });

    describeEach(candidates, 'candidates by', (mergeMethod) => {
      it('merges one pull request onto the target', async () => {
        const one = await open(1);
        await world.pushTo('main', { 'other.txt': 'other\n' });
        const candidate = await build(await requestFor([one], { mergeMethod }));
        await push(candidate.commit);
        expect(await world.files(candidate.commit)).toEqual({
          'README.md': 'hello\n',
          'other.txt': 'other\n',
          '1.txt': '1\n',
        });
        expect(await host.readBranch(repository, BRANCH)).toEqual({ commit: candidate.commit, tree: candidate.tree });
      });

      it('merges ten, one after another', async () => {
        const ten: PullRequestAtHead[] = [];
        for (let number = 1; number <= 10; number++) ten.push(await open(number));
        const candidate = await build(await requestFor(ten, { mergeMethod }));
        await push(candidate.commit);
        expect(Object.keys(await world.files(candidate.commit))).toHaveLength(11);
      });

      it('makes the same commit of the same request, and another a second later', async () => {
        const built = await requestFor([await open(1), await open(2)], { mergeMethod });
        const first = await build(built);
        expect(await build(built)).toEqual(first);
        const second = await build({ ...built, committedAt: LATER });
        expect(second.commit).not.toBe(first.commit);
        expect(second.tree).toBe(first.tree);
      });

      it('shows nothing of it at the host', async () => {
        const before = await world.branches();
        await build(await requestFor([await open(1)], { mergeMethod }));
        expect(await world.branches()).toEqual(before);
      });

      it('makes a commit of its own of a pull request that is on top of the target', async () => {
        const one = await open(1);
        const candidate = await build(await requestFor([one], { mergeMethod }));
        expect(candidate.commit).not.toBe(one.head);
      });

      it('makes a commit of its own of a pull request that brings nothing, or nothing new', async () => {
        const empty = await open(1, {});
        const contained = at(2, await world.openPullRequest(2, { 'x.txt': 'x\n' }));
        await world.setBranch('main', contained.head);
        const same = await open(3, { 'x.txt': 'x\n' }, empty.head);
        const { commit, tree } = await tip();
        for (const one of [empty, contained, same]) {
          const candidate = await build(await requestFor([one], { mergeMethod }));
          expect(candidate.tree).toBe(tree);
          expect([commit, one.head]).not.toContain(candidate.commit);
        }
      });

      it('builds on the candidate of the run ahead', async () => {
        const [one, two] = [await open(1), await open(2)];
        const ahead = await build(await requestFor([one], { mergeMethod }));
        const onTop = await build(await requestFor([two], { mergeMethod, onto: ahead.commit, alreadyMerged: [one] }));
        expect(onTop.tree).toBe((await build(await requestFor([one, two], { mergeMethod }))).tree);
      });

      it('blames the target where a pull request conflicts with it', async () => {
        const [one, two] = [await open(1), await open(2, { 'README.md': 'two\n' })];
        await world.pushTo('main', { 'README.md': 'another\n' });
        expect(await host.buildCandidate(await requestFor([one, two], { mergeMethod }))).toEqual({
          type: 'conflict',
          number: 2,
          with: 'target',
          files: ['README.md'],
        });
      });

      it('blames the pull request in the same run that it conflicts with', async () => {
        const one = await open(1, { 'README.md': 'one\n' });
        const outcome = await host.buildCandidate(
          await requestFor([one, await open(2), await open(3, { 'README.md': 'three\n' })], { mergeMethod }),
        );
        expect(outcome).toEqual({ type: 'conflict', number: 3, with: 1, files: ['README.md'] });
      });

      it('blames the pull request in a run ahead', async () => {
        const [one, two] = [await open(1, { 'README.md': 'one\n' }), await open(2)];
        const ahead = await build(await requestFor([one, two], { mergeMethod }));
        const outcome = await host.buildCandidate(
          await requestFor([await open(3, { 'README.md': 'three\n' })], {
            mergeMethod,
            onto: ahead.commit,
            alreadyMerged: [one, two],
          }),
        );
        expect(outcome).toEqual({ type: 'conflict', number: 3, with: 1, files: ['README.md'] });
      });

      it('blames the one directly ahead when no single one is to blame', async () => {
        const one = await open(1, { 'README.md': 'changed\n' });
        const two = await open(2, { 'README.md': 'changed\n' });
        const three = await open(3, { 'README.md': 'three\n' });
        const outcome = await host.buildCandidate(await requestFor([one, two, three], { mergeMethod }));
        expect(outcome).toEqual({ type: 'conflict', number: 3, with: 2, files: ['README.md'] });
      });

      it('builds on a commit that was the target once, and finds conflicts with it', async () => {
        const [one, two] = [await open(1), await open(2, { 'README.md': 'two\n' })];
        const { commit: base, tree } = await tip();
        const elsewhere = await open(3, { 'README.md': 'another\n' });
        await world.setBranch('main', elsewhere.head);
        const onOldBase = await requestFor([one, two], { mergeMethod, onto: base, targetTip: base });
        const candidate = await build(onOldBase);
        await push(candidate.commit);
        expect(await world.files(candidate.commit)).toEqual({ 'README.md': 'two\n', '1.txt': '1\n' });
        expect(await host.readTree(repository, base)).toBe(tree);
        expect(
          await host.buildCandidate(await requestFor([elsewhere, two], { mergeMethod, onto: base, targetTip: base })),
        ).toEqual({ type: 'conflict', number: 2, with: 3, files: ['README.md'] });
      });

      it('says which commit is missing', async () => {
        const one = await open(1);
        expect(await host.buildCandidate(await requestFor([one, at(2, ABSENT)], { mergeMethod }))).toEqual({
          type: 'missing_commit',
          commit: ABSENT,
        });
        expect(await host.buildCandidate(await requestFor([one], { mergeMethod, onto: ABSENT }))).toEqual({
          type: 'missing_commit',
          commit: ABSENT,
        });
      });
    });

    describe('testing branches', () => {
      it('tests what is there already in a commit of its own, for a run without pull requests', async () => {
        const there = await tip();
        const made = await requestFor([]);
        const candidate = await build(made);
        expect(candidate.tree).toBe(there.tree);
        expect(candidate.commit).not.toBe(there.commit);
        expect(await build(made)).toEqual(candidate);
        expect(await push(candidate.commit)).toEqual({ type: 'pushed' });
      });

      it('pushes one however often it is asked', async () => {
        const { commit } = await build(await requestFor([await open(1)]));
        expect(await push(commit)).toEqual({ type: 'pushed' });
        expect(await push(commit)).toEqual({ type: 'pushed' });
        expect(await world.branches()).toEqual(['main', BRANCH]);
      });

      it('leaves a branch alone that is already somewhere else', async () => {
        const one = await open(1);
        const { commit } = await build(await requestFor([one]));
        await world.setBranch(BRANCH, one.head);
        expect(await push(commit)).toEqual({ type: 'exists_elsewhere', commit: one.head });
        expect((await tip(BRANCH)).commit).toBe(one.head);
      });

      it('removes one however often it is asked', async () => {
        await push((await build(await requestFor([await open(1)]))).commit);
        await host.removeTestingBranch(repository, BRANCH, RUN);
        await host.removeTestingBranch(repository, BRANCH, RUN);
        expect(await world.branches()).toEqual(['main']);
      });
    });

    describeEach(METHODS, 'landing by', (mergeMethod) => {
      it('moves the target to what was tested; in one move to that commit, and without the testing branch', async () => {
        const landing = await tested([await open(1), await open(2)], { mergeMethod });
        const outcome = await host.land(landing);
        const there = await tip();
        expect(outcome).toMatchObject({
          type: 'landed',
          tip: there,
          commits: [{ number: 1 }, { number: 2, ...there }],
        });
        expect(there.tree).toBe(landing.testedTree);
        expect(there.commit === landing.testedCommit).toBe(landsInOneMove(mergeMethod));
        expect(await world.branches()).toEqual(landsInOneMove(mergeMethod) ? ['main'] : ['main', BRANCH]);
      });

      it('answers a repeated request as it answered the first', async () => {
        const landing = await tested([await open(1), await open(2)], { mergeMethod });
        const outcome = await host.land(landing);
        const there = await tip();
        expect(await host.land(landing)).toEqual(outcome);
        expect(await tip()).toEqual(there);
      });

      it('recognises what an earlier try landed after others have pushed', async () => {
        const landing = await tested([await open(1)], { mergeMethod });
        const outcome = await host.land(landing);
        const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
        await world.pushToPullRequest(1, { 'after.txt': 'after\n' });
        expect(await host.land(landing)).toEqual(outcome);
        expect((await tip()).commit).toBe(pushed);
      });

      it('makes the commits anew where the run stood on another commit, and recognises those too', async () => {
        const [one, two] = [await open(1), await open(2)];
        const ahead = await build(await requestFor([one], { mergeMethod }));
        const landing = await tested([two], { mergeMethod, onto: ahead.commit, alreadyMerged: [one] });
        const other = await tested([one], { mergeMethod, committedAt: LATER });
        expect(await host.land({ ...other, testingBranches: [] })).toMatchObject({ type: 'landed' });
        const moved = { ...landing, expectedTip: (await tip()).commit };
        const outcome = await host.land(moved);
        expect(outcome).toMatchObject({ type: 'landed', tip: { tree: landing.testedTree } });
        expect((await tip()).commit).not.toBe(landing.testedCommit);
        expect((await tip()).tree).toBe(landing.testedTree);
        await world.pushTo('main', { 'later.txt': 'later\n' });
        expect(await host.land(moved)).toEqual(outcome);
      });

      it('lands what was never pushed, because the result of its tree was known', async () => {
        const ahead = await landingOf([await open(1)], { mergeMethod });
        const onTop = { mergeMethod, onto: ahead.testedCommit, alreadyMerged: ahead.pullRequests };
        const follower = await landingOf([await open(2)], onTop);
        expect(await world.branches()).toEqual(['main']);
        const outcome = await host.land(ahead);
        expect(outcome).toMatchObject({ type: 'landed', tip: { tree: ahead.testedTree } });
        expect(await host.land(ahead)).toEqual(outcome);
        const then = { ...follower, expectedTip: (await tip()).commit };
        expect(await host.land(then)).toMatchObject({ type: 'landed', tip: { tree: follower.testedTree } });
        const there = await tip();
        expect(there.commit === follower.testedCommit).toBe(landsInOneMove(mergeMethod));
        const files = { 'README.md': 'hello\n', '1.txt': '1\n', '2.txt': '2\n' };
        expect(await world.files(there.commit)).toEqual(files);
      });

      it('lands several runs, each pull request by commits of its own', async () => {
        const [one, two, three] = [await open(1), await open(2), await open(3)];
        const ahead = await tested([one, two], { mergeMethod });
        const behind = { mergeMethod, onto: ahead.testedCommit, alreadyMerged: [one, two], committedAt: LATER };
        const proof = await landingOf([three], behind);
        await push(proof.testedCommit, 'sluice-merge/pr-3/run');
        const testingBranches = [BRANCH, 'sluice-merge/pr-3/run', 'sluice-merge/pr-3/never-pushed'];
        const landing = { ...proof, pullRequests: [one, two, three], testingBranches };
        const outcome = await host.land(landing);
        if (outcome.type !== 'landed') throw new Error(JSON.stringify(outcome));
        expect(outcome.commits.map(({ number }) => number)).toEqual([1, 2, 3]);
        expect(outcome.commits.slice(1).map(({ tree }) => tree)).toEqual([ahead.testedTree, proof.testedTree]);
        expect(new Set(outcome.commits.map(({ commit }) => commit)).size).toBe(3);
        expect(await tip()).toEqual(outcome.tip);
        // By rebase it does not show in the tested commits where one pull request ends: they are made anew.
        const isAsTested = outcome.tip.commit === proof.testedCommit;
        expect(isAsTested).toBe(landsInOneMove(mergeMethod) && mergeMethod !== 'rebase');
        const left = landsInOneMove(mergeMethod) ? [] : [BRANCH, 'sluice-merge/pr-3/run'];
        expect(await world.branches()).toEqual(['main', ...left]);
        expect(await host.land(landing)).toEqual(outcome);
      });

      it('makes commits of its own where nothing was built, even of a head that is on top of the target', async () => {
        const one = await open(1);
        const tree = await host.readTree(repository, one.head);
        const direct = { ...(await landingOf([one], { mergeMethod })), testedCommit: null, testedTree: tree };
        const outcome = await host.land(direct);
        expect(outcome).toMatchObject({ type: 'landed', tip: { tree } });
        const { commit } = await tip();
        expect(commit).not.toBe(one.head);
        expect(await host.containsCommit(repository, commit, one.head)).toBe(mergeMethod === 'merge_commit');
        await world.pushTo('main', { 'later.txt': 'later\n' });
        expect(await host.land(direct)).toEqual(outcome);
      });

      it('lands nothing when the target has moved', async () => {
        const landing = await tested([await open(1)], { mergeMethod });
        await world.pushTo('main', { 'later.txt': 'later\n' });
        expect(await host.land(landing)).toEqual({ type: 'target_moved', tip: await tip() });
        expect(await world.branches()).toEqual(['main', BRANCH]);
      });

      it('lands nothing when a head has moved', async () => {
        const landing = await tested([await open(1), await open(2)], { mergeMethod });
        const head = await world.pushToPullRequest(2, { 'more.txt': 'more\n' });
        expect(await host.land(landing)).toEqual({ type: 'head_moved', number: 2, head });
        expect((await tip()).commit).toBe(landing.expectedTip);
      });

      it('lands nothing of a run when a pull request of it was turned to another branch', async () => {
        const landing = await tested([await open(1), await open(2)], { mergeMethod });
        if (world.turn === undefined) return;
        await world.setBranch('release', landing.expectedTip);
        await world.turn.changeBase(2, 'release');
        const seen = { number: 2, state: 'open', base: 'release' };
        expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen });
        expect([(await tip()).commit, (await tip('release')).commit]).toEqual(Array(2).fill(landing.expectedTip));
      });

      it('lands nothing of a run when a pull request of it was made a draft or closed', async () => {
        const landing = await tested([await open(1), await open(2)], { mergeMethod });
        if (world.turn === undefined) return;
        await world.turn.convertToDraft(2);
        const draft = { number: 2, state: 'open', draft: true };
        expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen: draft });
        await world.turn.close(1);
        const closed = { number: 1, state: 'closed', draft: false };
        expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen: closed });
        expect((await tip()).commit).toBe(landing.expectedTip);
      });

      it('lands nothing whose tree is not the tested one', async () => {
        const landing = await tested([await open(1)], { mergeMethod });
        const { tree } = await tip();
        expect(await host.land({ ...landing, testedTree: tree })).toEqual({
          type: 'tree_differs',
          tree: landing.testedTree,
        });
        expect((await tip()).commit).toBe(landing.expectedTip);
      });

      it('lands lanes in any order, each on top of what the others landed', async () => {
        const [one, two, three] = [await open(1), await open(2), await open(3)];
        const first = await tested([one], { mergeMethod });
        const behindFirst = { mergeMethod, onto: first.testedCommit, alreadyMerged: [one] };
        const second = await landingOf([two], behindFirst);
        const other = await landingOf([three], { mergeMethod });
        const next = async (landing: LandRequest) =>
          host.land({ ...landing, testedTree: null, expectedTip: (await tip()).commit });
        expect(await next(first)).toMatchObject({ type: 'landed', tip: { tree: first.testedTree } });
        const { commit: below } = await tip();
        const third = await next(other);
        expect(third).toMatchObject({ type: 'landed', commits: [{ number: 3 }] });
        expect((await tip()).commit).not.toBe(other.testedCommit);
        expect(await host.containsCommit(repository, (await tip()).commit, below)).toBe(true);
        expect(await next(second)).toMatchObject({ type: 'landed', commits: [{ number: 2 }] });
        const { commit } = await tip();
        expect(commit).not.toBe(second.testedCommit);
        const changes = { '1.txt': '1\n', '2.txt': '2\n', '3.txt': '3\n' };
        expect(await world.files(commit)).toEqual({ 'README.md': 'hello\n', ...changes });
      });

      it('merges the change onto the present tip in lanes, and says when it conflicts', async () => {
        const landing = await tested([await open(1), await open(2, { 'README.md': 'two\n' })], { mergeMethod });
        const inLanes = async () => ({ ...landing, testedTree: null, expectedTip: (await tip()).commit });
        const pushed = await world.pushTo('main', { 'README.md': 'another\n' });
        expect(await host.land(await inLanes())).toEqual({ type: 'conflict', number: 2, files: ['README.md'] });
        expect((await tip()).commit).toBe(pushed);
        await world.pushTo('main', { 'README.md': 'hello\n' });
        expect(await host.land(await inLanes())).toMatchObject({ type: 'landed' });
        expect(await world.files((await tip()).commit)).toMatchObject({ '1.txt': '1\n', 'README.md': 'two\n' });
      });
    });

    describe('landing', () => {
      it('moves nothing, by every method of one move, when somebody moves the target after its look', async () => {
        const { commit: start } = await tip();
        const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
        const ahead = await world.pushTo('main', { 'later.txt': 'even later\n' });
        for (const [index, mergeMethod] of METHODS.filter(landsInOneMove).entries()) {
          await world.setBranch('main', pushed);
          const landing = await tested([await open(index + 1)], { mergeMethod });
          // Set back, the landing would still be a fast-forward: only the expected tip stops it.
          for (const there of [ahead, start]) {
            await world.setBranch('main', pushed);
            await world.overtakeNextLanding('main', there);
            expect(await host.land(landing)).toEqual({ type: 'target_moved', tip: await tip() });
            expect((await tip()).commit).toBe(there);
          }
          await world.setBranch('main', pushed);
          await world.overtakeNextLanding('main', null);
          expect(await host.land(landing)).toEqual({ type: 'target_gone' });
          expect(await world.branches()).toEqual([BRANCH]);
          await world.removeBranch(BRANCH);
        }
      });

      it('says when the target is gone', async () => {
        const landing = await tested([await open(1)]);
        await world.removeBranch('main');
        expect(await host.land(landing)).toEqual({ type: 'target_gone' });
      });

      it('does not mind that the testing branch is gone already', async () => {
        const landing = await tested([await open(1)]);
        await world.removeBranch(BRANCH);
        expect(await host.land(landing)).toMatchObject({ type: 'landed' });
      });

      it('lets one of eight land that all expect the same tip', async () => {
        const heads = [1, 2, 3, 4, 5, 6, 7, 8];
        const landings: LandRequest[] = [];
        for (const number of heads) {
          const built = await requestFor([await open(number)]);
          const candidate = await build(built);
          const branches = [`sluice-merge/pr-${number}/run`];
          await push(candidate.commit, branches[0]);
          landings.push({
            ...built,
            expectedTip: built.targetTip,
            testedCommit: candidate.commit,
            testedTree: candidate.tree,
            testingBranches: branches,
          });
        }
        const outcomes = await Promise.all(landings.map((landing) => host.land(landing)));
        const winners = landings.filter((_, index) => outcomes[index]?.type === 'landed');
        expect(winners).toHaveLength(1);
        expect(outcomes.filter(({ type }) => type === 'target_moved')).toHaveLength(7);
        expect((await tip()).commit).toBe(winners[0]?.testedCommit);
        expect(await world.branches()).toHaveLength(8);
      });

      it('lands a request once that eight send at the same time', async () => {
        const landing = await tested([await open(1)]);
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => host.land(landing)));
        expect(outcomes.map(({ type }) => type)).toEqual(Array(8).fill('landed'));
        expect((await tip()).commit).toBe(landing.testedCommit);
      });
    });

    describe('a host that does not answer', () => {
      it('fails every request with HostUnavailable, and goes on afterwards', async () => {
        const landing = await tested([await open(1)]);
        const { commit } = await tip();
        await world.goDown();
        const requests: (() => Promise<unknown>)[] = [
          () => host.findRepository(repository),
          () => host.readBranch(repository, 'main'),
          () => host.readPullRequest(repository, 1, 'main'),
          () => host.readState(repository, ['main'], [1]),
          () => push(landing.testedCommit),
          () => host.removeTestingBranch(repository, BRANCH, RUN),
          () => host.land(landing),
        ];
        for (const request of requests) {
          await expect(request()).rejects.toMatchObject({ name: 'HostUnavailable' });
        }
        await world.recover();
        expect((await tip()).commit).toBe(commit);
        expect(await host.land(landing)).toMatchObject({ type: 'landed' });
      });
    });
  });
}
