import { Wakeups } from '../../src/platform/wakeups/wakeups';
import { World } from '../support/world';

describe('a pull request of a plain git repository', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'git' });
  });
  afterAll(() => world.close());

  it('is tested on the target and merges once its required status has passed', async () => {
    const { git } = world;
    const head = git.openPullRequest(7, { 'seven.txt': 'seven\n' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    expect((await world.submit(7)).status).toBe(200);
    await world.settles();
    expect(await world.record(7)).toMatchObject({ state: 'testing', prSha: head });
    expect(git.branches()).toHaveLength(2);
    await world.report(7, 'success');
    expect(await world.record(7)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
    expect(git.files(git.tip('main'))).toMatchObject({ 'seven.txt': 'seven\n' });
    expect(git.branches()).toEqual(['main']);
  });
});

describe('a sequential queue on the in-memory host', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterEach(() => world.close());

  it('wakes the outbox for a decision with one task, but not for a decision without a task', async () => {
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 1 });
    let wakeups = 0;
    world.app.get(Wakeups).on('outbox', () => (wakeups += 1));
    await world.submit(1);
    expect([wakeups, await world.prisma.outboxTask.count()]).toEqual([1, 1]);
    await world.submit(2);
    expect([wakeups, await world.prisma.outboxTask.count()]).toEqual([1, 1]);
  });

  it('merges passed pull requests one after another, each on top of the one before', async () => {
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
