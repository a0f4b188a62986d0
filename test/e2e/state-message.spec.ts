import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

describe('stateMessage says in words what concluded a pull request', () => {
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

  const createQueue = (settings: object = {}) =>
    client.post('createQueue', { ...MAIN, requiredStatuses: ['tests', 'lint'], ...settings });
  const about = (number: number) => ({ ...MAIN, pr: { number } });
  const record = async (number: number) => (await client.post('getSubmittedPullRequest', about(number))).body;
  const message = async (number: number) => (await record(number)).stateMessage;

  async function submit(...numbers: number[]): Promise<void> {
    for (const number of numbers) await client.post('submitPullRequest', about(number));
    await service.settles();
  }

  async function report(number: number, context: string, more: object): Promise<string> {
    const { testBranchSha: sha } = (await client.post('getMergeQueueTestingDetails', about(number))).body;
    await client.post('reportStatus', { repo: REPO, sha, context, ...more });
    await service.settles();
    return sha.slice(0, 8);
  }

  it('names the failed status with what CI said of it and its link', async () => {
    await createQueue();
    host.openPullRequest(1);
    await submit(1);
    expect(await message(1)).toBeNull();
    await report(1, 'tests', { state: 'success' });
    const red = { state: 'failure', url: 'https://ci.example/7', description: '3 problems.\u2028' };
    const sha = await report(1, 'lint', red);
    expect(await record(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_required_status_failed' });
    expect(await message(1)).toBe(
      `Failed: required status "lint" (failure: 3 problems, https://ci.example/7) was red on ${sha}. Push a fix, then submit it again.`,
    );
  });

  it('names the statuses that did not come in time', async () => {
    await createQueue({ testingTimeoutMinutes: 30 });
    host.openPullRequest(1);
    await submit(1);
    const sha = await report(1, 'tests', { state: 'pending', url: 'https://ci.example/8' });
    service.clock.advance(31 * 60_000);
    await service.settles();
    expect(await message(1)).toBe(
      `Failed: required statuses "lint", "tests" (pending, https://ci.example/8) have not passed on ${sha} within 30 minutes. Push a fix, then submit it again.`,
    );
  });

  it('links to the test that was red before, when the same tree was not tested again', async () => {
    await createQueue({ optimizationMode: 'bisection_skip_redundant_tests' });
    for (const number of [1, 2]) host.openPullRequest(number, { files: { 'price.txt': '12\n' } });
    await submit(1);
    await report(1, 'lint', { state: 'failure', url: 'https://ci.example/7' });
    await submit(2);
    expect(await message(2)).toBe(
      'Failed: required status "lint" (failure, https://ci.example/7) was red; the same tree failed before, so it was not tested again. Push a fix, then submit it again.',
    );
  });

  it('names the files of a conflict', async () => {
    await createQueue({ state: 'paused' });
    host.openPullRequest(1, { files: { 'price.txt': '12\n', 'sign.txt': 'closed\n' } });
    await submit(1);
    host.pushTo('main', { 'price.txt': '10\n', 'sign.txt': 'open\n' });
    await client.post('updateQueue', { ...MAIN, state: 'running' });
    await service.settles();
    expect(await message(1)).toBe(
      'Failed: it cannot be tested: conflicts with main in price.txt, sign.txt. Rebase it onto main, then submit it again.',
    );
  });

  it("answers the host's own words when it refuses the merge", async () => {
    await createQueue({ requiredStatuses: ['tests'] });
    host.openPullRequest(1, { refusal: 'At least 1 approving review is required.' });
    await submit(1);
    await report(1, 'tests', { state: 'success' });
    expect(await record(1)).toMatchObject({ state: 'failed', stateReason: 'host_merge_failed' });
    expect(await message(1)).toBe(
      'Failed: its tests passed, but memory.example refused to merge it: At least 1 approving review is required. Fix the cause, then submit it again.',
    );
  });

  it('says who took it out, and nothing of what the queue merged', async () => {
    await createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    host.openPullRequest(1);
    host.openPullRequest(2);
    await submit(1, 2);
    await client.post('cancelPullRequest', about(2));
    expect(await message(2)).toBe('Cancelled: taken out by admin of acme.');
    await report(1, 'tests', { state: 'success' });
    expect(await record(1)).toMatchObject({ state: 'merged', stateMessage: null });
  });
});
