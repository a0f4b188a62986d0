import { World } from '../support/world';

describe('a code host that merges one pull request at a time and refuses in the middle of a run', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memoryHost.landOneAtATime();
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) await world.submit(number);
    await world.settles();
    world.memory.pullRequest(2).refusalMidway = 'A review is missing.';
    await world.report(1, 'success');
  });
  afterEach(() => world.close());

  const testingCommits = (): readonly string[] =>
    [...world.memory.branches].filter(([branch]) => branch !== 'main').map(([, commit]) => commit);

  const reportOnTarget = async (state: 'success' | 'failure'): Promise<void> => {
    const [sha] = testingCommits();
    await world.api.mustPost('reportStatus', { repo: world.repo, sha, context: 'tests', state });
    await world.settles();
  };

  it('causes a separate test of the present target; the queue continues when that test passes', async () => {
    expect(await world.record(1)).toMatchObject({ state: 'merged' });
    expect(await world.record(2)).toMatchObject({ state: 'failed', stateReason: 'host_merge_failed' });
    world.memory.openPullRequest(3);
    await world.submit(3);
    await world.settles();
    const [tested] = testingCommits();
    expect(testingCommits()).toHaveLength(1);
    expect(world.memory.objects.get(tested!)).toMatchObject({
      parents: [world.memory.tip('main').commit],
      tree: world.memory.tip('main').tree,
    });
    expect((await world.record(3)).waitingFor).toContain('merged #1 and refused the rest of the run');
    await reportOnTarget('success');
    await world.updateQueue({ batch: false });
    await world.settles();
    expect(await world.stateOf(3)).toBe('testing');
  });

  it('pauses the queue if the separate test of the target fails', async () => {
    await reportOnTarget('failure');
    const { body } = await world.api.post('getQueue', { repo: world.repo, targetBranch: 'main' });
    expect(body).toMatchObject({ state: 'paused' });
    expect(testingCommits()).toEqual([]);
  });
});
