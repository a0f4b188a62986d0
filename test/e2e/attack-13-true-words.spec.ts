import { GitHubTeam } from './github-team';

const BAD_KEY = 'A JSON web token could not be decoded';

describe("attack 13: GitHub refuses the service, or GitHub's API disagrees with its git server", () => {
  let team: GitHubTeam;

  beforeEach(async () => {
    team = await GitHubTeam.start();
  });
  afterEach(() => team.close());

  const runs = (): Promise<number> => team.world.prisma.testRun.count();

  it('a private key that GitHub does not accept is named to callers and in waiting pull requests', async () => {
    const { world } = team;
    const number = team.open();
    await world.settles();
    await team.say(number, '/sluice merge');
    world.github.revokeTokens();
    world.github.faults.answer(/^apps\//, 401, BAD_KEY, { times: Infinity });
    const refused = await world.submit(team.open());
    expect(refused.status).toBe(502);
    const why = `github.example does not take the app's credentials: ${BAD_KEY}`;
    const message = `The code host github.example refuses this service: ${why}. Nothing was changed. sluice doctor lists what to fix.`;
    expect(refused.body).toMatchObject({ error: { message } });
    expect(await world.settlesWithErrors()).toHaveLength(1);
    await world.advance(2);
    await world.looksAtHost();
    await world.advance(1);
    expect(await team.waitingFor(number)).toContain(
      `The service has been unable to work with github.example for 1 minute: ${why}. Nothing times out meanwhile`,
    );
    world.github.faults.recover();
    await team.pass(10);
    await team.finish(number);
    expect(await world.stateOf(number)).toBe('merged');
  });

  it('a passed run is merged although the API shows an old target, and no pull request is tested again', async () => {
    const { githubRepository } = team.world;
    const number = team.open();
    await team.world.settles();
    githubRepository.freezeShownTip('main');
    githubRepository.pushToBranch('main', { 'by-hand.txt': 'by hand\n' });
    await team.world.settles();
    await team.say(number, '/sluice merge');
    await team.pass(10);
    await team.finish(number);
    await team.pass(30);
    expect(await team.world.stateOf(number)).toBe('merged');
    expect(await runs()).toBe(1);
  });
});
