import type { WebhookDelivery } from '../support/github/webhooks';
import { GitHubTeam } from './github-team';

const shuffledAndDoubled = (held: readonly WebhookDelivery[]): readonly WebhookDelivery[] => [
  ...held.toReversed(),
  ...held.filter((_, index) => index % 2 === 0),
  ...held.filter((_, index) => index % 2 === 1),
];

describe('deliveries of GitHub that come twice and in any order', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start();
    team.world.github.webhooks.fateOf = () => 'held';
  });
  afterAll(() => team.close());

  /** Delivers events until the service causes no further deliveries. */
  const deliver = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      team.world.github.webhooks.release(shuffledAndDoubled);
      await team.world.github.webhooks.settled();
      await team.world.settles();
    }
  };

  /** Sends every delivery a second time, as after a click on "Redeliver". */
  const redeliver = async (): Promise<void> => {
    const { webhooks } = team.world.github;
    for (const { guid } of webhooks.deliveries.toReversed()) webhooks.replay(guid);
    await deliver();
  };

  it('make one submission, one answer and one merge of each pull request', async () => {
    const { githubRepository, github } = team.world;
    const numbers = [team.open(), team.open()];
    const before = Number(githubRepository.record.world.inBare('rev-list', '--count', 'main'));
    for (const number of numbers) githubRepository.comment(number, '/sluice merge', 'grace');
    await deliver();
    for (const number of numbers) expect(await team.world.stateOf(number)).toBe('testing');
    for (const number of numbers) {
      const tested = githubRepository.tip(team.testingBranchOf(number)!);
      githubRepository.setStatus(tested, 'tests', 'pending');
      githubRepository.setStatus(tested, 'tests', 'success');
    }
    await deliver();
    await redeliver();
    for (const number of numbers) {
      const { state, timeline } = await team.world.record(number);
      expect(state).toBe('merged');
      expect((timeline as readonly { attempt: number }[]).filter(({ attempt }) => attempt > 1)).toEqual([]);
      const comments = githubRepository.comments(number);
      expect(comments.find(({ body }) => body === '/sluice merge')?.reactions).toMatchObject([{ content: '+1' }]);
      expect(comments.filter(({ author }) => author.login === github.bot)).toHaveLength(1);
    }
    expect(Number(githubRepository.record.world.inBare('rev-list', '--count', 'main'))).toBe(before + numbers.length);
  });

  it('cancel a pull request once, and explain once why a second command is refused', async () => {
    const { githubRepository, github } = team.world;
    const number = team.open();
    githubRepository.comment(number, '/sluice merge', 'grace');
    await deliver();
    githubRepository.comment(number, '/sluice cancel', 'grace');
    githubRepository.comment(number, '/sluice marge', 'grace');
    await deliver();
    await redeliver();
    expect(await team.world.record(number)).toMatchObject({ state: 'cancelled', stateReason: 'user_requested' });
    const byUs = githubRepository.comments(number).filter(({ author }) => author.login === github.bot);
    expect(byUs).toHaveLength(2);
  });
});
