import { EngineDay } from '../../test/support/engine-day';
import type { QueueSettings } from './model';

const BATCHES: Partial<QueueSettings> = {
  batch: true,
  batchingMinSize: 2,
  bisectionConcurrency: 1,
  optimizationMode: 'bisection_skip_redundant_tests',
};
let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/**
 * Lets entries 1 and 2 fail together by a flake. The bisection finds entry 2, which passes in isolation and goes back
 * behind entry 1.
 */
function acquitted(settings: Partial<QueueSettings> = {}): void {
  day = new EngineDay({ ...BATCHES, ...settings });
  day.knowsResults = true;
  day.submit(1);
  day.submit(2);
  day.carryOutAll().fail(1);
  reportSearch('passed');
  reportSearch('passed');
}

function reportSearch(state: 'passed' | 'failed'): void {
  day.report(
    day.queue.runs.find((run) => run.search !== null)!,
    state,
  );
  day.carryOutAll();
}

describe('an entry that passed in isolation at the end of a bisection', () => {
  it('is tested again on a tree that failed before', () => {
    acquitted();
    expect([day.target, day.stateOf(2), day.testedOn(2)]).toEqual([['main', '1@1a'], 'testing', [2]]);
    expect(day.pass(2).target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('is tested again, even if a test on another tree came in between', () => {
    acquitted({ concurrency: 4 });
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect(day.testedOn(2)).toEqual([3, 2]);
    day.fail(2);
    expect(day.stateOf(2)).toBe('pending_failure');
    day.fail(3);
    expect([day.stateOf(3), day.stateOf(2), day.testedOn(2)]).toEqual(['failed', 'testing', [2]]);
  });

  it('is tested again after it was cancelled and submitted again', () => {
    acquitted();
    day.cancel(2);
    day.submit(2, { noBatch: true });
    expect(day.carryOutAll().stateOf(2)).toBe('testing');
  });

  it('fails when its test fails again, and the new result can be reused', () => {
    acquitted();
    expect(day.fail(2).stateOf(2)).toBe('failed');
    expect(day.entry(2).stateReason).toBe('test_run_required_status_failed');
  });

  it('reuses a result that is newer than the pass', () => {
    acquitted();
    day.set({}, 'paused');
    day.pass(2);
    day.cancel(2);
    day.set({}, 'running');
    day.submit(2, { noBatch: true });
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
    expect(day.decisions.flatMap((decided) => decided.changes)).toContainEqual(
      expect.objectContaining({ entryId: 'entry-2', to: 'tests_passed', because: 'passed_by_optimization' }),
    );
  });
});

describe('the last test of a bisection', () => {
  it('is really run, even if its tree already has a result', () => {
    day = new EngineDay(BATCHES);
    day.knowsResults = true;
    // Entry 2 failed in isolation on this target before, and left before that failure counted.
    day.submit(3, { noBatch: true });
    day.submit(2, { noBatch: true });
    day.set({ concurrency: 2 });
    day.carryOutAll();
    day.cancel(3);
    day.carryOutAll();
    day.set({ pendingFailureDepth: 3 });
    day.submit(4, { noBatch: true });
    day.carryOutAll().fail(2);
    day.cancel(2);
    day.cancel(4);
    day.carryOutAll();
    day.submit(1);
    day.submit(2);
    day.carryOutAll().fail(1);
    reportSearch('passed');
    expect(day.queue.runs.filter((run) => run.search !== null)).toMatchObject([{ phase: 'testing', kind: 'verify' }]);
  });
});
