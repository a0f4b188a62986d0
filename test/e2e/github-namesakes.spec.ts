import { readSharedNames } from '../../src/modules/doctor/shared-names';
import type { WorkflowRunDouble } from '../support/github/workflow-runs';
import { GitHubTeam } from './github-team';

jest.setTimeout(120_000);

const NAME = 'tests';
const CODE = '.github/workflows/code.yml';
const DOCS = '.github/workflows/docs.yml';

describe('jobs with the same name on the tested commit, on GitHub', () => {
  let team: GitHubTeam;
  let number: number;

  beforeEach(async () => {
    team = await GitHubTeam.start({ mergeMethod: 'squash' });
    number = team.open();
    await team.world.submit(number);
    await team.world.settles();
  });
  afterEach(() => team.close());

  const start = (path: string, event = 'push'): WorkflowRunDouble => {
    const { githubRepository } = team.world;
    return githubRepository.startWorkflow(githubRepository.tip(team.testingBranchOf(number) ?? ''), path, event);
  };
  const settles = () => team.world.settles();
  const stateOf = () => team.world.stateOf(number);
  const standing = async (): Promise<unknown> => {
    const { state, stateReason } = await team.world.record(number);
    return [state, stateReason];
  };
  const MERGED = ['merged', 'merge_graph_merge'];
  const FAILED = ['failed', 'test_run_required_status_failed'];

  it('all count if they are of several workflows: nothing merges while one of the jobs still runs', async () => {
    const slow = start(CODE).addJob(NAME, 'in_progress');
    const code = start(DOCS);
    code.addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    code.changeJob(slow, 'success');
    await settles();
    expect(await standing()).toEqual(MERGED);
  });

  it('fail the run if one of several workflows failed, even if another passed later', async () => {
    start(CODE).addJob(NAME, 'failure');
    start(DOCS).addJob(NAME, 'success');
    await settles();
    expect(await standing()).toEqual(FAILED);
  });

  it('all count if they are of the same workflow', async () => {
    const run = start(CODE);
    const slow = run.addJob(NAME, 'in_progress');
    run.addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    run.changeJob(slow, 'failure');
    await settles();
    expect(await standing()).toEqual(FAILED);
  });

  it('do not count if a newer run of the workflow cancelled them', async () => {
    const pushed = start(CODE);
    const cancelled = pushed.addJob(NAME, 'in_progress');
    const opened = start(CODE, 'pull_request');
    const counting = opened.addJob(NAME, 'queued');
    pushed.changeJob(cancelled, 'cancelled');
    await settles();
    expect(await stateOf()).toBe('testing');
    opened.changeJob(counting, 'success');
    await settles();
    expect(await standing()).toEqual(MERGED);
  });

  it('are inconclusive if somebody cancelled one job, even if another workflow passed', async () => {
    start(CODE).addJob(NAME, 'cancelled');
    start(DOCS).addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    const [run] = await team.world.prisma.testRun.findMany({ orderBy: { number: 'asc' } });
    expect(run).toMatchObject({ endedBecause: 'rebuild_required' });
  });

  it('are failed if they were cancelled after another job of their run failed, as in a matrix', async () => {
    const run = start(CODE);
    const cancelled = run.addJob(NAME, 'in_progress');
    run.addJob('lint', 'failure');
    run.changeJob(cancelled, 'cancelled');
    await settles();
    expect(await standing()).toEqual(FAILED);
  });

  it.each([
    ['cancelled', 'The job running on runner a has exceeded the maximum execution time of 25 minutes.'],
    ['failure', 'Process completed with exit code 1.'],
  ] as const)('are failed if they ended as %s: %s', async (conclusion, why) => {
    const run = start(CODE);
    run.endJob(run.addJob(NAME, 'in_progress'), conclusion, why);
    await settles();
    expect(await standing()).toEqual(FAILED);
  });

  it.each([
    'The hosted runner lost communication with the server. Anything in your workflow that terminates the runner process',
    'The runner has received a shutdown signal. This can happen when the runner service is stopped.',
  ])('cause a new test at most twice, and then a failure, if their runner was lost: %s', async (why) => {
    for (const expected of ['testing', 'testing', 'failed']) {
      const run = start(CODE);
      run.endJob(run.addJob(NAME, 'in_progress'), 'failure', why);
      await settles();
      expect(await stateOf()).toBe(expected);
    }
  });

  it('are cancelled together with the test run', async () => {
    const run = start(CODE);
    const job = run.addJob('other', 'in_progress');
    await team.world.cancel(number);
    await settles();
    expect(job.conclusion).toBe('cancelled');
  });

  it('all count if the names of two workflow files differ only after an @', async () => {
    start('.github/workflows/ci@code.yml').addJob(NAME, 'cancelled');
    start('.github/workflows/ci@docs.yml').addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    const [run] = await team.world.prisma.testRun.findMany({ orderBy: { number: 'asc' } });
    expect(run).toMatchObject({ endedBecause: 'rebuild_required' });
  });

  it('count by their newest attempt', async () => {
    const run = start(CODE);
    const first = run.addJob(NAME, 'in_progress');
    const other = start(DOCS).addJob(NAME, 'in_progress');
    run.changeJob(first, 'cancelled');
    run.restart();
    run.addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    run.changeJob(other, 'success');
    await settles();
    expect(await standing()).toEqual(MERGED);
  });

  it('are found by polling if no webhook arrives', async () => {
    team.world.github.webhooks.deliverTo(null);
    const slow = start(CODE).addJob(NAME, 'in_progress');
    const docs = start(DOCS);
    docs.addJob(NAME, 'success');
    await team.world.looksAtHost();
    expect(await stateOf()).toBe('testing');
    docs.changeJob(slow, 'failure');
    await team.world.looksAtHost();
    expect(await standing()).toEqual(FAILED);
  });

  it('count by the newest check run of each workflow if the app may not read workflow runs', async () => {
    team.world.github.setPermission('acme', 'actions', 'none');
    await settles();
    const code = start(CODE);
    const failed = code.addJob(NAME, 'in_progress');
    start(DOCS).addJob(NAME, 'success');
    await settles();
    expect(await stateOf()).toBe('testing');
    code.changeJob(failed, 'failure');
    await settles();
    expect(await standing()).toEqual(FAILED);
  });

  it('are reported as a problem by sluice doctor', async () => {
    const named = async () => [...(await readSharedNames(team.world.prisma)).values()];
    start(CODE).addJob(NAME, 'success');
    await settles();
    expect(await named()).toEqual([]);
    number = team.open();
    await team.world.submit(number);
    await settles();
    for (const path of [CODE, DOCS]) start(path).addJob(NAME, 'in_progress');
    await settles();
    expect(await named()).toEqual([[NAME]]);
  });
});
