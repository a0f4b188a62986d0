import { EngineDay } from '../../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** The moves of one entry since a decision, with their reasons. */
function movesSince(decision: number, number: number): readonly string[] {
  return day.decisions
    .slice(decision)
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change] : []))
    .map(({ from, to, because, run }) => `${from} > ${to}: ${because ?? `run ${run}`}`);
}

describe('an entry whose tree is known to fail', () => {
  /** Entry 1 failed on the target and left. Then entries 1 and 2 are submitted again, with the same trees. */
  function redBefore(): number {
    day = new EngineDay({
      concurrency: 2,
      pendingFailureDepth: 1,
      canOptimisticallyMerge: true,
      optimizationMode: 'bisection_skip_redundant_tests',
    });
    day.knowsResults = true;
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    day.fail(1);
    for (const number of [1, 2]) day.cancel(number);
    day.carryOutAll();
    const decisions = day.decisions.length;
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    return decisions;
  }

  it('is pending_failure without a test of its own, then tests_passed by the run behind it', () => {
    const since = redBefore();
    const known = day.runOf(1);
    expect([known.phase, known.reused, day.stateOf(1), day.stateOf(2)]).toEqual([
      'failed',
      true,
      'pending_failure',
      'testing',
    ]);
    const proof = day.runOf(2).number;
    day.set({}, 'paused');
    day.pass(2);
    expect(movesSince(since, 1).slice(1)).toEqual([
      `pending > pending_failure: run ${known.number}`,
      'pending_failure > tests_passed: successor_test_run_passed',
    ]);
    expect(day.entry(1).verifiedByRun).toBe(proof);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('is pending_failure again when the run that proved it ends', () => {
    const since = redBefore();
    day.set({}, 'paused');
    day.pass(2);
    day.cancel(2);
    const moves = movesSince(since, 1);
    expect(moves[moves.indexOf('pending_failure > tests_passed: successor_test_run_passed') + 1]).toMatch(
      /^tests_passed > pending_failure: run \d+$/,
    );
  });
});

describe('an entry under test', () => {
  it('is testing from the push of its branch on, and names its run', () => {
    day = new EngineDay();
    day.submit(1);
    day.carryOutAll();
    const run = day.runOf(1);
    expect(day.entry(1)).toMatchObject({ state: 'testing', stateRun: run.number, stateChangedAt: run.pushedAt });
  });

  it('keeps its state while it is not ready', () => {
    day = new EngineDay();
    day.submit(1);
    day.carryOutAll();
    day.change(1, { unmet: [{ words: 'an approval' }] });
    day.pass(1);
    expect(day.stateOf(1)).toBe('not_ready');
  });
});
