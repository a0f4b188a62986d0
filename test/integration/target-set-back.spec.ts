import { World } from '../support/world';

describe.each(['git', 'memory'] as const)(
  'a target branch that somebody moves back to an earlier commit (%s)',
  (host) => {
    let world: World;

    beforeEach(async () => {
      world = await World.create({ host });
      await world.createQueue({ requiredStatuses: ['tests'], mergeMethod: 'squash' });
    });
    afterEach(() => world.close());

    /** Submits a pull request, and lets the service poll the host while the entry waits. */
    async function wait(number: number, from?: string): Promise<void> {
      if (host === 'git') world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' }, { from });
      else world.memory.openPullRequest(number, { files: { [`${number}.txt`]: 'new\n' } });
      await world.submit(number);
      await world.settles();
    }

    const tip = (): string => (host === 'git' ? world.git.tip('main') : world.memory.tip('main').commit);
    const setBack = (commit: string): void => {
      if (host === 'git') world.git.setBranch('main', commit);
      else world.memory.branches.set('main', commit);
    };

    async function merge(number: number): Promise<string> {
      if (host === 'git') world.git.openPullRequest(number, { [`${number}.txt`]: 'new\n' });
      else world.memory.openPullRequest(number, { files: { [`${number}.txt`]: 'new\n' } });
      await world.submit(number);
      await world.settles();
      await world.report(number, 'success');
      expect(await world.stateOf(number)).toBe('merged');
      return tip();
    }

    it('makes the queue cancel exactly the pull requests whose commits are gone', async () => {
      const first = await merge(1);
      await merge(2);
      await merge(3);
      await wait(4);
      await world.advance(1);
      setBack(first);
      await world.looksAtHost();
      expect(await world.stateOf(1)).toBe('merged');
      for (const number of [2, 3]) {
        expect(await world.record(number)).toMatchObject({
          state: 'cancelled',
          stateReason: 'target_set_back',
          stateMessage: 'Removed from the queue: it was merged, and then main was reset to a commit before that merge.',
        });
      }
    });

    it('does not count as moved back after further pushes on top of it', async () => {
      await merge(1);
      await wait(4);
      await world.advance(1);
      if (host === 'git') world.git.pushTo('main', { 'outside.txt': 'x\n' });
      else world.memory.pushTo('main', { 'outside.txt': 'x\n' });
      await world.looksAtHost();
      expect(await world.stateOf(1)).toBe('merged');
    });

    it('gets the cancelled pull requests again when they are submitted again', async () => {
      if (host === 'memory') return;
      const before = world.git.tip('main');
      await merge(1);
      await world.updateQueue({ concurrency: 2 });
      await wait(4, before);
      await world.advance(1);
      setBack(before);
      await world.looksAtHost();
      await world.submit(1);
      await world.settles();
      for (const number of [4, 1]) await world.report(number, 'success');
      expect(await world.stateOf(1)).toBe('merged');
      expect(Object.keys(world.git.files('main'))).toContain('1.txt');
    });
  },
);
