import { World } from '../support/world';

const FLOW = {
  scheduling: 'flow',
  canOptimisticallyMerge: true,
  batch: true,
  batchingMinSize: 4,
  concurrency: 1,
  optimizationMode: 'bisection_skip_redundant_tests',
  requiredStatuses: ['tests'],
};

/** A group of four pull requests, of which the third is bad. Each line has the files that CI tests in one round. */
const ROUNDS_OF_FOUR = ['bad four one two: red', 'one two: green', 'bad one two: red, four one two: green'];

describe('a queue with flow scheduling, on real git', () => {
  let world: World;
  /** Trees for which CI has passed. */
  let passed: Set<string>;
  /** Commits to which CI has given a result. */
  let answered: Set<string>;
  /** While true, CI fails for every commit. */
  let isCiDown: boolean;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    // git itself records every movement of the target.
    world.git.inBare('config', 'core.logAllRefUpdates', 'always');
    passed = new Set([treeOf('main')]);
    answered = new Set();
    isCiDown = false;
    await world.createQueue(FLOW);
  });

  afterEach(() => world.close());

  const treeOf = (commit: string): string => world.git.inBare('rev-parse', `${commit}^{tree}`);

  /** Commits to which CI has not given a result, the commit of the oldest run first. */
  async function inTest(): Promise<readonly { readonly commit: string; readonly files: readonly string[] }[]> {
    const runs = await world.prisma.testRun.findMany({
      where: { live: true, phase: 'testing' },
      orderBy: { number: 'asc' },
    });
    return runs
      .map(({ commit }) => commit!)
      .filter((commit) => !answered.has(commit))
      .map((commit) => ({ commit, files: Object.keys(world.git.files(commit)) }));
  }

  /**
   * Plays one round of CI, in which commits with a file called bad fail. Returns the files of the tested commits,
   * without the initial files of the target.
   */
  async function ciAnswers(of: World = world): Promise<readonly string[]> {
    await of.settles();
    const said: string[] = [];
    for (const { commit, files } of await inTest()) {
      answered.add(commit);
      const isRed = isCiDown || files.some((file) => file.startsWith('bad'));
      if (!isRed) passed.add(treeOf(commit));
      said.push(`${files.filter((file) => file !== 'README.md').join(' ') || 'README.md'}: ${isRed ? 'red' : 'green'}`);
      const state = isRed ? 'failure' : 'success';
      await of.api.mustPost('reportStatus', { repo: of.repo, sha: commit, context: 'tests', state });
    }
    await of.settles();
    return said;
  }

  /** Plays rounds of CI until nothing is tested any more. */
  async function roundsOfCi(of: World = world): Promise<readonly string[]> {
    const rounds: string[] = [];
    for (let said = await ciAnswers(of); said.length > 0; said = await ciAnswers(of)) rounds.push(said.join(', '));
    return rounds;
  }

  async function submitted(files: Readonly<Record<number, string>>, state = 'running'): Promise<void> {
    await world.updateQueue({ state: 'paused' });
    for (const [number, file] of Object.entries(files)) {
      world.git.openPullRequest(Number(number), { [file]: `${number}\n` });
      expect((await world.submit(Number(number))).status).toBe(200);
    }
    await world.updateQueue({ state });
  }

  async function states(...numbers: number[]): Promise<readonly string[]> {
    return Promise.all(numbers.map((number) => world.stateOf(number)));
  }

  /** The roles of the runs that tested this pull request, in order. */
  async function rolesOfRunsWith(number: number): Promise<readonly unknown[]> {
    const runs = await world.prisma.testRun.findMany({
      where: { members: { some: { number } } },
      orderBy: { number: 'asc' },
    });
    return runs.map(({ flow }) => (flow as { role?: unknown } | null)?.role);
  }

  function expectOnlyTested(): void {
    const pointedAt = world.git.inBare('reflog', 'show', '--format=%T', 'main').split('\n');
    expect(pointedAt.filter((tree) => !passed.has(tree))).toEqual([]);
  }

  it('refuses a settings update that would disable what flow scheduling needs, and applies no part of it', async () => {
    const update = (settings: object) =>
      world.api.post('updateQueue', { repo: world.repo, targetBranch: 'main', concurrency: 9, ...settings });
    for (const settings of [{ mode: 'parallel' }, { canOptimisticallyMerge: false }]) {
      const { status, body } = await update(settings);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('or scheduling to in_order')]);
    }
    expect((await update({ scheduling: 'IN_ORDER', canOptimisticallyMerge: false })).body).toMatchObject({
      scheduling: 'in_order',
      canOptimisticallyMerge: false,
    });
    const audited = await world.prisma.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(audited).toMatchObject({
      action: 'queue.updated',
      before: { scheduling: 'flow' },
      after: { scheduling: 'in_order' },
    });
  });

  it('merges a pull request that passes', async () => {
    await submitted({ 1: 'one' });
    await world.advance(5);
    expect(await ciAnswers()).toEqual(['one: green']);
    expect(await states(1)).toEqual(['merged']);
    expectOnlyTested();
  });

  it('fails a passed pull request that now conflicts with the target, and merges the other pull requests', async () => {
    await world.updateQueue({ batch: false });
    world.git.openPullRequest(1, { 'README.md': 'one\n' });
    world.git.openPullRequest(2, { two: '2\n' });
    for (const number of [1, 2]) await world.submit(number);
    await world.settles();
    world.git.pushTo('main', { 'README.md': 'another\n' });
    passed.add(treeOf('main'));
    await world.looksAtHost();
    expect(await roundsOfCi()).toEqual(['README.md: green, two: green', 'two: green']);
    expect(await states(1, 2)).toEqual(['failed', 'merged']);
    expect((await world.record(1)).stateMessage).toMatch(/conflicts with main in `?README\.md/i);
    // Pull request 2 stays passed, because nothing suggests that it conflicts with another one.
    expect(await rolesOfRunsWith(2)).toEqual(['group', 'check', 'check']);
    expect(world.git.files('main')).toEqual({ 'README.md': 'another\n', two: '2\n' });
    expectOnlyTested();
  });

  it('tests pull requests of one area on top of each other, and pull requests of other areas in parallel', async () => {
    await world.updateQueue({ batch: false, bisectionConcurrency: 1 });
    await submitted({ 1: 'one', 2: 'two', 3: 'three', 4: 'four' }, 'paused');
    for (const number of [1, 2]) {
      const request = { repo: world.repo, targetBranch: 'main', pr: { number }, impactedTargets: ['api'] };
      expect((await world.api.post('setImpactedTargets', request)).status).toBe(200);
    }
    await world.updateQueue({ state: 'running' });
    await world.settles();
    expect((await inTest()).map(({ files }) => files.filter((file) => file !== 'README.md').join(' '))).toEqual([
      'one',
      'three',
    ]);
    expect((await world.record(2)).waitingFor).toContain(
      'It changes the same area as #1. It starts together with #1, on top of #1, or when a slot would stay empty. In that area, semantic conflicts occur in 5 % of cases (the default of a new queue)',
    );
    expect((await roundsOfCi()).join(', ')).not.toMatch(/(^|, )two: /);
    expect(await states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'merged', 'merged']);
    expectOnlyTested();
  });

  it('names the run that includes a pull request awaiting a combined test', async () => {
    await world.updateQueue({ batch: false });
    await submitted({ 1: 'one', 2: 'two' });
    await world.settles();
    world.git.pushTo('main', { another: 'a push that bypasses the queue' });
    await world.looksAtHost();
    expect(await ciAnswers()).toEqual(['one: green', 'one two: green']);
    const { state, timeline } = await world.record(1);
    expect([state, (timeline as { reason: string }[])[1]!.reason]).toEqual(['testing', 'bisection_test_run_passed']);
    const { testedPullRequests, dependentPrs } = await world.details(1);
    const numbers = (named: unknown) => (named as { prNumber: number }[]).map(({ prNumber }) => prNumber);
    expect([numbers(testedPullRequests), numbers(dependentPrs)]).toEqual([[2], [1]]);
    expect(await roundsOfCi()).toEqual(['another one two: green']);
    expect(await states(1, 2)).toEqual(['merged', 'merged']);
    const { learned } = await world.api.mustPost('getQueue', { repo: world.repo, targetBranch: 'main' });
    // The queue has learned from two pull requests without a semantic conflict, in addition to its initial estimate.
    expect(learned).toMatchObject({ misfit: { chance: expect.closeTo(0.2 / 42.2, 5) as number, outcomes: 2 } });
  });

  it('continues a bisection on any instance of the service', async () => {
    await submitted({ 1: 'one', 2: 'two', 3: 'bad', 4: 'four' });
    const rounds: string[] = [];
    for (let life = 1; life <= ROUNDS_OF_FOUR.length; life++) {
      const instance = await world.join();
      rounds.push((await ciAnswers(instance)).join(', '));
      await instance.close();
    }
    expect(rounds).toEqual(ROUNDS_OF_FOUR);
    expect(await states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'failed', 'merged']);
    expectOnlyTested();
  });

  it('is processed by two instances of the service at the same time', async () => {
    const other = await world.join();
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [i + 1, i === 6 ? 'bad' : `file-${i + 1}`]));
    await submitted(files);
    for (let round = 0; round < 40; round++) {
      const [, said] = await Promise.all([other.settles(), ciAnswers(round % 2 === 0 ? world : other)]);
      if (said.length === 0 && (await states(...numbersOf(files))).every((state) => state !== 'testing')) break;
    }
    await other.close();
    const ends = await states(...numbersOf(files));
    expect(ends).toEqual(numbersOf(files).map((number) => (number === 7 ? 'failed' : 'merged')));
    expectOnlyTested();
  });

  it('tests only the target while CI is down, fails no pull request, and then tests all pull requests again', async () => {
    await world.updateQueue({ batch: false });
    await submitted({ 1: 'one', 2: 'bad' });
    isCiDown = true;
    const rounds = [...(await roundsOfCi())];
    for (let minute = 0; minute < 2; minute++) {
      await world.advance(1);
      rounds.push(...(await roundsOfCi()));
    }
    expect((await states(1, 2)).filter((state) => state === 'failed' || state === 'merged')).toEqual([]);
    const targetRun = await world.prisma.testRun.findFirstOrThrow({ orderBy: { number: 'desc' } });
    expect(targetRun.branch).toBe(`sluice-merge/target/${targetRun.id}`);
    // In the last rounds only the target is tested, at growing intervals.
    expect(rounds.slice(-2)).toEqual(['README.md: red', 'README.md: red']);
    isCiDown = false;
    await world.advance(30);
    await roundsOfCi();
    expect(await states(1, 2)).toEqual(['merged', 'failed']);
    expectOnlyTested();
  });

  it('can switch flow scheduling on and off during tests: the tests finish first, and no entry is lost', async () => {
    await world.updateQueue({ scheduling: 'in_order', batch: false, canOptimisticallyMerge: false });
    await submitted({ 1: 'one', 2: 'two' });
    await world.settles();
    const switching = { state: 'switching_modes', scheduling: 'flow' };
    expect(await world.updateQueue({ scheduling: 'flow', canOptimisticallyMerge: true })).toMatchObject(switching);
    expect(await roundsOfCi()).toEqual(['one: green', 'one two: green']);
    expect(await states(1, 2)).toEqual(['merged', 'merged']);
    expect(await rolesOfRunsWith(1)).toEqual([undefined]);
    await submitted({ 3: 'three', 4: 'four' });
    await world.settles();
    const back = { state: 'switching_modes', scheduling: 'in_order' };
    expect(await world.updateQueue({ scheduling: 'in_order' })).toMatchObject(back);
    expect(await roundsOfCi()).toEqual(['one three two: green, four one three two: green']);
    expect(await states(3, 4)).toEqual(['merged', 'merged']);
    expect(await rolesOfRunsWith(4)).toEqual(['group']);
    expectOnlyTested();
  });

  it('merges three of a batch of four, and fails the pull request that breaks the tests', async () => {
    await submitted({ 1: 'one', 2: 'two', 3: 'bad', 4: 'four' });
    expect(await roundsOfCi()).toEqual(ROUNDS_OF_FOUR);
    expect(await states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'failed', 'merged']);
    const { learned } = await world.api.mustPost('getQueue', { repo: world.repo, targetBranch: 'main' });
    expect(learned).toMatchObject({ failure: { chance: expect.closeTo(2 / 24, 5) as number, outcomes: 4 } });
    expectOnlyTested();
  });
});

function numbersOf(files: Readonly<Record<number, string>>): readonly number[] {
  return Object.keys(files).map(Number);
}
