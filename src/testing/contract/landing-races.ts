import type { LandRequest } from '../../domain/code-host.port';
import type { ContractSuite } from './contract-suite';
import { CONTRACT_METHODS, TESTING_BRANCH } from './host-under-test';

export function describeLandingRaces({ describe, it, expect }: ContractSuite): void {
  describe('landing', () => {
    it('by any method of one move, moves nothing if somebody moves the target after the host read it', async ({
      world,
      host,
      tip,
      open,
      tested,
      landsInOneMove,
    }) => {
      const { commit: start } = await tip();
      const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
      const ahead = await world.pushTo('main', { 'later.txt': 'even later\n' });
      for (const [index, mergeMethod] of CONTRACT_METHODS.filter(landsInOneMove).entries()) {
        await world.setBranch('main', pushed);
        const landing = await tested([await open(index + 1)], { mergeMethod });
        // On a branch that was set back, the merge would still be a fast-forward: only the check of the expected tip
        // prevents the merge.
        for (const there of [ahead, start]) {
          await world.setBranch('main', pushed);
          await world.overtakeNextLanding('main', there);
          expect(await host.land(landing)).toEqual({ type: 'target_moved', tip: await tip() });
          expect((await tip()).commit).toBe(there);
        }
        await world.setBranch('main', pushed);
        await world.overtakeNextLanding('main', null);
        expect(await host.land(landing)).toEqual({ type: 'target_gone' });
        expect(await world.branches()).toEqual([TESTING_BRANCH]);
        await world.removeBranch(TESTING_BRANCH);
      }
    });

    it('reports a deleted target', async ({ world, host, open, tested }) => {
      const landing = await tested([await open(1)]);
      await world.removeBranch('main');
      expect(await host.land(landing)).toEqual({ type: 'target_gone' });
    });

    it('accepts that the testing branch is already gone', async ({ world, host, open, tested }) => {
      const landing = await tested([await open(1)]);
      await world.removeBranch(TESTING_BRANCH);
      expect(await host.land(landing)).toMatchObject({ type: 'landed' });
    });

    it('lets one of eight requests with the same expected tip merge', async ({
      world,
      host,
      tip,
      open,
      requestFor,
      build,
      push,
    }) => {
      const heads = [1, 2, 3, 4, 5, 6, 7, 8];
      const landings: LandRequest[] = [];
      for (const number of heads) {
        const built = await requestFor([await open(number)]);
        const candidate = await build(built);
        const branches = [`sluice-merge/pr-${number}/run`];
        await push(candidate.commit, branches[0]);
        landings.push({
          ...built,
          expectedTip: built.targetTip,
          testedCommit: candidate.commit,
          testedTree: candidate.tree,
          testingBranches: branches,
        });
      }
      const outcomes = await Promise.all(landings.map((landing) => host.land(landing)));
      const winners = landings.filter((_, index) => outcomes[index]?.type === 'landed');
      expect(winners).toHaveLength(1);
      expect(outcomes.filter(({ type }) => type === 'target_moved')).toHaveLength(7);
      expect((await tip()).commit).toBe(winners[0]?.testedCommit);
      expect(await world.branches()).toHaveLength(8);
    });

    it('merges only once if eight callers send the same request at the same time', async ({
      host,
      tip,
      open,
      tested,
    }) => {
      const landing = await tested([await open(1)]);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => host.land(landing)));
      expect(outcomes.map(({ type }) => type)).toEqual(Array(8).fill('landed'));
      expect((await tip()).commit).toBe(landing.testedCommit);
    });
  });
}
