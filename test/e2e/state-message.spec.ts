import { World } from '../support/world';

describe('the stateMessage of a concluded pull request', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });

  afterEach(() => world.close());

  const createQueue = (settings: object = {}) =>
    world.createQueue({ requiredStatuses: ['tests', 'lint'], ...settings });
  const message = async (number: number) => (await world.record(number)).stateMessage;
  const testedSha = async (number: number) => String((await world.details(number)).testBranchSha).slice(0, 8);

  async function submit(...numbers: number[]): Promise<void> {
    for (const number of numbers) await world.submit(number);
    await world.settles();
  }

  it("names the failed status with CI's text and link", async () => {
    await createQueue();
    world.memory.openPullRequest(1);
    await submit(1);
    expect(await message(1)).toBeNull();
    await world.report(1, 'success');
    const sha = await testedSha(1);
    await world.report(1, 'failure', 'lint', { url: 'https://ci.example/7', description: '3 problems.\u2028' });
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_required_status_failed' });
    expect(await message(1)).toBe(
      `A required status failed: "lint" (failure: 3 problems, https://ci.example/7) on ${sha}. Push a fix, then submit it again.`,
    );
  });

  it('names the required statuses that were not reported in time', async () => {
    await createQueue({ testingTimeoutMinutes: 30 });
    world.memory.openPullRequest(1);
    await submit(1);
    await world.report(1, 'pending', 'tests');
    await world.advance(31);
    // The first time-out does not fail the pull request, which is tested again.
    const sha = await testedSha(1);
    await world.report(1, 'pending', 'tests', { url: 'https://ci.example/8' });
    await world.advance(31);
    expect(await message(1)).toBe(
      `A required status did not pass in time: "lint", "tests" (pending, https://ci.example/8) on ${sha} within 30 minutes. Push a fix, then submit it again.`,
    );
  });

  it('links to the earlier failed test run, if the same tree was not tested again', async () => {
    await createQueue({ optimizationMode: 'bisection_skip_redundant_tests' });
    for (const number of [1, 2]) world.memory.openPullRequest(number, { files: { 'price.txt': '12\n' } });
    await submit(1);
    await world.report(1, 'failure', 'lint', { url: 'https://ci.example/7' });
    await submit(2);
    expect(await message(2)).toBe(
      'The same tree already failed its tests, so it was not tested again: "lint" (failure, https://ci.example/7). Push a fix, then submit it again.',
    );
  });

  it('names the files of a conflict', async () => {
    await createQueue({ state: 'paused' });
    world.memory.openPullRequest(1, { files: { 'price.txt': '12\n', 'sign.txt': 'closed\n' } });
    await submit(1);
    world.memory.pushTo('main', { 'price.txt': '10\n', 'sign.txt': 'open\n' });
    await world.updateQueue({ state: 'running' });
    await world.settles();
    expect(await message(1)).toBe(
      'It has a merge conflict: conflicts with main in price.txt, sign.txt. Rebase it onto main, then submit it again.',
    );
  });

  it("has the host's own message if the host refused the merge", async () => {
    await createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1, { refusal: 'At least 1 approving review is required.' });
    await submit(1);
    await world.report(1, 'success');
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'host_merge_failed' });
    expect(await message(1)).toBe(
      'Its tests passed, but memory.example refused to merge it: At least 1 approving review is required. Fix the cause, then submit it again.',
    );
  });

  it('names the person who cancelled the pull request, and is absent if the queue merged it', async () => {
    await createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    world.memory.openPullRequest(1);
    world.memory.openPullRequest(2);
    await submit(1, 2);
    await world.cancel(2);
    expect(await message(2)).toMatch(/^Removed from the queue: cancelled by admin [0-9a-f-]{36}\.$/);
    await world.report(1, 'success');
    expect(await world.record(1)).toMatchObject({ state: 'merged', stateMessage: null });
  });
});
