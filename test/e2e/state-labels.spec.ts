import { GitHubTeam } from './github-team';

describe('stateLabelsEnabled on GitHub', () => {
  let team: GitHubTeam;

  afterEach(() => team.close());

  it('keeps one label for the state of the pull request, and removes the label when it is switched off', async () => {
    team = await GitHubTeam.start({ stateLabelsEnabled: true });
    const number = team.open();
    team.world.githubRepository.addLabel(number, 'bug');
    const labels = (): readonly string[] => team.world.githubRepository.labels(number);
    await team.world.submit(number);
    await team.pass(10);
    expect(labels()).toEqual(['bug', 'sluice: testing']);
    await team.finish(number, 'failure');
    await team.pass(10);
    expect(labels()).toEqual(['bug', 'sluice: failed']);
    await team.world.updateQueue({ stateLabelsEnabled: false });
    await team.world.submit(number);
    await team.pass(10);
    expect(labels()).toEqual(['bug']);
  });

  it('is off by default: the service sets no label', async () => {
    team = await GitHubTeam.start();
    const number = team.open();
    await team.world.submit(number);
    await team.pass(10);
    expect(team.world.githubRepository.labels(number)).toEqual([]);
  });
});
