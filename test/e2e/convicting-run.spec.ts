import { World } from '../support/world';

const BATCHES = { batch: true, batchingMinSize: 3, bisectionConcurrency: 2 };

describe('getMergeQueueTestingDetails of a failed pull request', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });

  afterEach(() => world.close());

  const createQueue = (settings: object) => world.createQueue({ requiredStatuses: ['tests'], ...settings });

  async function submit(...list: number[]): Promise<void> {
    for (const number of list) await world.submit(number);
    await world.settles();
  }

  /** The running tests. Keys are the numbers of their pull requests, such as `1,2`. */
  async function runs(): Promise<Map<string, { readonly branch: string; readonly commit: string }>> {
    const rows = await world.prisma.testRun.findMany({
      where: { live: true, phase: 'testing' },
      include: { members: { orderBy: { position: 'asc' } } },
    });
    return new Map(
      rows.map(({ members, branch, commit }) => [
        members.map(({ number }) => number).join(),
        { branch: branch!, commit: commit! },
      ]),
    );
  }

  async function report(run: string, state: string): Promise<void> {
    const sha = (await runs()).get(run)!.commit;
    const status = { context: 'tests', state, url: `https://ci.example/${run}` };
    await world.api.mustPost('reportStatus', { repo: world.repo, sha, ...status });
    await world.settles();
  }

  it('shows the run that proved the failure, not the newest run that includes the pull request', async () => {
    await createQueue(BATCHES);
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    await submit(1, 2, 3);
    await report('1,2,3', 'failure');
    await report('1,2,3', 'failure');
    expect([...(await runs()).keys()].sort()).toEqual(['1', '1,2']);
    await report('1,2', 'failure');
    await report('1', 'failure');
    expect(await world.stateOf(1)).toBe('failed');
    expect(await world.details(1)).toMatchObject({
      testedPullRequests: [{ prNumber: 1 }],
      status: 'failed',
      statusChecks: [{ context: 'tests', url: 'https://ci.example/1', state: 'FAILURE' }],
    });
  });

  it('shows the failed run of the same tree, if the pull request itself was not tested', async () => {
    await createQueue({ optimizationMode: 'bisection_skip_redundant_tests' });
    for (const number of [1, 2]) world.memory.openPullRequest(number, { files: { 'price.txt': '12\n' } });
    await submit(1);
    await report('1', 'failure');
    await submit(2);
    expect(await world.record(2)).toMatchObject({ state: 'failed', stateReason: 'test_run_failed_by_optimization' });
    expect((await world.details(2)).testRunId).toBe((await world.details(1)).testRunId);
  });

  it('names the branches of a bisection so that clients can recognise the bisection: they end in -bisection', async () => {
    await createQueue(BATCHES);
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    await submit(1, 2, 3);
    const branches = [(await runs()).get('1,2,3')!.branch];
    await report('1,2,3', 'failure');
    branches.push((await runs()).get('1,2,3')!.branch);
    await report('1,2,3', 'failure');
    branches.push((await runs()).get('1,2')!.branch);
    expect(branches).toEqual([
      expect.stringMatching(/^sluice-merge\/pr-1\/[0-9a-f-]{36}$/),
      expect.stringMatching(/^sluice-merge\/pr-1\/[0-9a-f-]{36}-bisection$/),
      expect.stringMatching(/^sluice-merge\/pr-1\/[0-9a-f-]{36}-bisection$/),
    ]);
    const search = (await world.details(2)).testRunId;
    const asked = { repo: world.repo, targetBranch: 'main', testRunId: branches[2]!.replace(/^.*\//, '') };
    expect(await world.api.mustPost('getMergeQueueTestingDetails', asked)).toMatchObject({
      testRunId: search,
      testBranch: branches[2],
      isBisection: true,
    });
  });
});
