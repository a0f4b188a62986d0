import { GitHubTeam } from './github-team';

describe('a pull request on GitHub that is merged on its own tests', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start({ directMergeMode: 'always' });
    team.world.github.webhooks.deliverTo(null);
  });
  afterAll(() => team.close());

  const submit = async (state: 'success' | 'failure'): Promise<Record<string, unknown>> => {
    const number = team.open();
    const { githubRepository } = team.world;
    githubRepository.setStatus(githubRepository.pullRequest(number).head.sha, 'tests', state);
    await team.world.submit(number);
    await team.world.settles();
    return team.world.record(number);
  };

  it('is, although no webhook told that its statuses passed', async () => {
    expect(await submit('success')).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
  });

  it('is tested by the queue when GitHub itself says that they did not', async () => {
    expect(await submit('failure')).toMatchObject({ state: 'testing' });
  });
});
