import { World } from '../../src/testing/world';

describe('a line on a host in memory', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterEach(() => world.close());

  it('lands what passes, one after another, each on the one before', async () => {
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 3 });
    for (const number of [1, 2, 3]) expect((await world.submit(number)).status).toBe(200);
    await world.settles();
    expect(await Promise.all([1, 2, 3].map((n) => world.stateOf(n)))).toEqual(['testing', 'testing', 'testing']);
    await world.report(3, 'success');
    await world.report(2, 'success');
    expect(await Promise.all([1, 2, 3].map((n) => world.stateOf(n)))).toEqual([
      'testing',
      'tests_passed',
      'tests_passed',
    ]);
    await world.report(1, 'success');
    expect(await Promise.all([1, 2, 3].map((n) => world.stateOf(n)))).toEqual(['merged', 'merged', 'merged']);
    expect(Object.keys(world.memory.files(world.memory.tip('main').commit)).sort()).toEqual([
      'README.md',
      'change-1.txt',
      'change-2.txt',
      'change-3.txt',
    ]);
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });
});
