import { World } from '../support/world';

describe('plain git: the queue notices a manual merge of a waiting pull request', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    for (const number of [1, 2, 3]) world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' });
    await world.createQueue({ requiredStatuses: ['tests'] });
  });
  afterEach(() => world.close());

  /** Merges as `git merge --no-ff` and `git push` do. */
  function mergeByHand(number: number): void {
    const head = world.git.head(number)!;
    const base = world.git.tip('main');
    const tree = world.git.inBare('merge-tree', '--write-tree', base, head);
    world.git.setBranch(
      'main',
      world.git.inBare('commit-tree', tree, '-p', base, '-p', head, '-m', `by hand: ${number}`),
    );
  }

  it('behind running tests', async () => {
    for (const number of [1, 2, 3]) await world.submit(number);
    await world.settles();
    mergeByHand(3);
    await world.looksAtHost();
    expect(await world.record(3)).toMatchObject({ state: 'merged', stateReason: 'manual_merge' });
    expect(await world.stateOf(2)).toBe('pending');
  });

  it('in a paused queue', async () => {
    await world.updateQueue({ state: 'paused' });
    await world.submit(1);
    mergeByHand(1);
    await world.looksAtHost();
    expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'manual_merge' });
  });

  it('even if the queue found the new tip before the poll', async () => {
    for (const number of [1, 2, 3]) await world.submit(number);
    await world.settles();
    await world.looksAtHost();
    mergeByHand(3);
    await world.report(1, 'success');
    expect(await world.stateOf(3)).toBe('pending');
    expect((await world.prisma.queue.findFirstOrThrow()).tipCommit).toBe(world.git.tip('main'));
    await world.looksAtHost();
    expect(await world.record(3)).toMatchObject({ state: 'merged', stateReason: 'manual_merge' });
  });

  it('even if the merge happened while the service was stopped', async () => {
    await world.updateQueue({ state: 'paused' });
    await world.submit(1);
    mergeByHand(1);
    const other = await world.join();
    try {
      await other.looksAtHost();
    } finally {
      await other.close();
    }
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('if the target contains its commits, not if the target only has the same files', async () => {
    await world.updateQueue({ state: 'paused' });
    await world.submit(1);
    world.git.pushTo('main', { '1.txt': 'new\n' });
    await world.looksAtHost();
    expect(await world.stateOf(1)).toBe('pending');
  });
});
