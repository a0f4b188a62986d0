import { World } from '../support/world';

const FLOW = {
  scheduling: 'flow',
  canOptimisticallyMerge: true,
  batch: true,
  batchingMinSize: 4,
  concurrency: 2,
  requiredStatuses: ['tests'],
};

describe('a queue that is scheduled by flow, on real git', () => {
  let world: World;
  /** Trees that CI passed. */
  let passed: Set<string>;
  /** Commits that CI has answered for. */
  let answered: Set<string>;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    // Git itself records every commit that the target points at.
    world.git.inBare('config', 'core.logAllRefUpdates', 'always');
    passed = new Set([treeOf('main')]);
    answered = new Set();
    await world.createQueue(FLOW);
  });

  afterEach(() => world.close());

  const treeOf = (commit: string): string => world.git.inBare('rev-parse', `${commit}^{tree}`);

  /** Those that CI has not answered for, the oldest run first. */
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

  /** One round of CI: what has a file called bad fails. Answers the files of what was tested, without those of the target at first. */
  async function ciAnswers(of: World = world): Promise<readonly string[]> {
    await of.settles();
    const said: string[] = [];
    for (const { commit, files } of await inTest()) {
      answered.add(commit);
      const isRed = files.some((file) => file.startsWith('bad'));
      if (!isRed) passed.add(treeOf(commit));
      said.push(`${files.filter((file) => file !== 'README.md').join(' ')}: ${isRed ? 'red' : 'green'}`);
      const state = isRed ? 'failure' : 'success';
      await of.api.mustPost('reportStatus', { repo: of.repo, sha: commit, context: 'tests', state });
    }
    await of.settles();
    return said;
  }

  /** Until nothing is tested any more. */
  async function roundsOfCi(of: World = world): Promise<readonly string[]> {
    const rounds: string[] = [];
    for (let said = await ciAnswers(of); said.length > 0; said = await ciAnswers(of)) rounds.push(said.join(', '));
    return rounds;
  }

  async function submitted(files: Readonly<Record<number, string>>): Promise<void> {
    await world.updateQueue({ state: 'paused' });
    for (const [number, file] of Object.entries(files)) {
      world.git.openPullRequest(Number(number), { [file]: `${number}\n` });
      expect((await world.submit(Number(number))).status).toBe(200);
    }
    await world.updateQueue({ state: 'running' });
  }

  async function states(...numbers: number[]): Promise<readonly string[]> {
    return Promise.all(numbers.map((number) => world.stateOf(number)));
  }

  function expectOnlyTested(): void {
    const pointedAt = world.git.inBare('reflog', 'show', '--format=%T', 'main').split('\n');
    expect(pointedAt.filter((tree) => !passed.has(tree))).toEqual([]);
  }

  it('is not left by settings that it needs: nothing of such an update is applied', async () => {
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

  it('merges one that passes', async () => {
    await submitted({ 1: 'one' });
    await world.advance(5);
    expect(await ciAnswers()).toEqual(['one: green']);
    expect(await states(1)).toEqual(['merged']);
    expectOnlyTested();
  });

  it('merges three of a group of four, and fails the one that breaks the tests', async () => {
    await submitted({ 1: 'one', 2: 'two', 3: 'bad', 4: 'four' });
    expect(await roundsOfCi()).toEqual([
      'bad four one two: red',
      'one two: green',
      'bad one two: red',
      'bad one two: red, four one two: green',
    ]);
    expect(await states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'failed', 'merged']);
    expectOnlyTested();
  });
});
