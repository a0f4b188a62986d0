import type { QueueSettings, TestRun } from './model';
import { EngineDay } from '../../test/support/engine-day';

const SKIP: Partial<QueueSettings> = { optimizationMode: 'bisection_skip_redundant_tests' };
let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** A failed batch of this size, whose test in the line is over. */
function redBatch(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ batch: true, batchingMinSize: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  day.carryOutAll();
  return day.fail(1);
}

/** The numbers that each run of a bisection tests, in the order in which the runs began. */
function searched(): readonly (readonly number[])[] {
  return searchRuns().map((run) => run.own.map((change) => change.number));
}

function searchRuns(): readonly TestRun[] {
  return day.queue.runs.filter((run) => run.search !== null);
}

function report(numbers: readonly number[], state: 'passed' | 'failed'): void {
  const run = searchRuns().find((other) => other.own.map((change) => change.number).join() === numbers.join());
  if (!run) throw new Error(`no search run tests ${numbers.join()}`);
  day.report(run, state);
  day.carryOutAll();
}

describe('the bisection of a failed batch', () => {
  it('starts at once with tests of prefixes, while other entries are tested without the batch', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 3 });
    expect(searched()).toEqual([[1], [1, 2], [1, 2, 3]]);
    day.submit(5, { noBatch: true });
    day.carryOutAll();
    expect(day.testedOn(5)).toEqual([5]);
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(['testing', 'testing', 'testing', 'pending']);
    expect(day.entry(4).stateReason).toBe('bisection_required');
  });

  it('records for each entry the shortest run that contains the entry', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 3 });
    const [one, two, three] = searchRuns().map((run) => run.number);
    expect([1, 2, 3].map((number) => day.entry(number).stateRun)).toEqual([one, two, three]);
    report([1], 'passed');
    expect(day.entry(1).stateRun).toBe(two);
  });

  it('stops the prefixes behind the first failed prefix, and tests the culprit once more, in isolation', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 3 });
    report([1], 'passed');
    report([1, 2], 'failed');
    expect(searched()).toEqual([[2]]);
    report([2], 'failed');
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(day.queue.searches).toEqual([]);
  });

  it('returns the entries before the culprit as one group, and the entries behind the culprit as another', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 3, concurrency: 2 });
    report([1], 'passed');
    report([1, 2], 'failed');
    expect(day.testedOn(1)).toEqual([1]);
    expect(day.testedOn(3)).toEqual([1, 3, 4]);
    expect([3, 4].map((number) => day.entry(number).batchAtMost)).toEqual([3, 3]);
    report([2], 'failed');
    day.pass(1).pass(3);
    expect(day.target).toEqual(['main', '1@1a', '3@3a', '4@4a']);
  });

  it('puts a culprit that passed in isolation right behind its prefix, in a batch of its own', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 2, concurrency: 1 });
    report([1], 'passed');
    report([1, 2], 'failed');
    report([2], 'passed');
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['pending', 'bisection_test_run_passed']);
    expect(day.entry(2).batchAtMost).toBe(1);
    day.pass(1);
    expect(day.testedOn(2)).toEqual([1, 2]);
    expect(day.fail(2).stateOf(2)).toBe('failed');
    expect(day.testedOn(3)).toEqual([3]);
  });

  it('keeps a culprit between its prefix and the entries behind it, even if its priority changes', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 2, concurrency: 1 });
    report([1], 'passed');
    report([1, 2], 'failed');
    day.submit(2, { priority: 200 });
    report([2], 'passed');
    expect(day.pass(1).testedOn(2)).toEqual([1, 2]);
    expect(day.stateOf(3)).toBe('pending');
  });

  it('does not test a culprit again that failed in isolation on the present target', () => {
    redBatch(2, SKIP);
    expect(searched()).toEqual([[1]]);
    report([1], 'failed');
    expect(day.stateOf(1)).toBe('failed');
    expect(searched()).toEqual([]);
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('tests the culprit once more if the target has moved since the last test of the culprit', () => {
    redBatch(2, SKIP);
    day.submit(3, { noBatch: true });
    day.carryOutAll().pass(3);
    report([1], 'failed');
    expect(searched()).toEqual([[1]]);
    expect(day.stateOf(1)).toBe('testing');
  });

  it('trusts the pass of a longer prefix over the failure of a shorter prefix', () => {
    redBatch(4, { bisectionConcurrency: 3 });
    report([1, 2, 3, 4], 'failed');
    report([1], 'failed');
    report([1, 2], 'passed');
    report([1, 2, 3], 'failed');
    expect(searched()).toEqual([[3]]);
  });

  it('tests a prefix that timed out once more before it counts as failed', () => {
    redBatch(2, { ...SKIP, testingTimeoutMinutes: 60 });
    day.report(searchRuns()[0]!, 'running');
    day.advance(61);
    day.carryOutAll();
    expect([searched(), day.stateOf(1)]).toEqual([[[1]], 'testing']);
    for (const state of ['pending', 'failed']) {
      day.report(searchRuns()[0]!, 'running');
      day.advance(61);
      expect(day.stateOf(1)).toBe(state);
      day.carryOutAll();
    }
    expect(day.entry(1).stateReason).toBe('test_run_timeout');
  });

  it('tests its prefixes in parallel on one target, whatever lands meanwhile', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 1 });
    day.submit(5, { noBatch: true });
    day.carryOutAll().pass(5);
    report([1, 2], 'passed');
    expect(searchRuns()).toMatchObject([{ kind: 'search', base: { landedSeq: 0 } }]);
    report([1, 2, 3], 'failed');
    expect(searchRuns()).toMatchObject([{ kind: 'verify', base: { landedSeq: 1 } }]);
  });

  it('uses every slot as soon as it is free', () => {
    redBatch(8, { ...SKIP, bisectionConcurrency: 2 });
    const [shorter, longer] = searched();
    report(shorter!, 'passed');
    expect(searched()).toHaveLength(2);
    expect(searched()).toContainEqual(longer);
  });

  it('does not wait for an older unfinished bisection', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 4 });
    for (const number of [4, 5, 6]) day.submit(number);
    day.carryOutAll().fail(4);
    report([4], 'failed');
    expect([day.stateOf(1), day.stateOf(4)]).toEqual(['testing', 'failed']);
  });

  it('keeps a member that becomes urgent meanwhile', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 1 });
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    expect(day.entry(4)).toMatchObject({ state: 'pending', priority: 0, place: null });
    expect(searched()).toEqual([[1, 2]]);
  });

  it('does not test a prefix while the mergeability of an entry is unknown, and asks the host again in time', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 2, ...SKIP });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll().change(1, { mergeability: 'unspecified' }, 'missed');
    day.fail(1).change(1, { mergeability: 'mergeable' }, 'missed');
    const { askAgainAt } = day.entry(1);
    day.now = askAgainAt! - 1;
    day.happen({ type: 'clockTicked' });
    expect(searched()).toEqual([]);
    day.now = askAgainAt!;
    day.happen({ type: 'clockTicked' });
    expect(searched()).toEqual([[1]]);
  });

  it('shares its slots with other bisections, the oldest first', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 1 });
    for (const number of [4, 5, 6]) day.submit(number);
    day.carryOutAll().fail(4);
    expect(day.queue.searches).toHaveLength(2);
    expect(searched()).toEqual([[1, 2]]);
    report([1, 2], 'failed');
    expect(searched()).toEqual([[1]]);
  });

  it('starts no round in a paused queue', () => {
    redBatch(4, { ...SKIP, bisectionConcurrency: 1 });
    day.set({}, 'paused');
    report([1, 2], 'passed');
    expect(searched()).toEqual([]);
    day.set({}, 'running');
    day.carryOutAll();
    expect(searched()).toEqual([[1, 2, 3]]);
  });

  it('starts again with the remaining suspects after a push to the target', () => {
    redBatch(8, { ...SKIP, bisectionConcurrency: 1 });
    report([1, 2, 3, 4], 'passed');
    report([1, 2, 3, 4, 5, 6], 'failed');
    day.pushToTarget('outside');
    day.carryOutAll();
    expect(day.queue.searches[0]?.members.map((change) => change.number)).toEqual([5, 6]);
    expect(searched()).toEqual([[5]]);
    expect(day.testedOn(1)).toEqual([1, 2, 3, 4]);
    expect([7, 8].map((number) => day.entry(number).stateReason)).toEqual([
      'manual_push_to_target_branch',
      'manual_push_to_target_branch',
    ]);
  });

  it('gives a push from outside as the reason why a tested suspect waits', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 1 });
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['testing', 'testing', 'pending']);
    const from = day.decisions.length;
    day.pushToTarget('outside');
    const moves = day.decisions[from]!.changes.filter((change) => change.type === 'entryMoved');
    expect(moves.map(({ entryId, because }) => [entryId, because])).toEqual([
      ['entry-1', 'manual_push_to_target_branch'],
      ['entry-2', 'manual_push_to_target_branch'],
    ]);
  });
});

describe('a culprit found after a push', () => {
  it('goes back behind its prefix if it passes in isolation', () => {
    redBatch(8, { ...SKIP, bisectionConcurrency: 1 });
    day.submit(9, { priority: 0 });
    day.carryOutAll();
    report([1, 2, 3, 4], 'passed');
    report([1, 2, 3, 4, 5, 6], 'failed');
    day.pushToTarget('outside');
    day.carryOutAll();
    report([5], 'passed');
    report([6], 'passed');
    const order = [5, 6].map((number) => day.entry(number).returnedOrder);
    expect(order[1]).toBe(order[0]! + 1);
  });
});

describe('a bisection with optimizationMode off', () => {
  it('first tests the whole batch once more', () => {
    redBatch(3, { bisectionConcurrency: 2 });
    expect(searched()).toEqual([[1, 2, 3]]);
    report([1, 2, 3], 'failed');
    expect(searched()).toEqual([[1], [1, 2]]);
  });

  it('returns the whole batch when its second test passes, and a smaller batch when that happens again', () => {
    redBatch(3);
    report([1, 2, 3], 'passed');
    expect(day.testedOn(1)).toEqual([1, 2, 3]);
    day.fail(1);
    report([1, 2, 3], 'passed');
    expect(day.testedOn(1)).toEqual([1, 2]);
  });

  it('begins no test before the tests of its round are finished', () => {
    redBatch(8, { bisectionConcurrency: 2 });
    report([1, 2, 3, 4, 5, 6, 7, 8], 'failed');
    const [shorter, longer] = searched();
    report(shorter!, 'passed');
    expect(searched()).toEqual([longer]);
  });

  it('finishes every test of a round', () => {
    redBatch(4, { bisectionConcurrency: 3 });
    report([1, 2, 3, 4], 'failed');
    report([1], 'failed');
    expect(searched()).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
    report([1, 2], 'failed');
    report([1, 2, 3], 'failed');
    expect(day.stateOf(1)).toBe('failed');
  });
});

describe('a pull request that leaves a bisection', () => {
  it('does not end the bisection if it stood behind the shortest failed prefix', () => {
    redBatch(5, { ...SKIP, bisectionConcurrency: 1 });
    report([1, 2, 3], 'failed');
    day.cancel(5);
    day.carryOutAll();
    expect(day.queue.searches[0]?.members.map((change) => change.number)).toEqual([1, 2, 3, 4]);
    expect(searched()).toEqual([[1, 2]]);
  });

  it('ends the bisection if it was a suspect: the passed prefix stays one group, the other entries wait again', () => {
    redBatch(5, { ...SKIP, bisectionConcurrency: 1, concurrency: 2 });
    report([1, 2, 3], 'passed');
    day.cancel(4);
    day.carryOutAll();
    expect(day.queue.searches).toEqual([]);
    expect(day.testedOn(1)).toEqual([1, 2, 3]);
    expect(day.testedOn(5)).toEqual([1, 2, 3, 5]);
  });

  it('is tested again in a new run if it is restarted instead', () => {
    redBatch(3, { ...SKIP, bisectionConcurrency: 1 });
    const before = searchRuns()[0]?.number;
    expect(day.restart(1)).toBeNull();
    day.carryOutAll();
    expect(searched()).toEqual([[1, 2]]);
    expect(searchRuns()[0]?.number).not.toBe(before);
    expect(day.restart(3)).toBeNull();
  });
});
