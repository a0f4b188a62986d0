import type { ContractSuite } from './contract-suite';
import { TEST_RUN, TESTING_BRANCH } from './host-under-test';

export function describeTestingBranches({ describe, it, expect }: ContractSuite): void {
  describe('testing branches', () => {
    it('declare whether they have statuses of their own; if so, no other statuses count', ({ host }) => {
      expect([true, false]).toContain(host.capabilities.hasOwnStatuses);
      return Promise.resolve();
    });

    it('tests the current target in a commit of its own, for a run without pull requests', async ({
      tip,
      requestFor,
      build,
      push,
    }) => {
      const there = await tip();
      const made = await requestFor([]);
      const candidate = await build(made);
      expect(candidate.tree).toBe(there.tree);
      expect(candidate.commit).not.toBe(there.commit);
      expect(await build(made)).toEqual(candidate);
      expect(await push(candidate.commit)).toEqual({ type: 'pushed' });
    });

    it('pushes a branch, also when the request is repeated', async ({ world, open, requestFor, build, push }) => {
      const { commit } = await build(await requestFor([await open(1)]));
      expect(await push(commit)).toEqual({ type: 'pushed' });
      expect(await push(commit)).toEqual({ type: 'pushed' });
      expect(await world.branches()).toEqual(['main', TESTING_BRANCH]);
    });

    it('leaves a branch alone that is already at another commit', async ({
      world,
      tip,
      open,
      requestFor,
      build,
      push,
    }) => {
      const one = await open(1);
      const { commit } = await build(await requestFor([one]));
      await world.setBranch(TESTING_BRANCH, one.head);
      expect(await push(commit)).toEqual({ type: 'exists_elsewhere', commit: one.head });
      expect((await tip(TESTING_BRANCH)).commit).toBe(one.head);
    });

    it('reports the words of a server that refuses a branch, and creates no branch', async ({
      world,
      open,
      requestFor,
      build,
      push,
    }) => {
      const { commit } = await build(await requestFor([await open(1)]));
      if (world.refuseTestingBranches === undefined) return;
      const why = expect.stringContaining(await world.refuseTestingBranches());
      expect(await push(commit)).toEqual({ type: 'refused', why });
      expect(await push(commit)).toEqual({ type: 'refused', why });
      expect(await world.branches()).toEqual(['main']);
    });

    it('names the branch that is in the way if git refuses another branch below its name', async ({
      world,
      open,
      requestFor,
      build,
      push,
    }) => {
      const one = await open(1);
      const { commit } = await build(await requestFor([one]));
      const [above = ''] = TESTING_BRANCH.split('/');
      await world.setBranch(above, one.head);
      const why = expect.stringContaining(`the branch ${above} is in the way`);
      expect(await push(commit)).toEqual({ type: 'refused', why });
      expect(await world.branches()).toEqual(['main', above]);
    });

    it('removes a branch, also when the request is repeated', async ({
      world,
      host,
      repository,
      open,
      requestFor,
      build,
      push,
    }) => {
      await push((await build(await requestFor([await open(1)]))).commit);
      expect(await host.removeTestingBranch(repository, TESTING_BRANCH, TEST_RUN)).toEqual({ type: 'removed' });
      expect(await host.removeTestingBranch(repository, TESTING_BRANCH, TEST_RUN)).toEqual({ type: 'removed' });
      expect(await world.branches()).toEqual(['main']);
    });
  });
}
