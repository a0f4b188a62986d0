import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import type { PullRequestStory } from '../../src/modules/views/story.dto';
import { START, World } from '../support/world';

const MINUTE_MS = 60_000;

describe('getPullRequestStory', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 3 });
  });

  afterEach(() => world.close());

  const story = (number: number) =>
    world.api.mustPost<PullRequestStory>('getPullRequestStory', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number },
    });
  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  const told = ({ items }: PullRequestStory) => items.map(({ sentence }) => sentence).reverse();

  async function submitted(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      world.memory.openPullRequest(number);
      await world.submit(number);
      await world.settles();
    }
  }

  it('tells the story of a merged pull request, with its run, and how long each step took', async () => {
    const base = world.memory.tip('main').commit;
    await world.updateQueue({ state: 'paused' });
    await submitted(1);
    await world.advance(2);
    await world.updateQueue({ state: 'running' });
    await world.settles();
    await world.advance(7);
    await world.report(1, 'success');
    const { name: token } = await world.prisma.apiToken.findFirstOrThrow();
    const answer = await story(1);
    expect(told(answer)).toEqual([
      `Submitted by ${token}. It is not ready yet.`,
      'It is ready and waits for a test run.',
      `Run 1 tests it on main ${base.slice(0, 8)}.`,
      'Its test run passed (run 1).',
      'The queue merged it into main.',
    ]);
    const run = await world.prisma.testRun.findFirstOrThrow();
    expect(answer.items[2]).toEqual({
      ...{ at: at(2), attempt: 1, state: 'testing', reason: null, actor: null, channel: null, becauseOf: [] },
      ...{ sentence: `Run 1 tests it on main ${base.slice(0, 8)}.`, evidence: null },
      run: {
        ...{ testRunId: run.id, number: 1, kind: 'line', baseSha: base, builtOn: [], builtOnCount: 0, members: [1] },
        testBranchSha: run.commit,
      },
    });
    expect(answer.items.at(-1)).toMatchObject({ state: 'not_ready', actor: token, channel: 'api', run: null });
    const minutes = (count: number) => count * MINUTE_MS;
    expect(answer).toMatchObject({
      ...{ attempt: 1, submittedAt: at(0), concludedAt: at(9), waitingFor: null, message: null, hasMore: false },
      time: { notReadyMs: 0, waitingMs: minutes(2), testedMs: minutes(7), lostMs: 0, decidedMs: 0, lost: [] },
      pullRequest: { prNumber: 1, state: 'merged' },
    });
  });

  it('draws the present test run as getQueuePicture does, until the run ends', async () => {
    await world.updateQueue({ requiredStatuses: ['tests', 'lint'], batch: true, batchingMinSize: 2 });
    world.memory.openPullRequest(1);
    world.memory.openPullRequest(2);
    await Promise.all([world.submit(1), world.submit(2)]);
    await world.settles();
    await world.report(1, 'success', 'lint');
    await world.advance(3);
    const { runs } = await world.api.mustPost<QueuePicture>('getQueuePicture', {
      repo: world.repo,
      targetBranch: 'main',
    });
    const { run, headSha, pullRequests } = await story(2);
    expect(run).toEqual(runs[0]);
    expect(run?.statuses.map(({ name, state }) => [name, state])).toEqual([
      ['tests', 'missing'],
      ['lint', 'passed'],
    ]);
    expect([headSha, pullRequests.length]).toEqual([run?.members.find(({ prNumber }) => prNumber === 2)?.prSha, 2]);
    await world.report(1, 'success', 'tests');
    await world.advance(1);
    expect(await story(2)).toMatchObject({ run: null, headSha });
  });

  it('names the cause of a discarded test run, and how long that run had taken', async () => {
    await submitted(1, 2, 3);
    await world.advance(6);
    await world.report(1, 'failure');
    await world.advance(1);
    const answer = await story(3);
    expect(told(answer)).toEqual(expect.arrayContaining(['It is tested again, because #1 failed.']));
    expect(answer.items.find(({ reason }) => reason === 'prerequisite_merge_item_failed')).toMatchObject({
      becauseOf: [1],
    });
    expect(answer.time).toMatchObject({
      lostMs: 6 * MINUTE_MS,
      lost: [{ ms: 6 * MINUTE_MS, reason: 'prerequisite_merge_item_failed', becauseOf: [1], runNumber: 3 }],
    });
    expect(answer.waitingFor).toBe((await world.record(3)).waitingFor);
    expect(answer.pullRequests.map(({ prNumber }) => prNumber)).toEqual([1, 2, 3]);
  });

  it('shows what failed, with the failing tests that CI uploaded', async () => {
    await submitted(1);
    const { testBranchSha: commit, testBranch: branch, testRunId } = await world.details(1);
    await world.uploadTests({ 'applies the discount': 'failed' }, { commit: String(commit), branch: String(branch) });
    await world.report(1, 'failure', 'tests', { url: 'https://ci.example/1' });
    const { items, message } = await story(1);
    expect(message).toBe((await world.record(1)).stateMessage);
    expect(items[0]).toMatchObject({
      sentence: 'Failed: a required status failed (run 1).',
      evidence: {
        ...{ testRunId, testBranchSha: commit, members: [1], failedTestCount: 1 },
        redStatuses: [{ name: 'tests', state: 'failure', url: 'https://ci.example/1', description: null }],
        failedTests: [{ name: 'applies the discount', status: 'healthy', quarantined: false }],
      },
    });
  });

  it('includes every attempt, and gives the times of the last attempt', async () => {
    await submitted(1);
    await world.advance(5);
    await world.cancel(1);
    await world.advance(60);
    await world.submit(1);
    await world.settles();
    const { items, attempt, submittedAt, time, concludedAt } = await story(1);
    expect(items.map((item) => item.attempt)).toEqual([2, 2, 2, 1, 1, 1, 1]);
    expect(items[3]).toMatchObject({ state: 'cancelled', reason: 'api_requested', channel: 'api' });
    expect([attempt, submittedAt, concludedAt, time.testedMs]).toEqual([2, at(65), null, 0]);
  });

  it('answers 404 for a pull request that was never submitted', async () => {
    const answer = await world.api.post('getPullRequestStory', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number: 9 },
    });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'PR_NOT_FOUND' } } });
  });
});
