import { World } from '../../src/testing/world';

describe('a pull request of a plain git repository', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'git' });
  });
  afterAll(() => world.close());

  it('is tested on the target and lands once its required status has passed', async () => {
    const { git } = world;
    const head = git.openPullRequest(7, { 'seven.txt': 'seven\n' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    expect((await world.submit(7)).status).toBe(200);
    await world.settles();
    expect(await world.record(7)).toMatchObject({ state: 'testing', prSha: head });
    expect(git.branches()).toHaveLength(2);
    await world.report(7, 'success');
    expect(await world.record(7)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
    expect(git.files(git.tip('main'))).toMatchObject({ 'seven.txt': 'seven' });
    expect(git.branches()).toEqual(['main']);
  });
});
