import { GitHubTeam } from './github-team';

describe('a queue on GitHub, as an app', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start({ testingTimeoutMinutes: 30 });
  });
  afterAll(() => team.close());

  const beginTest = async (): Promise<number> => {
    const number = team.open();
    await team.say(number, '/sluice merge');
    return number;
  };

  it("continues after the app's token expired or was revoked during a test", async () => {
    await team.world.updateQueue({ testingTimeoutMinutes: 300 });
    const [expired, revoked] = [await beginTest(), await beginTest()];
    team.world.github.requests.clear();
    await team.world.advance(70);
    await team.finish(expired);
    expect(await team.world.stateOf(expired)).toBe('merged');
    team.world.github.revokeTokens();
    await team.finish(revoked);
    expect(await team.world.stateOf(revoked)).toBe('merged');
    expect(team.world.github.requests.count('apps/create-installation-access-token')).toBe(2);
  });
});
