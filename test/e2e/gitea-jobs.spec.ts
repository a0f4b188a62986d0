import { checkedByGitea } from '../contract/gitea-host';
import type { WorkflowRunDouble } from '../support/gitea/workflow-runs';
import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const NAME = 'tests.yml / unit (pull_request)';

describe.each(repetitionsOfThisRun(['gitea', 'forgejo'] as const))('jobs of the tested commit, on %s', (kind) => {
  let world: World;
  let exchanges: ReturnType<typeof checkedByGitea>;

  beforeEach(async () => {
    exchanges = checkedByGitea();
    world = await World.create({ host: kind, onExchange: exchanges.onExchange });
    await world.createQueue({ requiredStatuses: [NAME], mergeMethod: 'squash' });
    world.giteaRepository.openPullRequest({ '1.txt': '1\n' }, { number: 1, by: 'ada' });
    await world.submit(1);
    await world.settles();
  });
  afterEach(async () => {
    await world.close();
    exchanges.assertFits();
  });

  const start = (file = 'tests.yml'): WorkflowRunDouble => {
    const { giteaRepository: place } = world;
    const branch = place.branches().findLast((name) => name.startsWith('sluice-merge/pr-1/')) ?? '';
    return place.startWorkflow(place.tip(branch), file, { name: 'tests.yml' });
  };
  /** Polling is needed for Forgejo, which sends no webhooks for statuses. */
  const hears = (): Promise<void> => (kind === 'forgejo' ? world.looksAtHost() : world.settles());
  const standing = async (): Promise<unknown> => {
    const { state, stateReason } = await world.record(1);
    return [state, stateReason];
  };

  it('merge nothing while another job of the same name runs, and fail the run if that job fails', async () => {
    const run = start();
    const slow = run.addJob('unit', 'in_progress');
    run.addJob('unit', 'success');
    await hears();
    expect(await world.stateOf(1)).toBe('testing');
    run.changeJob(slow, 'failure');
    await hears();
    expect(await standing()).toEqual(['failed', 'test_run_required_status_failed']);
  });

  it('merge the pull request when all jobs with that name have passed', async () => {
    for (const file of ['code.yml', 'docs.yml']) start(file).addJob('unit', 'success');
    await hears();
    expect(await standing()).toEqual(['merged', 'merge_graph_merge']);
  });

  it('are received by a delivery at the end of their run, without polling the host', async () => {
    start().addJob('unit', 'success');
    await world.settles();
    expect(await standing()).toEqual(['merged', 'merge_graph_merge']);
  });

  it('cause no requests to the host for commits that no queue tests', async () => {
    const { giteaRepository: place } = world;
    const before = world.gitea.requests.all.length;
    place.startWorkflow(place.tip('main'), 'release.yml', { event: 'push' }).addJob('publish', 'success');
    await world.settles();
    expect(world.gitea.requests.all).toHaveLength(before);
  });

  it('that never start fail the run ten minutes after CI is done, but no pull request if the target lacks them too', async () => {
    const run = start();
    run.addJob('unit (1)', 'success');
    await world.advance(2);
    await world.looksAtHost();
    const { waitingFor } = await world.record(1);
    expect(waitingFor).toContain(`never reported \`${NAME}\`. It reported \`tests.yml / unit (1) (pull_request)\``);
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await world.advance(5);
      await world.looksAtHost();
    }
    const runs = await world.prisma.testRun.findMany({ orderBy: { number: 'asc' }, select: { failure: true } });
    // After these two runs, the queue tests the target alone again and again.
    expect(runs.slice(0, 2)).toEqual([
      { failure: expect.objectContaining({ names: [NAME] }) as object },
      { failure: expect.objectContaining({ names: [NAME], insteadReported: [] }) as object },
    ]);
    expect(await world.stateOf(1)).not.toBe('failed');
  });

  it.each(['cancelled', 'lost'] as const)(
    'that were %s cause a new test, at most twice, and then the pull request fails',
    async (how) => {
      for (const expected of ['testing', 'testing', 'failed']) {
        const run = start();
        const job = run.addJob('unit', 'in_progress');
        if (how === 'lost') run.loseRunner(job, null);
        else run.changeJob(job, 'cancelled');
        await hears();
        expect(await world.stateOf(1)).toBe(expected);
      }
      const runs = await world.prisma.testRun.count();
      expect(runs).toBe(3);
    },
  );
});
