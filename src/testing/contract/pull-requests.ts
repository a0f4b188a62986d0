import type { ContractSuite } from './contract-suite';

export function describePullRequests({ describe, it, expect }: ContractSuite): void {
  describe('pull requests', () => {
    it('describes an open pull request', async ({ host, repository, open }) => {
      const { head } = await open(7);
      const seen = await host.readPullRequest(repository, 7, 'main');
      expect(seen).toMatchObject({
        number: 7,
        head,
        state: 'open',
        draft: false,
        mergeability: 'mergeable',
        title: 'Change 7',
      });
      expect(seen?.observedAt).toBeInstanceOf(Date);
    });

    it('finds no pull request with another number', async ({ host, repository }) => {
      for (const number of [1, 0, -1, 2 ** 31, 1.5]) {
        expect(await host.readPullRequest(repository, number, 'main')).toBeNull();
      }
    });

    it('says that a pull request with a conflict cannot be merged', async ({ world, host, repository, open }) => {
      await open(1, { 'README.md': 'one\n' });
      await world.pushTo('main', { 'README.md': 'another\n' });
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({
        state: 'open',
        mergeability: 'not_mergeable',
      });
    });

    it('checks mergeability against the requested branch', async ({ world, host, repository, tip, open }) => {
      await open(1, { 'README.md': 'one\n' });
      await world.setBranch('stable', (await tip()).commit);
      await world.pushTo('stable', { 'README.md': 'another\n' });
      expect(await host.readPullRequest(repository, 1, 'stable')).toMatchObject({ mergeability: 'not_mergeable' });
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ mergeability: 'mergeable' });
    });

    it('sees that a pull request is merged if the target contains its head', async ({
      world,
      host,
      repository,
      open,
    }) => {
      const { head } = await open(1);
      await world.setBranch('main', head);
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ state: 'merged' });
    });

    it('sees the new head after a push', async ({ world, host, repository, open }) => {
      await open(1);
      const head = await world.pushToPullRequest(1, { 'more.txt': 'more\n' });
      expect(await host.readPullRequest(repository, 1, 'main')).toMatchObject({ head, state: 'open' });
    });
  });
}
