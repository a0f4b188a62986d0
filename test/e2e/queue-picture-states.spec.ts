import type { QueuePicture } from '../../src/modules/views/queue-picture.dto';
import type { RunPicture } from '../../src/modules/views/run-picture.dto';
import { START, World } from '../support/world';

const MINUTE_MS = 60_000;
const BATCHES = { requiredStatuses: ['tests'], batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 5 };
const FLOW = { ...BATCHES, scheduling: 'flow', canOptimisticallyMerge: true, concurrency: 1, bisectionConcurrency: 1 };

describe('getQueuePicture shows a queue', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
  });

  afterEach(() => world.close());

  const picture = () => world.api.mustPost<QueuePicture>('getQueuePicture', { repo: world.repo, targetBranch: 'main' });
  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  const membersOf = ({ members }: RunPicture) => members.map(({ prNumber }) => prNumber);

  async function submitted(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      if (!world.memory.pullRequests.has(number)) world.memory.openPullRequest(number);
      await world.submit(number);
      await world.settles();
    }
  }

  /** Lets CI report this result for the run with exactly these members. */
  async function answer(members: readonly number[], state: 'success' | 'failure'): Promise<void> {
    const { runs } = await picture();
    const run = runs.find((other) => membersOf(other).join() === members.join());
    expect(run).toBeDefined();
    const report = { repo: world.repo, sha: run!.testBranchSha, context: 'tests', state };
    await world.api.mustPost('reportStatus', report);
    await world.settles();
  }

  it('that waits for its batch to fill', async () => {
    await world.createQueue(BATCHES);
    await submitted(1, 2);
    await world.advance(2);
    const { nextBatch, waiting, runs } = await picture();
    expect(runs).toEqual([]);
    expect(nextBatch).toEqual({ members: [1, 2], size: 4, startsAt: at(5) });
    expect(waiting.map(({ prNumber, place }) => [prNumber, place])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('in a bisection: the tested parts, their results, and the pull requests that are still suspect', async () => {
    await world.createQueue({
      ...BATCHES,
      concurrency: 1,
      bisectionConcurrency: 1,
      optimizationMode: 'bisection_skip_redundant_tests',
    });
    await submitted(1, 2, 3, 4);
    await answer([1, 2, 3, 4], 'failure');
    const [search] = (await picture()).searches;
    expect(search).toMatchObject({ stage: 'prefixes', members: [1, 2, 3, 4], suspects: [1, 2, 3, 4], results: [] });
    await answer([1, 2], 'success');
    const { searches, runs, slots, line } = await picture();
    const [first] = searches;
    expect(first).toMatchObject({
      members: [1, 2, 3, 4],
      suspects: [3, 4],
      results: [{ length: 2, verdict: 'passed' }],
    });
    const tested = runs.find(({ search: number }) => number === first!.number)!;
    expect(first!.runs).toEqual([tested.number]);
    expect([tested.kind, membersOf(tested)]).toEqual(['search', [1, 2, 3]]);
    expect(first!.waitingFor).toBe((await world.record(3)).waitingFor);
    expect([slots, line]).toEqual([{ line: { inUse: 0, all: 1 }, searches: { inUse: 1, all: 1 } }, []]);
  });

  it('in flow scheduling: suspect sets, entries awaiting a combined test, runs with their roles', async () => {
    await world.createQueue(FLOW);
    await submitted(1, 2, 3, 4, 5, 6, 7, 8);
    const before = await picture();
    expect(before.runs.map((run) => [run.role, run.builtOnCount, membersOf(run)])).toEqual([
      ['group', 0, [1, 2, 3, 4]],
      ['group', before.runs[1]!.builtOnCount, [5, 6, 7, 8]],
    ]);
    await answer([1, 2, 3, 4], 'failure');
    const { searches, runs, slots, conditions } = await picture();
    expect(searches[0]).toMatchObject({ stage: 'suspects', members: [1, 2, 3, 4], suspects: [1, 2, 3, 4] });
    for (const { runs: numbers, number } of searches)
      expect(runs.filter((run) => run.search === number).map((run) => run.number)).toEqual(numbers);
    expect(slots).toEqual({ line: { inUse: 2, all: 2 }, searches: null });
    expect(conditions.scheduling).toBe('flow');
  });

  it('in parallel mode: each run is built only on runs that share a target with it', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], mode: 'parallel', concurrency: 5 });
    const targets = { 1: ['//a'], 2: ['//b'], 3: ['//a', '//b'], 4: ['//c'], 5: ['//d'] };
    for (const [number, impactedTargets] of Object.entries(targets)) {
      world.memory.openPullRequest(Number(number));
      const pr = { repo: world.repo, targetBranch: 'main', pr: { number: Number(number) } };
      await world.api.mustPost('setImpactedTargets', { ...pr, impactedTargets });
      await submitted(Number(number));
    }
    const { runs } = await picture();
    expect(runs.map(({ targets: names }) => names)).toEqual(Object.values(targets));
    expect(runs.map((run) => [membersOf(run), run.builtOn])).toEqual([
      [[1], []],
      [[2], []],
      [[3], [1, 2]],
      [[4], []],
      [[5], []],
    ]);
  });

  it('with a conflict, and with a pull request that depends on another', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    world.memory.openPullRequest(1, { files: { 'price.txt': '10\n' } });
    world.memory.openPullRequest(2, { files: { 'price.txt': '12\n' } });
    const head = world.memory.pullRequest(1).head;
    world.memory.openPullRequest(3, { from: head });
    await submitted(1, 2, 3);
    const { runs, pullRequests } = await picture();
    expect(runs.map((run) => [membersOf(run), run.phase, run.conflict])).toEqual([
      [[1], 'testing', null],
      [[2], 'conflicted', { prNumber: 1, files: ['price.txt'] }],
      [[3], 'testing', null],
    ]);
    expect(pullRequests.map(({ prNumber, dependsOn }) => [prNumber, dependsOn])).toEqual([
      [1, []],
      [2, []],
      [3, [1]],
    ]);
  });

  it('that switches its mode, or drains', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await submitted(1);
    await world.updateQueue({ mode: 'parallel' });
    const { conditions } = await picture();
    expect(conditions).toMatchObject({
      ...{ state: 'switching_modes', since: at(0), mode: 'single' },
      switchingTo: { mode: 'parallel', scheduling: null, then: 'running' },
    });
    expect(conditions.waitingFor).toContain('switching to mode parallel');
    await world.report(1, 'success');
    await world.advance(3);
    expect((await picture()).conditions).toMatchObject({ state: 'running', mode: 'parallel', switchingTo: null });
    await world.updateQueue({ state: 'draining', pauseReason: 'a release' });
    expect((await picture()).conditions).toMatchObject({ state: 'draining', since: at(3), reason: 'a release' });
  });

  it('in a freeze window, with a limit of merges per hour', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], maxMergesPerHour: 2 });
    await submitted(1);
    await world.report(1, 'success');
    expect((await picture()).conditions).toMatchObject({ freeze: null, mergeLimit: { perHour: 2, mergedLately: 1 } });
    const days = ['friday'];
    await world.updateQueue({ freezeWindows: [{ days, from: '11:00', to: '14:00', timeZone: 'UTC' }] });
    const { freeze } = (await picture()).conditions;
    expect(freeze).toMatchObject({ until: at(120), exceptPriorityAtMost: null });
  });

  it('after a merge was refused midway, so that the target itself fails', async () => {
    world.memoryHost.landOneAtATime();
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.createQueue({ ...BATCHES, batchingMinSize: 2 });
    await submitted(1, 2);
    world.memory.pullRequest(2).refusalMidway = 'A review is missing.';
    await world.report(1, 'success');
    const { conditions, runs, landings, left } = await picture();
    expect(conditions.partlyLanded).toEqual({
      landed: [1],
      why: expect.stringContaining('A review is missing') as string,
      wrongTrees: [],
      isMixed: false,
    });
    expect(runs.map((run) => [run.kind, membersOf(run), run.waitingFor])).toEqual([['target', [], null]]);
    expect([landings.map(({ prNumber }) => prNumber), left.map(({ prNumber }) => prNumber)]).toEqual([[1], [2]]);
    const report = { repo: world.repo, sha: runs[0]!.testBranchSha, context: 'tests', state: 'failure' };
    await world.api.mustPost('reportStatus', report);
    await world.settles();
    const red = (await picture()).conditions;
    expect([red.state, red.by, red.redTarget?.problem]).toEqual(['paused', null, expect.any(String) as string]);
  });

  it('after the code host merged the wrong content', async () => {
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
    await submitted(1);
    world.memory.pullRequest(1).leavesOut = ['README.md'];
    await world.report(1, 'success');
    const { state, by, partlyLanded, waitingFor } = (await picture()).conditions;
    expect([state, by]).toEqual(['paused', null]);
    expect(partlyLanded).toMatchObject({ landed: [1], wrongTrees: [{ prNumber: 1, files: ['README.md'] }] });
    expect(waitingFor).toMatch(/merged the wrong content: #1 as \w+ \(README.md differs from the tested tree\)/);
    expect(await world.record(1)).toMatchObject({ state: 'merged' });
  });

  it('with a direct merge, without a test by the queue', async () => {
    await world.createQueue({ requiredStatuses: ['tests'], directMergeMode: 'always' });
    const sha = world.memory.openPullRequest(1);
    await world.api.mustPost('reportStatus', { repo: world.repo, sha, context: 'tests', state: 'success' });
    await submitted(1);
    const { landings, mergedCount, runs } = await picture();
    expect(await world.prisma.testRun.findFirst()).toMatchObject({ kind: 'direct', endedBecause: 'landed' });
    expect([landings.map(({ prNumber }) => prNumber), mergedCount, runs]).toEqual([[1], 1, []]);
  });

  it('with the median duration of its statuses, once each was reported five times', async () => {
    await world.createQueue({ requiredStatuses: ['lint', 'tests'], testingTimeoutMinutes: 600 });
    for (const [i, minutes] of [4, 9, 5, 6, 7].entries()) {
      const number = i + 1;
      await submitted(number);
      const { expectedRunMs, runs } = await picture();
      expect([expectedRunMs, runs[0]!.statuses[0]!.expectedMs]).toEqual([null, null]);
      await world.advance(1);
      await world.report(number, 'success', 'lint');
      await world.advance(minutes - 1);
      await world.report(number, number === 2 ? 'failure' : 'success');
    }
    await submitted(6);
    const { expectedRunMs, runs } = await picture();
    expect(expectedRunMs).toBe(6 * MINUTE_MS);
    expect(runs[0]!.statuses.map(({ name, expectedMs }) => [name, expectedMs])).toEqual([
      ['lint', MINUTE_MS],
      ['tests', 6 * MINUTE_MS],
    ]);
  });

  it('without a duration for a status that was never reported', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    for (const number of [1, 2, 3, 4, 5]) {
      await submitted(number);
      await world.advance(5);
      await world.report(number, 'pending');
      await world.cancel(number);
    }
    await submitted(6);
    const { runs } = await picture();
    expect(runs[0]!.statuses[0]!.expectedMs).toBeNull();
  });
});
