import { checkedByGitea } from '../contract/gitea-host';
import type { WorkflowRunDouble } from '../support/gitea/workflow-runs';
import { World } from '../support/world';

const NAME = 'tests.yml / unit (pull_request)';

describe.each(['gitea', 'forgejo'] as const)('jobs of the tested commit, on %s', (kind) => {
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
  /** Forgejo tells no statuses. */
  const hears = (): Promise<void> => (kind === 'forgejo' ? world.looksAtHost() : world.settles());
  const standing = async (): Promise<unknown> => {
    const { state, stateReason } = await world.record(1);
    return [state, stateReason];
  };

  it('merge nothing while a namesake runs, and fail the run where it fails', async () => {
    const run = start();
    const slow = run.addJob('unit', 'in_progress');
    run.addJob('unit', 'success');
    await hears();
    expect(await world.stateOf(1)).toBe('testing');
    run.changeJob(slow, 'failure');
    await hears();
    expect(await standing()).toEqual(['failed', 'test_run_required_status_failed']);
  });

  it('merge where all of the name passed', async () => {
    for (const file of ['code.yml', 'docs.yml']) start(file).addJob('unit', 'success');
    await hears();
    expect(await standing()).toEqual(['merged', 'merge_graph_merge']);
  });

  it.each(['cancelled', 'lost'] as const)('that were %s are tested again, twice, and then failed', async (how) => {
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
  });
});
