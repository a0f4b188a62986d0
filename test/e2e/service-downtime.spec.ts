import { ServiceUptime } from '../../src/processing/inbox/service-uptime';
import { GitHubTeam } from './github-team';

const SECOND_MS = 1_000;

describe('a service that was stopped while tests ran', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start({ testingTimeoutMinutes: 1 });
  });
  afterAll(() => team.close());
  beforeEach(() => uptime().begin());

  const uptime = (): ServiceUptime => team.world.app.get(ServiceUptime);

  const reportAtGitHub = (number: number, state: 'pending' | 'success'): void => {
    const { githubRepository } = team.world;
    githubRepository.setStatus(githubRepository.tip(team.testingBranchOf(number)!), 'tests', state);
  };

  const beginTest = async (): Promise<number> => {
    const number = team.open();
    await team.say(number, '/sluice merge');
    expect(await team.world.stateOf(number)).toBe('testing');
    reportAtGitHub(number, 'pending');
    await team.world.github.webhooks.settled();
    await team.world.settles();
    return number;
  };

  /** Stops the service for this time, in which no webhook reaches it. */
  async function stopFor(seconds: number, meanwhile: () => void = () => undefined): Promise<void> {
    team.world.github.webhooks.fateOf = () => 'dropped';
    meanwhile();
    await team.world.github.webhooks.settled();
    team.world.clock.advance(seconds * SECOND_MS);
    team.world.github.webhooks.fateOf = () => 'delivered';
  }

  async function runFor(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      team.world.clock.advance(5 * SECOND_MS);
      await uptime().beat();
    }
    await team.world.settles();
  }

  /** Lets a test run time out. A pull request whose test timed out once does not fail, but is tested again. */
  async function hasTimedOut(number: number): Promise<boolean> {
    return /^Failed in isolation on main/.test((await team.waitingFor(number)) ?? '');
  }

  it('fails no pull request at its start, and receives the reports that CI sent meanwhile', async () => {
    const [passed, silent] = [await beginTest(), await beginTest()];
    await stopFor(300, () => reportAtGitHub(passed, 'success'));
    await uptime().begin();
    await team.world.settles();
    expect([await team.world.stateOf(passed), await team.world.stateOf(silent)]).toEqual(['testing', 'testing']);
    expect(await team.waitingFor(passed)).toContain('nothing times out until it has read the statuses');
    await team.world.looksAtHost();
    expect([await team.world.stateOf(passed), await team.world.stateOf(silent)]).toEqual(['merged', 'testing']);
    await runFor(65);
    expect(await hasTimedOut(silent)).toBe(true);
  });

  it('decides nothing that depends on time until it has stored that it is running again', async () => {
    const number = await beginTest();
    await stopFor(300);
    await team.world.settles();
    expect(await team.world.stateOf(number)).toBe('testing');
    await uptime().begin();
    await team.world.looksAtHost();
    expect(await team.world.stateOf(number)).toBe('testing');
    await team.world.cancel(number);
  });

  it('counts the time in which another process ran as running time', async () => {
    const number = await beginTest();
    await runFor(55);
    await uptime().begin();
    expect(await team.world.stateOf(number)).toBe('testing');
    await runFor(10);
    await team.world.looksAtHost();
    expect(await hasTimedOut(number)).toBe(true);
  });

  it('reads the statuses also if its machine was asleep', async () => {
    const number = await beginTest();
    await stopFor(300, () => reportAtGitHub(number, 'success'));
    await uptime().beat();
    await team.world.settles();
    expect(await team.world.stateOf(number)).toBe('testing');
    await team.world.looksAtHost();
    expect(await team.world.stateOf(number)).toBe('merged');
  });
});
