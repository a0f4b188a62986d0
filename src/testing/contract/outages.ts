import type { ContractSuite } from './contract-suite';
import { TEST_RUN, TESTING_BRANCH } from './host-under-test';

export function describeOutages({ describe, it, expect }: ContractSuite): void {
  describe('a host that does not answer', () => {
    it('fails every request with HostUnavailable, and works again afterwards', async ({
      world,
      host,
      repository,
      tip,
      open,
      push,
      tested,
    }) => {
      const landing = await tested([await open(1)]);
      const { commit } = await tip();
      await world.goDown();
      const requests: (() => Promise<unknown>)[] = [
        () => host.findRepository(repository),
        () => host.readBranch(repository, 'main'),
        () => host.readPullRequest(repository, 1, 'main'),
        () => host.readState(repository, ['main'], [1]),
        () => push(landing.testedCommit),
        () => host.removeTestingBranch(repository, TESTING_BRANCH, TEST_RUN),
        () => host.land(landing),
      ];
      for (const request of requests) {
        await expect(request()).rejects.toMatchObject({ name: 'HostUnavailable' });
      }
      await world.recover();
      expect((await tip()).commit).toBe(commit);
      expect(await host.land(landing)).toMatchObject({ type: 'landed' });
    });
  });
}
