import type { ContractSuite } from './contract-suite';
import { CONTRACT_METHODS, TESTING_BRANCH } from './host-under-test';

export function describeRefusedLandings({ describeEach, it, expect }: ContractSuite): void {
  describeEach(CONTRACT_METHODS, 'refusing to merge by', (mergeMethod) => {
    it('merges nothing when the target has moved', async ({ world, host, tip, open, tested }) => {
      const landing = await tested([await open(1)], { mergeMethod });
      await world.pushTo('main', { 'later.txt': 'later\n' });
      expect(await host.land(landing)).toEqual({ type: 'target_moved', tip: await tip() });
      expect(await world.branches()).toEqual(['main', TESTING_BRANCH]);
    });

    it('merges nothing when a head has moved', async ({ world, host, tip, open, tested }) => {
      const landing = await tested([await open(1), await open(2)], { mergeMethod });
      const head = await world.pushToPullRequest(2, { 'more.txt': 'more\n' });
      expect(await host.land(landing)).toEqual({ type: 'head_moved', number: 2, head });
      expect((await tip()).commit).toBe(landing.expectedTip);
    });

    it('merges nothing of a run when one of its pull requests got another target branch', async ({
      world,
      host,
      tip,
      open,
      tested,
    }) => {
      const landing = await tested([await open(1), await open(2)], { mergeMethod });
      if (world.turn === undefined) return;
      await world.setBranch('release', landing.expectedTip);
      await world.turn.changeBase(2, 'release');
      const seen = { number: 2, state: 'open', base: 'release' };
      expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen });
      expect([(await tip()).commit, (await tip('release')).commit]).toEqual(Array(2).fill(landing.expectedTip));
    });

    it('merges nothing of a run when one of its pull requests became a draft or was closed', async ({
      world,
      host,
      tip,
      open,
      tested,
    }) => {
      const landing = await tested([await open(1), await open(2)], { mergeMethod });
      if (world.turn === undefined) return;
      await world.turn.convertToDraft(2);
      const draft = { number: 2, state: 'open', draft: true };
      expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen: draft });
      await world.turn.close(1);
      const closed = { number: 1, state: 'closed', draft: false };
      expect(await host.land(landing)).toMatchObject({ type: 'pull_request_changed', seen: closed });
      expect((await tip()).commit).toBe(landing.expectedTip);
    });

    it('merges no tree other than the tested tree', async ({ host, tip, open, tested }) => {
      const landing = await tested([await open(1)], { mergeMethod });
      const { tree } = await tip();
      expect(await host.land({ ...landing, testedTree: tree })).toEqual({
        type: 'tree_differs',
        tree: landing.testedTree,
      });
      expect((await tip()).commit).toBe(landing.expectedTip);
    });
  });
}
