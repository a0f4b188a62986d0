import { repetitionsOfThisRun } from '../support/long-run';
import { GitHubTeam } from './github-team';

describe.each(repetitionsOfThisRun(['squash', 'rebase', 'merge_commit']))(
  'attack 1: pull requests on GitHub that are aimed at another branch during their test, merged by %s',
  (mergeMethod) => {
    let team: GitHubTeam;

    beforeEach(async () => {
      team = await GitHubTeam.start({ mergeMethod, batch: true, batchingMinSize: 2 });
      const { githubRepository } = team.world;
      githubRepository.setBranch('release', githubRepository.tip('main'));
      await team.world.settles();
    });
    afterEach(() => team.close());

    const submitBoth = async (): Promise<[number, number]> => {
      const numbers: [number, number] = [team.open(), team.open()];
      for (const number of numbers) await team.world.submit(number);
      await team.world.settles();
      return numbers;
    };

    const holdBack = (event: string): void => {
      team.world.github.webhooks.fateOf = (delivery) => (delivery.event === event ? 'held' : 'delivered');
    };

    const states = async (...numbers: number[]): Promise<unknown[]> => {
      const records = await Promise.all(numbers.map((number) => team.world.record(number)));
      return records.map(({ state, stateReason }) => [state, stateReason]);
    };

    it('are merged nowhere, nor are the other pull requests of their batch, even before the queue knows the change', async () => {
      const { githubRepository } = team.world;
      const [first, second] = await submitBoth();
      const before = [githubRepository.tip('main'), githubRepository.tip('release')];
      holdBack('pull_request');
      githubRepository.changeBase(second, 'release');
      await team.finish(first);
      expect([githubRepository.tip('main'), githubRepository.tip('release')]).toEqual(before);
      expect((await states(second))[0]).toEqual(['cancelled', 'pr_base_branch_changed']);
      expect(team.shown(second)).toContain('Its base branch was changed, and is not `main`.');
      await team.pass(10);
      await team.finish(first);
      await team.world.seesBackgroundMerge();
      expect((await states(first))[0]).toEqual(['merged', 'merge_graph_merge']);
      expect(team.filesOnTarget()).toEqual(['1.txt', 'README.md']);
    });
  },
);
