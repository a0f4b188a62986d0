import { ACTIONS_APP } from '../support/github/state';
import { GitHubTeam } from './github-team';

jest.setTimeout(120_000);

const STATUS = 'tests';
const OTHER_APP = { id: 99, slug: 'somebody', name: 'Somebody' };

describe('attack 3: a required check that a branch rule ties to an app', () => {
  let team: GitHubTeam;

  afterEach(() => team.close());

  const begin = async (settings: object): Promise<number> => {
    team = await GitHubTeam.start(settings);
    return team.open();
  };

  const pin = (): void => {
    const { githubRepository, github } = team.world;
    const pins = { [STATUS]: ACTIONS_APP.id };
    githubRepository.protect('main', { kind: 'ruleset', requiredContexts: [STATUS], pins, bypass: [github.bot] });
  };

  const submit = async (number: number): Promise<void> => {
    await team.world.submit(number);
    await team.world.settles();
  };

  const tested = (number: number): string => team.world.githubRepository.tip(team.testingBranchOf(number) ?? '');
  const head = (number: number): string => team.world.githubRepository.pullRequest(number).head.sha;
  const stateOf = (number: number): Promise<string> => team.world.stateOf(number);

  it.each(['with webhooks', 'found by polling'])(
    'counts only from that app: reports of another app neither fail nor merge a pull request (%s)',
    async (how) => {
      const number = await begin({ mergeMethod: 'squash' });
      pin();
      await submit(number);
      const { githubRepository, github } = team.world;
      if (how === 'found by polling') github.webhooks.deliverTo(null);
      const hears = (): Promise<void> => (how === 'found by polling' ? team.world.looksAtHost() : team.world.settles());
      const sha = tested(number);
      for (const state of ['failure', 'success'] as const) {
        githubRepository.setCheckRun(sha, STATUS, state, OTHER_APP);
        githubRepository.setStatus(sha, STATUS, state, { by: 'grace' });
        await hears();
        expect(await stateOf(number)).toBe('testing');
      }
      expect(await team.waitingFor(number)).toContain(`\`${STATUS}\` (from the app ${ACTIONS_APP.id} only)`);
      githubRepository.setCheckRun(sha, STATUS, 'success');
      githubRepository.setStatus(sha, STATUS, 'success', { by: `${ACTIONS_APP.slug}[bot]` });
      await hears();
      await team.world.seesBackgroundMerge();
      expect(await stateOf(number)).toBe('merged');
    },
  );

  it('fails by a report of that app, and the message does not show the report of another app', async () => {
    const number = await begin({ mergeMethod: 'squash' });
    pin();
    await submit(number);
    const { githubRepository } = team.world;
    githubRepository.setCheckRun(tested(number), STATUS, 'timed_out', OTHER_APP);
    githubRepository.setCheckRun(tested(number), STATUS, 'failure');
    await team.world.settles();
    const { state, stateMessage } = await team.world.record(number);
    expect([state, stateMessage]).toEqual(['failed', expect.stringContaining('(failure, ')]);
    expect(stateMessage).not.toContain('timed out');
  });

  it('is tested again if only another app passed earlier on the same tree', async () => {
    const number = await begin({ mergeMethod: 'squash', optimizationMode: 'bisection_skip_redundant_tests' });
    const { world } = team;
    const { githubRepository } = world;
    const passUnlanded = async (): Promise<void> => {
      await submit(number);
      await world.updateQueue({ state: 'paused' });
      githubRepository.setCheckRun(tested(number), STATUS, 'success', OTHER_APP);
      await world.settles();
      expect(await stateOf(number)).toBe('tests_passed');
      await world.cancel(number);
      await world.settles();
      await world.updateQueue({ state: 'running' });
    };
    await passUnlanded();
    pin();
    await submit(number);
    expect([await stateOf(number), team.filesOnTarget()]).toEqual(['testing', ['README.md']]);
    githubRepository.setCheckRun(tested(number), STATUS, 'success');
    await world.settles();
    await team.world.seesBackgroundMerge();
    expect(await stateOf(number)).toBe('merged');
  });

  it('is not tested again if that app passed earlier on the same tree', async () => {
    const number = await begin({ mergeMethod: 'squash', optimizationMode: 'bisection_skip_redundant_tests' });
    pin();
    await submit(number);
    await team.world.updateQueue({ state: 'paused' });
    team.world.githubRepository.setCheckRun(tested(number), STATUS, 'success');
    await team.world.settles();
    await team.world.cancel(number);
    await team.world.settles();
    await team.world.updateQueue({ state: 'running' });
    await submit(number);
    await team.world.seesBackgroundMerge();
    expect(await stateOf(number)).toBe('merged');
  });

  it('lets a pull request merge without a test by the queue only after a report of that app', async () => {
    const number = await begin({ directMergeMode: 'always' });
    pin();
    team.world.githubRepository.setCheckRun(head(number), STATUS, 'success', OTHER_APP);
    await submit(number);
    expect(await stateOf(number)).toBe('testing');
    const other = team.open();
    team.world.githubRepository.setCheckRun(head(other), STATUS, 'success', OTHER_APP);
    team.world.githubRepository.setCheckRun(head(other), STATUS, 'success');
    await team.world.cancel(number);
    await team.world.settles();
    await submit(other);
    expect(await team.world.record(other)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
  });
});
