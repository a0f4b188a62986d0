import { FORGES, type ForgePlace } from '../support/forges';
import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const STATUS = 'unit';
const BATCHES = { batch: true, batchingMinSize: 3, optimizationMode: 'bisection_skip_redundant_tests' };

describe.each(repetitionsOfThisRun(FORGES))('on $name a queue', ({ at, hurry, kind, mergeMethods }) => {
  let world: World;
  let place: ForgePlace;

  beforeAll(async () => {
    world = await World.create({ host: kind });
    ({ place } = at(world));
    hurry(world);
    place.changePermission('grace', 'write');
    const settings = {
      requiredStatuses: [STATUS],
      mergeMethod: mergeMethods[0],
      concurrency: 1,
      bisectionConcurrency: 2,
    };
    await world.createQueue({ ...settings, ...BATCHES });
  });
  afterAll(() => world.close());

  const setUp = (settings: object): Promise<unknown> =>
    world.api.mustPost('updateQueue', { repo: world.repo, targetBranch: 'main', ...settings });

  const open = (file: string, from?: string): number =>
    place.openPullRequest({ [file]: 'new\n' }, { by: 'ada', ...(from === undefined ? {} : { from }) }).number;

  const say = async (words: string, ...numbers: readonly number[]): Promise<void> => {
    for (const number of numbers) {
      place.comment(number, words, 'grace');
      await world.settles();
    }
  };

  const testingBranches = (): readonly string[] => place.branches().filter((name) => name.startsWith('sluice-merge/'));

  /** Lets CI test until nothing is left to test: commits with a file called bad fail. */
  const test = async (): Promise<void> => {
    const answered = new Set<string>();
    for (let round = 0; round < 12 && testingBranches().length > 0; round++) {
      const commits = testingBranches().map((branch) => place.tip(branch));
      const asked = commits.filter((commit) => !answered.has(commit));
      for (const commit of asked) {
        place.setStatus(commit, STATUS, 'bad' in place.files(commit) ? 'failure' : 'success');
        answered.add(commit);
      }
      if (asked.length > 0) await world.settles();
      else await world.advance(6);
    }
    expect(testingBranches()).toEqual([]);
  };

  const states = (...numbers: number[]): Promise<string[]> => Promise.all(numbers.map((one) => world.stateOf(one)));
  const target = (): readonly string[] => Object.keys(place.files(place.tip('main')));

  it('finds the pull request that makes a batch fail, and merges the other pull requests', async () => {
    const culprit = open('bad');
    const numbers = [culprit, open('one'), open('two')];
    await say('/sluice merge', ...numbers);
    expect(testingBranches()).toHaveLength(1);
    await test();
    expect([await states(...numbers), target()]).toEqual([
      ['failed', 'merged', 'merged'],
      ['README.md', 'one', 'two'],
    ]);
    expect(place.comments(culprit).at(-1)?.body).toContain(STATUS);
  });

  it('merges a pull request whose test included a cancelled pull request, without the cancelled changes', async () => {
    await setUp({ batch: false, concurrency: 4 });
    const [cancelled, behind] = [open('cancelled'), open('behind')];
    await say('/sluice merge', cancelled, behind);
    expect(testingBranches()).toHaveLength(2);
    await say('/sluice cancel', cancelled);
    await test();
    expect(await states(cancelled, behind)).toEqual(['cancelled', 'merged']);
    expect([target().includes('cancelled'), target().includes('behind')]).toEqual([false, true]);
  });

  it("names a person who moved the testing branch, and uses CI's results for the tested commit", async () => {
    const number = open('moved');
    await say('/sluice merge', number);
    const [branch = ''] = testingBranches();
    const tested = place.tip(branch);
    const elsewhere = place.tip('main');
    place.setBranch(branch, elsewhere, 'grace');
    await world.settles();
    expect((await world.record(number)).waitingFor).toContain(
      `grace moved the branch ${branch} to ${elsewhere.slice(0, 8)}, but only reports on ${tested.slice(0, 8)} count`,
    );
    place.setStatus(tested, STATUS, 'success');
    await world.settles();
    expect(await world.stateOf(number)).toBe('merged');
  });

  it('merges a stack, beginning with its lowest pull request', async () => {
    const foot = open('foot');
    const top = open('top', place.headOf(foot));
    await say('/sluice merge', foot, top);
    await test();
    expect(await states(foot, top)).toEqual(['merged', 'merged']);
    expect([target().includes('foot'), target().includes('top')]).toEqual([true, true]);
  });

  it('merges a pull request at once if its head has passed on the present target', async () => {
    await setUp({ directMergeMode: 'always' });
    const number = open('direct');
    place.setStatus(place.headOf(number), STATUS, 'success');
    await say('/sluice merge', number);
    expect(await world.record(number)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
    expect(target()).toContain('direct');
  });
});
