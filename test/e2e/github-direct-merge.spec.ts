import { GitHubTeam } from './github-team';

describe('a pull request on GitHub that may merge without a test by the queue', () => {
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
    // Without webhooks, the service asks GitHub for the result of the merge one second later.
    team.world.clock.advance(1_000);
    await team.world.settles();
    return team.world.record(number);
  };

  it('merges, although no webhook reported that its statuses passed', async () => {
    expect(await submit('success')).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
  });

  it('merges, although its last webhook reported a failure', async () => {
    const number = team.open();
    const { githubRepository, prisma, clock } = team.world;
    const { sha } = githubRepository.pullRequest(number).head;
    const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
    const at = { hostId: '1', hostTime: clock.now(), receivedAt: clock.now() };
    const told = { repositoryId, sha, kind: 'status', name: 'tests', state: 'failure', ...at };
    await prisma.commitStatus.create({ data: told });
    githubRepository.setStatus(sha, 'tests', 'success');
    await team.world.submit(number);
    await team.world.settles();
    // Without webhooks, the service asks GitHub for the result of the merge one second later.
    team.world.clock.advance(1_000);
    await team.world.settles();
    expect(await team.world.record(number)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
  });

  it('is tested by the queue if a check run of that name failed, although GitHub no longer lists it', async () => {
    const number = team.open();
    const { githubRepository, prisma, clock } = team.world;
    const { sha } = githubRepository.pullRequest(number).head;
    const { id: repositoryId } = await prisma.repository.findFirstOrThrow();
    const at = { hostId: '1', hostTime: clock.now(), receivedAt: clock.now() };
    const checkRun = { repositoryId, sha, kind: 'check_run', name: 'tests', state: 'failure', ...at };
    await prisma.commitStatus.create({ data: checkRun });
    githubRepository.setStatus(sha, 'tests', 'success');
    await team.world.submit(number);
    await team.world.settles();
    // Without webhooks, the service asks GitHub for the result of the merge one second later.
    team.world.clock.advance(1_000);
    await team.world.settles();
    expect(await team.world.record(number)).toMatchObject({ state: 'testing' });
  });

  it('is tested by the queue when GitHub says that its statuses failed', async () => {
    expect(await submit('failure')).toMatchObject({ state: 'testing' });
  });
});
