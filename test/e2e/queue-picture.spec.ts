import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import type { RunPicture } from '../../src/modules/views/run-picture.dto';
import { START, World } from '../support/world';

const MINUTE_MS = 60_000;

describe('getQueuePicture', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });

  afterEach(() => world.close());

  const picture = (more: object = {}) =>
    world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main', ...more });
  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  const membersOf = ({ members }: RunPicture) => members.map(({ prNumber }) => prNumber);

  async function submitted(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      world.memory.openPullRequest(number);
      await world.submit(number);
      await world.settles();
    }
  }

  it('draws an empty queue', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 3 });
    await world.settles();
    const { tip, ...drawn } = await picture();
    expect(tip).toMatch(/^[0-9a-f]{40}$/);
    expect(drawn).toMatchObject({
      repo: world.repo,
      targetBranch: 'main',
      readAt: at(0),
      conditions: { state: 'running', since: null, by: null, reason: null, waitingFor: null, freeze: null },
      slots: { line: { inUse: 0, all: 3 }, searches: { inUse: 0, all: 3 } },
      ...{ expectedRunMs: null, landings: [], runs: [], line: [], passed: [], searches: [], nextBatch: null },
      ...{ waitingCount: 0, notReadyCount: 0, waiting: [], since: at(-24 * 60), mergedCount: 0, failedCount: 0 },
      ...{ left: [], pullRequests: [] },
    });
  });

  it('draws a run with its base, its pull request and its statuses', async () => {
    await world.createQueue({ requiredStatuses: ['lint', 'tests'], testingTimeoutMinutes: 60 });
    await submitted(1);
    await world.advance(3);
    await world.report(1, 'success', 'lint', { url: 'https://ci.example/1' });
    await world.advance(1);
    const { runs, tip, pullRequests, slots, version } = await picture();
    const stored = await world.prisma.testRun.findFirstOrThrow();
    const head = world.memory.pullRequest(1).head;
    expect(runs).toEqual([
      {
        ...{ testRunId: stored.id, number: 1, kind: 'line', role: null, phase: 'testing', search: null },
        ...{
          baseSha: tip,
          builtOn: [],
          builtOnCount: 0,
          hopes: [],
          members: [{ prNumber: 1, prSha: head }],
          targets: [],
        },
        ...{ testBranch: stored.branch, testBranchSha: stored.commit },
        statuses: [
          {
            name: 'lint',
            state: 'passed',
            reportedAt: at(3),
            expectedMs: null,
            url: 'https://ci.example/1',
            description: null,
          },
          { name: 'tests', state: 'missing', reportedAt: null, expectedMs: null, url: '', description: null },
        ],
        ...{ createdAt: at(0), pushedAt: at(0), resultAt: null, timesOutAt: at(60) },
        ...{ waitingFor: (await world.record(1)).waitingFor, eta: null, conflict: null, failure: null },
        landsWhen: 'Merges when `tests` passes: nothing is ahead of it.',
      },
    ]);
    expect(pullRequests).toMatchObject([{ prNumber: 1, state: 'testing', priorityName: 'medium', eta: null }]);
    expect(slots.line.inUse).toBe(1);
    expect(version).toBeGreaterThan(0);
  });

  it('draws each run on top of the runs ahead, then waiting entries, with the reasons in their records', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    await submitted(1, 2, 3, 4);
    const { runs, waiting, waitingCount, pullRequests } = await picture();
    expect(runs.map((run) => [run.builtOn, membersOf(run)])).toEqual([
      [[], [1]],
      [[1], [2]],
    ]);
    expect(waiting).toEqual([
      { prNumber: 3, place: 3, since: at(0), waitingFor: (await world.record(3)).waitingFor },
      { prNumber: 4, place: 4, since: at(0), waitingFor: (await world.record(4)).waitingFor },
    ]);
    expect(waitingCount).toBe(2);
    expect(pullRequests.map(({ prNumber }) => prNumber)).toEqual([1, 2, 3, 4]);
  });

  it('shows what merged and what failed, with the run that proved the failure', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await submitted(1, 2);
    const { tip: base } = await picture();
    await world.report(1, 'success');
    await world.settles();
    const { testRunId, testBranchSha } = await world.details(2);
    await world.report(2, 'failure', 'tests', { url: 'https://ci.example/2', description: 'one of 3 failed' });
    const { landings, left, tip, mergedCount, failedCount } = await picture();
    expect(landings).toEqual([{ prNumber: 1, commit: tip, landedAt: at(0) }]);
    expect([mergedCount, failedCount]).toEqual([1, 1]);
    const status = { name: 'tests', state: 'failure', url: 'https://ci.example/2', description: 'one of 3 failed' };
    expect(left).toEqual([
      {
        ...{ prNumber: 2, at: at(0), reason: 'test_run_required_status_failed', by: null },
        message: (await world.record(2)).stateMessage,
        evidence: {
          ...{ testRunId, runNumber: expect.any(Number) as number, baseSha: base, builtOn: [1], members: [2] },
          ...{ testBranchSha, redStatuses: [status], failedTestCount: null, failedTests: [] },
        },
      },
    ]);
  });

  it('shows since when, by whom and why a queue is paused', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.advance(5);
    await world.updateQueue({ state: 'paused', pauseReason: 'the store is frozen' });
    await world.advance(5);
    const { conditions } = await picture();
    const { name } = await world.prisma.apiToken.findFirstOrThrow();
    expect(conditions).toMatchObject({ state: 'paused', since: at(5), by: name, reason: 'the store is frozen' });
    expect(conditions.waitingFor).toContain('the store is frozen');
  });
});
