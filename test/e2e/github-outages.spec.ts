import { GitHubTeam } from './github-team';

describe('a queue whose GitHub does not answer', () => {
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

  it.each([1, 60])('waits for it for %i minutes, says so, and fails nobody', async (minutes) => {
    const [merging, tested] = [await beginTest(), await beginTest()];
    team.world.github.faults.goDown();
    await team.finish(merging);
    team.world.github.webhooks.fateOf = () => 'dropped';
    await team.finish(tested);
    await team.pass(minutes, Math.min(minutes, 20));
    expect([await team.world.stateOf(merging), await team.world.stateOf(tested)]).toEqual(['tests_passed', 'testing']);
    for (const number of [merging, tested])
      expect(await team.waitingFor(number)).toMatch(/github\.example has not answered for \d+ minutes?/);
    expect(await team.waitingFor(merging)).toContain(`for ${minutes} minute`);
    team.world.github.faults.recover();
    team.world.github.webhooks.fateOf = () => 'delivered';
    await team.pass(10);
    expect([await team.world.stateOf(merging), await team.world.stateOf(tested)]).toEqual(['merged', 'merged']);
  });

  it('goes on when the token of the app has expired in the middle of a test, or was revoked', async () => {
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

  it('waits for the permission to write, and goes on with it', async () => {
    const tested = await beginTest();
    team.world.github.setPermission('acme', 'contents', 'read');
    await team.finish(tested);
    const behind = await beginTest();
    await team.pass(20);
    expect([await team.world.stateOf(tested), await team.world.stateOf(behind)]).toEqual(['tests_passed', 'pending']);
    for (const number of [tested, behind])
      expect(await team.waitingFor(number)).toMatch(
        /The service cannot go on at github\.example for 20 minutes: github\.example does not let the service (use acme\/widgets: .*403|merge #\d+: Resource not accessible)/,
      );
    team.world.github.setPermission('acme', 'contents', 'write');
    await team.pass(10);
    await team.finish(behind);
    expect([await team.world.stateOf(tested), await team.world.stateOf(behind)]).toEqual(['merged', 'merged']);
  });
});
