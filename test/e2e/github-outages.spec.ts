import { GitHubTeam } from './github-team';

describe('a queue whose GitHub does not answer', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start({ testingTimeoutMinutes: 30 });
  });
  afterAll(() => team.close());

  const mergesAfter = async (numbers: readonly number[]): Promise<void> => {
    team.world.github.faults.recover();
    team.world.github.webhooks.fateOf = () => 'delivered';
    await team.pass(20);
    const states = await Promise.all(numbers.map((number) => team.world.stateOf(number)));
    expect(states).toEqual(numbers.map(() => 'merged'));
  };

  it.each([1, 60])('waits for it for %i minutes while something is tested, and says so', async (minutes) => {
    const numbers = [team.open(), team.open()];
    for (const number of numbers) await team.say(number, '/sluice merge');
    team.world.github.faults.goDown();
    team.world.github.webhooks.fateOf = () => 'dropped';
    for (const number of numbers) await team.finish(number);
    await team.pass(minutes, Math.min(minutes, 10));
    for (const number of numbers) {
      expect(await team.world.stateOf(number)).toBe('testing');
      expect(await team.waitingFor(number)).toContain('github.example has not answered');
    }
    await mergesAfter(numbers);
  });
});
