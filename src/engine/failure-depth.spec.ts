import type { QueueSettings } from './model';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** A line of this many entries, each tested on all entries ahead of it. */
function line(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  return day.carryOutAll();
}

describe('a failed run with a failure depth', () => {
  it('waits until as many runs on top of it have finished as the depth says', () => {
    line(4, { pendingFailureDepth: 2 }).fail(1);
    expect(day.stateOf(1)).toBe('pending_failure');
    expect(day.testedOn(4)).toEqual([1, 2, 3, 4]);
    day.fail(2);
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(3);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('waits for an entry that may still start behind it, until no further entry can start', () => {
    line(1, { pendingFailureDepth: 3 }).submit(2);
    day.fail(1);
    expect([day.stateOf(1), day.testedOn(2)]).toEqual(['pending_failure', [1, 2]]);
    day.fail(2);
    expect([day.stateOf(1), day.testedOn(2)]).toEqual(['failed', [2]]);
  });

  it('does not wait for entries that cannot start in a draining queue', () => {
    line(1, { pendingFailureDepth: 3 }).submit(2);
    day.set({}, 'draining');
    expect(day.fail(1).stateOf(1)).toBe('failed');
  });

  it('does not wait for entries that find no free slot', () => {
    line(2, { pendingFailureDepth: 3 }).queue = { ...day.queue, limits: { ...day.queue.limits, runsInFlight: 2 } };
    day.submit(3);
    day.fail(1);
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('keeps the depth at which it failed', () => {
    line(2, { pendingFailureDepth: 5 });
    day.fail(1);
    day.set({ pendingFailureDepth: 0 });
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('passes if CI reports a newer pass before the entry is blamed', () => {
    line(2, { pendingFailureDepth: 1 }).fail(1);
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
    expect(day.testedOn(2)).toEqual([1, 2]);
  });

  it('can be restarted while it waits, without a restart of the runs behind it', () => {
    line(2, { pendingFailureDepth: 1 }).fail(1);
    const behind = day.runOf(2).number;
    expect(day.restart(1)).toBeNull();
    day.carryOutAll();
    expect([day.stateOf(1), day.runOf(2).number]).toEqual(['testing', behind]);
  });
});

describe('optimistic merging', () => {
  it('lands all entries that a passed run contains in one move', () => {
    line(3, { canOptimisticallyMerge: true }).pass(3);
    expect(day.queue.nextLanding).toBe(2);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'merged', 'merged']);
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a']);
  });

  it('lands an entry that failed with a failure depth when a run behind it passes', () => {
    line(3, { canOptimisticallyMerge: true, pendingFailureDepth: 2 }).fail(1);
    day.pass(2);
    expect([1, 2].map((number) => day.stateOf(number))).toEqual(['merged', 'merged']);
    expect(day.stateOf(3)).toBe('testing');
  });

  it('does not land an entry that failed while no failure depth was set, even if a run behind it passes', () => {
    line(3, { canOptimisticallyMerge: true }).fail(1);
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'merged', 'merged']);
  });

  it('shows an entry as proven while nothing may merge, until the run that proved it leaves', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['tests_passed', 'successor_test_run_passed']);
    day.cancel(2);
    expect([day.stateOf(1), day.entry(1).verifiedByRun]).toEqual(['testing', null]);
  });

  it('ignores the own test of a proven run as long as the proof stands', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2).fail(1);
    expect(day.stateOf(1)).toBe('tests_passed');
    day.cancel(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('needs no decision at the time-out of a proven run', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2).advance(300);
    day.happen({ type: 'clockTicked' });
    expect([day.stateOf(1), day.decisions.at(-1)?.wakeAt]).toEqual(['tests_passed', null]);
  });

  it('does not delay a change of mode for the own test of a proven run', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: null });
    expect([day.queue.mode, day.queue.runs, day.stateOf(1)]).toEqual(['parallel', [], 'not_ready']);
  });

  it('records that a run is under test before another run proves it', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2).restart(1);
    day.set({}, 'running');
    day.set({ concurrency: 3 }, 'running');
    const from = day.decisions.length;
    day.act();
    day.set({}, 'paused');
    day.carryOutAll();
    const moves = day.decisions
      .slice(from)
      .flatMap(({ changes }) => changes.filter(({ type }) => type === 'entryMoved'));
    expect(moves).toMatchObject([{ to: 'testing' }, { to: 'tests_passed', because: 'successor_test_run_passed' }]);
  });

  it('merges the entries ahead of an entry that the host refuses during the landing', () => {
    line(3, { canOptimisticallyMerge: true });
    day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'failed', 'pending']);
    expect(day.queue.partialLanding).toMatchObject({ landed: [1] });
  });

  it('does not land an entry that somebody restarted', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    day.restart(1);
    day.set({}, 'draining');
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'tests_passed']);
  });

  it('continues the own test of a proven run when the landing is refused', () => {
    line(2, { canOptimisticallyMerge: true });
    day.change(2, { refusal: 'protected' }, 'missed');
    day.pass(2);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'host_merge_failed']);
    expect([day.stateOf(1), day.runOf(1).number]).toEqual(['testing', 1]);
    expect(day.pass(1).target).toEqual(['main', '1@1a']);
  });
});
