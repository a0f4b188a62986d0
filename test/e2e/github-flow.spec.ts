import { repetitionsOfThisRun } from '../support/long-run';
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

const PLAYED = repetitionsOfThisRun(['merge_commit', 'squash', 'rebase']);

describe.each(PLAYED)('a team merges on GitHub with flow scheduling, by %s', (mergeMethod) => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'github' });
    world.githubRepository.answerUnknown(0);
    await world.createQueue({ ...FLOW, mergeMethod });
  });

  afterEach(() => world.close());

  const filesOf = (commit: string): readonly string[] => Object.keys(world.githubRepository.files(commit));

  /** Plays one round of CI, in which commits with a file called bad fail. Returns the number of tested commits. */
  async function ciAnswers(answered: Set<string>): Promise<number> {
    await world.settles();
    const { githubRepository: repository } = world;
    const tips = repository
      .branches()
      .filter((branch) => branch.startsWith('sluice-merge/'))
      .map((branch) => repository.tip(branch))
      .filter((commit) => !answered.has(commit));
    for (const commit of tips) {
      answered.add(commit);
      repository.setStatus(commit, 'tests', filesOf(commit).includes('bad') ? 'failure' : 'success');
    }
    await world.settles();
    return tips.length;
  }

  it('three of a batch of four; the pull request that breaks the tests fails', async () => {
    const files = ['one', 'two', 'bad', 'four'];
    for (const [i, file] of files.entries()) {
      world.githubRepository.openPullRequest({ [file]: `${file}\n` }, { number: i + 1, by: 'ada' });
      expect((await world.submit(i + 1)).status).toBe(200);
    }
    const answered = new Set<string>();
    let rounds = 0;
    while ((await ciAnswers(answered)) > 0) rounds++;
    expect(rounds).toBeLessThan(6);
    const states = await Promise.all([1, 2, 3, 4].map((number) => world.stateOf(number)));
    expect(states).toEqual(['merged', 'merged', 'failed', 'merged']);
    const target = filesOf(world.githubRepository.tip('main'));
    expect([target.includes('bad'), target.includes('one'), target.includes('two'), target.includes('four')]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(world.githubRepository.branches().filter((branch) => branch.startsWith('sluice-merge/'))).toEqual([]);
  });
});
