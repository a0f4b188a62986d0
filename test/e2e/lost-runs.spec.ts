import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const ONE = { ...MAIN, pr: { number: 1 } };

describe('a test run that CI aborted', () => {
  let service: Service;
  let client: Client;

  beforeEach(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    client = await service.client('acme', 'admin');
    service.memory.repository('acme', 'widgets').openPullRequest(1);
    await client.post('createQueue', { ...MAIN, requiredStatuses: ['tests', 'lint'], testingTimeoutMinutes: 30 });
    await client.post('submitPullRequest', ONE);
    await service.settles();
  });

  afterEach(() => service.stop());

  const record = async () => (await client.post('getSubmittedPullRequest', { ...ONE, includeTimeline: true })).body;
  const tested = async () => (await client.post('getMergeQueueTestingDetails', ONE)).body;

  async function report(context: string, state: string): Promise<void> {
    await client.post('reportStatus', { repo: REPO, sha: (await tested()).testBranchSha, context, state });
    await service.settles();
  }

  it('is started again on its own branch and commit, and the pull request fails after the third time', async () => {
    const branches: unknown[] = [];
    for (let times = 1; times <= 3; times++) {
      const { testBranch, testBranchSha } = await tested();
      branches.push(testBranch, testBranchSha);
      await report('tests', 'success');
      await report('lint', 'cancelled');
    }
    expect(new Set(branches).size).toBe(6);
    const { state, stateReason, stateMessage, timeline } = await record();
    expect([state, stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(stateMessage).toMatch(
      /^A required status failed: "lint" \(cancelled\) got no result from CI on \w{8}, although the test had been started again before\. Find out why CI gave no result, then submit it again\.$/,
    );
    const restarts = (timeline ?? []).filter(({ reason }) => reason === 'rebuild_required');
    expect(restarts).toHaveLength(2);
  });

  it('is started again, and the pull request merges when the second run passes', async () => {
    await report('lint', 'cancelled');
    expect((await record()).waitingFor).toContain(
      'It is tested again, because CI gave no result for 1 earlier test run',
    );
    await report('tests', 'success');
    await report('lint', 'success');
    expect((await record()).state).toBe('merged');
  });

  it('times out after three runs without a report, or after two if one of two statuses is missing', async () => {
    const timeOut = async (): Promise<void> => {
      service.clock.advance(31 * 60_000);
      await service.settles();
    };
    await timeOut();
    expect(await record()).toMatchObject({ state: 'testing' });
    for (const state of ['testing', 'failed']) {
      await report('tests', 'success');
      await timeOut();
      expect(await record()).toMatchObject({ state });
    }
    expect(await record()).toMatchObject({ stateReason: 'test_run_timeout' });
  });
});
