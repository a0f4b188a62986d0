import type { QueueSettings } from './model';
import { EngineDay } from '../../test/support/engine-day';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/** So many in the line, each tested on those ahead of it. */
function line(size: number, settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ concurrency: size, ...settings });
  for (let number = 1; number <= size; number++) day.submit(number);
  return day.carryOutAll();
}

describe('a red run with a failure depth', () => {
  it('waits for so many pull requests behind it, which keep being tested on top of it', () => {
    line(4, { pendingFailureDepth: 2 }).fail(1);
    expect(day.stateOf(1)).toBe('pending_failure');
    expect(day.testedOn(4)).toEqual([1, 2, 3, 4]);
    day.fail(2);
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(3);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('counts what may still start behind it, and not what cannot', () => {
    line(1, { pendingFailureDepth: 3 }).submit(2);
    day.fail(1);
    expect([day.stateOf(1), day.testedOn(2)]).toEqual(['pending_failure', [1, 2]]);
    day.fail(2);
    expect([day.stateOf(1), day.testedOn(2)]).toEqual(['failed', [2]]);
  });

  it('does not wait for what cannot start in a draining queue', () => {
    line(1, { pendingFailureDepth: 3 }).submit(2);
    day.set({}, 'draining');
    expect(day.fail(1).stateOf(1)).toBe('failed');
  });

  it('does not wait for what finds no room', () => {
    line(2, { pendingFailureDepth: 3 }).queue = { ...day.queue, limits: { ...day.queue.limits, runsInFlight: 2 } };
    day.submit(3);
    day.fail(1);
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('keeps the depth under which it failed', () => {
    line(2, { pendingFailureDepth: 5 });
    day.fail(1);
    day.set({ pendingFailureDepth: 0 });
    expect(day.stateOf(1)).toBe('pending_failure');
    day.fail(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('passes after all when newer reports say so before it was blamed', () => {
    line(2, { pendingFailureDepth: 1 }).fail(1);
    day.pass(1);
    expect(day.stateOf(1)).toBe('merged');
    expect(day.testedOn(2)).toEqual([1, 2]);
  });

  it('can be restarted while it waits, and nobody behind it restarts', () => {
    line(2, { pendingFailureDepth: 1 }).fail(1);
    const behind = day.runOf(2).number;
    expect(day.restart(1)).toBeNull();
    day.carryOutAll();
    expect([day.stateOf(1), day.runOf(2).number]).toEqual(['testing', behind]);
  });
});

describe('optimistic merging', () => {
  it('lands everything that a passed run contains in one move', () => {
    line(3, { canOptimisticallyMerge: true }).pass(3);
    expect(day.queue.nextLanding).toBe(2);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'merged', 'merged']);
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a']);
  });

  it('proves a red one that waits for it', () => {
    line(3, { canOptimisticallyMerge: true, pendingFailureDepth: 2 }).fail(1);
    day.pass(2);
    expect([1, 2].map((number) => day.stateOf(number))).toEqual(['merged', 'merged']);
    expect(day.stateOf(3)).toBe('testing');
  });

  it('does not contain what failed without a depth', () => {
    line(3, { canOptimisticallyMerge: true }).fail(1);
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'merged', 'merged']);
  });

  it('shows the proof while nothing may merge, and takes it back with the run that gave it', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['tests_passed', 'successor_test_run_passed']);
    day.cancel(2);
    expect([day.stateOf(1), day.entry(1).verifiedByRun]).toEqual(['testing', null]);
  });

  it('ignores what the own test of a proven run says as long as the proof stands', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2).fail(1);
    expect(day.stateOf(1)).toBe('tests_passed');
    day.cancel(2);
    expect(day.stateOf(1)).toBe('failed');
  });

  it('asks for no decision when the time of a proven run is up', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2).advance(300);
    day.happen({ type: 'clockTicked' });
    expect([day.stateOf(1), day.decisions.at(-1)?.wakeAt]).toEqual(['tests_passed', null]);
  });

  it('holds up no change of mode for the own test of a proven run', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: null });
    expect([day.queue.mode, day.queue.runs, day.stateOf(1)]).toEqual(['parallel', [], 'not_ready']);
  });

  it('tells of a test before it tells that another run proved it', () => {
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

  it('merges what a later run has proven on a host that refuses one of them midway, as far as it goes', () => {
    line(3, { canOptimisticallyMerge: true });
    day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
    day.pass(3);
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['merged', 'failed', 'pending']);
    expect(day.queue.partialLanding).toMatchObject({ landed: [1] });
  });

  it('does not land what somebody asked to be tested anew', () => {
    line(2, { canOptimisticallyMerge: true });
    day.set({}, 'paused');
    day.pass(2);
    day.restart(1);
    day.set({}, 'draining');
    day.carryOutAll();
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'tests_passed']);
  });

  it('goes on with the test of what only another run had proven when the landing is refused', () => {
    line(2, { canOptimisticallyMerge: true });
    day.change(2, { refusal: 'protected' }, 'missed');
    day.pass(2);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'host_merge_failed']);
    expect([day.stateOf(1), day.runOf(1).number]).toEqual(['testing', 1]);
    expect(day.pass(1).target).toEqual(['main', '1@1a']);
  });
});
