import { inShortRun, repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

let world: World;

beforeEach(async () => {
  world = await World.create({ host: 'git' });
  for (const number of [1, 2]) world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' });
});
afterEach(() => world.close());

async function submit(...numbers: readonly number[]): Promise<void> {
  for (const number of numbers) await world.submit(number);
  await world.settles();
}

const NOTHING = { state: 'cancelled', stateReason: 'nothing_to_merge' };

describe.each(repetitionsOfThisRun(['squash', 'rebase'] as const))(
  'by %s, a change that the target already has',
  (mergeMethod) => {
    beforeEach(() => world.createQueue({ requiredStatuses: ['tests'], concurrency: 3, mergeMethod }));

    it('is removed from the queue without a test and without a commit, and may be submitted again', async () => {
      const tip = world.git.pushTo('main', { '1.txt': 'new\n' }, 'Change 1, squashed by hand');
      await submit(1);
      expect(await world.record(1)).toMatchObject({
        ...NOTHING,
        stateMessage: 'Removed from the queue: there is nothing to merge, because main already has all its changes.',
      });
      expect(world.git.tip('main')).toBe(tip);
      expect(world.git.branches()).toEqual(['main']);

      world.git.pushToPullRequest(1, { 'more.txt': 'more\n' });
      await submit(1);
      await world.report(1, 'success');
      expect(await world.stateOf(1)).toBe('merged');
      expect(Object.keys(world.git.files('main'))).toContain('more.txt');
    });

    it('is removed from its batch, and the other pull requests are tested without it', async () => {
      await world.updateQueue({ batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 1 });
      world.git.pushTo('main', { '1.txt': 'new\n' }, 'Change 1, squashed by hand');
      await submit(1, 2);
      await world.advance(2);
      expect(await world.record(1)).toMatchObject(NOTHING);
      expect(await world.stateOf(2)).toBe('testing');
      await world.report(2, 'success');
      expect(await world.stateOf(2)).toBe('merged');
    });

    it('is removed once a pull request ahead of it with the same change has merged', async () => {
      world.git.openPullRequest(3, { '1.txt': 'new\n' });
      await submit(1, 3);
      await world.report(1, 'success');
      const tip = world.git.tip('main');
      expect(await world.stateOf(3)).toBe('testing');
      await world.report(3, 'success');
      expect(await world.stateOf(1)).toBe('merged');
      expect(await world.record(3)).toMatchObject(NOTHING);
      expect(world.git.tip('main')).toBe(tip);
    });

    it('is removed once a pull request of the same batch with the same change has merged', async () => {
      await world.updateQueue({ batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 1 });
      world.git.openPullRequest(3, { '1.txt': 'new\n' });
      await submit(1, 3, 2);
      await world.report(2, 'success');
      expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'merged']);
      expect(await world.record(3)).toMatchObject(NOTHING);
    });

    it('does not block pull requests that depend on it', async () => {
      world.git.openPullRequest(3, { '3.txt': 'new\n' }, { body: 'Depends-On: #1' });
      world.git.pushTo('main', { '1.txt': 'new\n' }, 'Change 1, squashed by hand');
      await submit(1, 3);
      expect(await world.record(1)).toMatchObject(NOTHING);
      await world.report(3, 'success');
      expect(await world.stateOf(3)).toBe('merged');
    });

    it('merges as an empty commit if the pull request was empty from the start', async () => {
      world.git.openPullRequest(3, {}, { title: 'Start CI' });
      const before = world.git.tip('main');
      await submit(3);
      await world.report(3, 'success');
      expect(await world.stateOf(3)).toBe('merged');
      expect(world.git.inBare('rev-parse', 'main~1')).toBe(before);
      expect(world.git.inBare('log', '-1', '--format=%s', 'main')).toMatch(/^Start CI/);
    });
  },
);

inShortRun(() => {
  describe('by merge commit, a pull request that changes nothing on the target', () => {
    beforeEach(() => world.createQueue({ requiredStatuses: ['tests'], concurrency: 3, mergeMethod: 'merge_commit' }));

    it('is tested and merged', async () => {
      const tip = world.git.pushTo('main', { '1.txt': 'new\n' }, 'Change 1, squashed by hand');
      await submit(1);
      await world.report(1, 'success');
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      expect(world.git.inBare('rev-parse', 'main^1', 'main^2')).toBe(`${tip}\n${world.git.head(1)}`);
    });

    it('is merged after another pull request brought the same change', async () => {
      world.git.openPullRequest(3, { '1.txt': 'new\n' });
      await submit(1, 3);
      await world.report(1, 'success');
      await world.report(3, 'success');
      expect([await world.stateOf(1), await world.stateOf(3)]).toEqual(['merged', 'merged']);
      expect(world.git.inBare('rev-parse', 'main^2')).toBe(world.git.head(3));
    });
  });
});
