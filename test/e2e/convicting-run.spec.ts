import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const BATCHES = { batch: true, batchingMinSize: 3, bisectionConcurrency: 2 };

describe('getMergeQueueTestingDetails of a failed pull request', () => {
  let service: Service;
  let host: MemoryRepository;
  let client: Client;

  beforeEach(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    client = await service.client('acme', 'admin');
  });

  afterEach(() => service.stop());

  const createQueue = (settings: object) =>
    client.post('createQueue', { ...MAIN, requiredStatuses: ['tests'], ...settings });
  const details = async (number: number) =>
    (await client.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } })).body;
  const record = async (number: number) =>
    (await client.post('getSubmittedPullRequest', { ...MAIN, pr: { number } })).body;
  const numbers = (run: { testedPullRequests: readonly { prNumber: number }[] }) =>
    run.testedPullRequests.map(({ prNumber }) => prNumber);

  async function submit(...list: number[]): Promise<void> {
    for (const number of list) await client.post('submitPullRequest', { ...MAIN, pr: { number } });
    await service.settles();
  }

  /** What is being tested, by its numbers: `1,2`. */
  async function runs(): Promise<Map<string, { readonly branch: string; readonly commit: string }>> {
    const rows = await service.prisma.testRun.findMany({
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
    await client.post('reportStatus', { repo: REPO, sha, context: 'tests', state, url: `https://ci.example/${run}` });
    await service.settles();
  }

  it('answers the run that convicted it, not the newest run that it was part of', async () => {
    await createQueue(BATCHES);
    for (const number of [1, 2, 3]) host.openPullRequest(number);
    await submit(1, 2, 3);
    await report('1,2,3', 'failure');
    await report('1,2,3', 'failure');
    expect([...(await runs()).keys()].sort()).toEqual(['1', '1,2']);
    await report('1,2', 'failure');
    await report('1', 'failure');
    expect((await record(1)).state).toBe('failed');
    const run = await details(1);
    expect({ run: numbers(run), status: run.status, checks: run.statusChecks }).toEqual({
      run: [1],
      status: 'failed',
      checks: [{ context: 'tests', url: 'https://ci.example/1', state: 'FAILURE' }],
    });
  });

  it('answers, when it was not tested itself, the run of the same tree that was red', async () => {
    await createQueue({ optimizationMode: 'bisection_skip_redundant_tests' });
    for (const number of [1, 2]) host.openPullRequest(number, { files: { 'price.txt': '12\n' } });
    await submit(1);
    await report('1', 'failure');
    await submit(2);
    expect(await record(2)).toMatchObject({ state: 'failed', stateReason: 'test_run_failed_by_optimization' });
    expect((await details(2)).testRunId).toBe((await details(1)).testRunId);
  });

  it('calls the branches of a culprit search so that clients can tell them: they end in -bisection', async () => {
    await createQueue(BATCHES);
    for (const number of [1, 2, 3]) host.openPullRequest(number);
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
    const search = (await details(2)).testRunId;
    const asked = { ...MAIN, testRunId: branches[2]!.replace(/^.*\//, '') };
    expect((await client.post('getMergeQueueTestingDetails', asked)).body).toMatchObject({
      testRunId: search,
      testBranch: branches[2],
      isBisection: true,
    });
  });
});
