import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { QueueSettings, TestRun } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

/**
 * A passed batch of three on a host that merges one pull request at a time. The host merges the first pull request and
 * refuses the second.
 */
function refusedMidway(settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ batch: true, batchingMinSize: 3, optimizationMode: 'off', ...settings });
  for (const number of [1, 2, 3]) day.submit(number);
  day.carryOutAll();
  day.change(2, { refusalMidway: 'A review is missing.' }, 'missed');
  return day.pass(1);
}

function targetRun(): TestRun {
  const run = day.queue.runs.find(({ kind }) => kind === 'target');
  if (!run) throw new Error('nothing tests the target');
  return run;
}

function report(state: 'passed' | 'failed'): void {
  day.report(targetRun(), state);
  day.carryOutAll();
}

function states(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => day.stateOf(number));
}

function why(number: number): string | null {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
}

describe('a landing that the host refuses midway', () => {
  it('merges the accepted entries, fails the refused entry, and keeps the places of the remaining entries', () => {
    refusedMidway();
    expect(day.target).toEqual(['main', '1@1a']);
    expect(states(1, 2, 3)).toEqual(['merged', 'failed', 'pending']);
    expect([day.entry(2).stateReason, day.entry(3).stateReason]).toEqual([
      'host_merge_failed',
      'prerequisite_merge_item_failed',
    ]);
    expect(day.entry(3).place).not.toBeNull();
  });

  it('prevents the deletion of the queue until the landed part has been tested', () => {
    refusedMidway();
    day.cancel(3);
    day.carryOutAll();
    const deletion = { type: 'deletionRequested', activeEntries: 0 } as const;
    expect(day.happen(deletion)).toMatchObject({
      code: 'QUEUE_HAS_ACTIVE_ENTRIES',
      message: 'the last merge is still being tested: wait until that test has ended',
    });
    report('passed');
    expect(day.happen(deletion)).toBeNull();
  });

  it('tests the landed part in a run without entries, before anything starts', () => {
    refusedMidway();
    day.submit(4, { priority: 0 });
    day.carryOutAll();
    expect(day.queue.runs.map(({ kind }) => kind)).toEqual(['target']);
    expect([day.treeOf(targetRun()), targetRun().own]).toEqual([['main', '1@1a'], []]);
    expect(states(3, 4)).toEqual(['pending', 'pending']);
    expect(why(3)).toContain('merged #1 and refused the rest of the run (A review is missing.)');
    report('passed');
    expect([day.testedOn(4), day.queue.partialLanding]).toEqual([[4], null]);
  });

  it('tests the target on a branch that is named after the last merged pull request', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 3 });
    for (const number of [1, 2, 3]) day.submit(number);
    day.carryOutAll().change(3, { refusalMidway: 'A review is missing.' }, 'missed');
    day.pass(1);
    expect([states(1, 2, 3), targetRun().branch]).toEqual([
      ['merged', 'merged', 'failed'],
      expect.stringContaining('/pr-2/'),
    ]);
  });

  it('pauses the queue and says why when the target fails; resuming the queue accepts the target', () => {
    refusedMidway();
    report('failed');
    expect([day.queue.state, states(3)]).toEqual(['paused', ['pending']]);
    expect(why(3)).toContain('Since then main has been failing its tests: ci failed. Fix main, then resume the queue');
    day.set({}, 'running');
    day.carryOutAll();
    expect([day.testedOn(3), day.queue.partialLanding]).toEqual([[3], null]);
  });

  it('delays the test of the target while the queue is paused', () => {
    refusedMidway();
    day.set({}, 'paused');
    expect(day.queue.runs).toMatchObject([{ kind: 'target' }]);
    day.pushToTarget('outside');
    expect(day.queue.runs).toEqual([]);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.treeOf(targetRun())).toEqual(['main', '1@1a', 'outside']);
  });

  it('tests the present target after a push from outside', () => {
    refusedMidway();
    day.pushToTarget('outside');
    day.carryOutAll();
    expect(day.treeOf(targetRun())).toEqual(['main', '1@1a', 'outside']);
    report('passed');
    expect(day.testedOn(3)).toEqual([3]);
  });

  it('pauses the queue when the test of the target cannot start, and when it takes too long', () => {
    refusedMidway({ requiredStatuses: ['ci'] });
    day.report(targetRun(), 'running');
    day.advance(300);
    day.carryOutAll();
    expect([day.queue.state, day.queue.partialLanding?.problem]).toEqual(['paused', 'ci did not report in time']);

    refusedMidway();
    const run = targetRun();
    day.queue = { ...day.queue, runs: [{ ...run, phase: 'building' }] };
    const because = {
      type: 'refused',
      reason: 'start_test_run_no_required_statuses',
      details: 'none are known',
    } as const;
    day.happen({ type: 'runNotStarted', run: run.number, because, seen: [] });
    expect([day.queue.state, day.queue.partialLanding?.problem]).toEqual(['paused', 'none are known']);
  });

  it('pauses the queue for a failed test of the target also during a change of mode', () => {
    refusedMidway();
    day.happen({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: null });
    expect(day.queue.state).toBe('switching_modes');
    report('failed');
    expect([day.queue.mode, day.queue.state]).toEqual(['parallel', 'paused']);
  });

  it('fails no entry when somebody moved the target midway: other entries are tested on the new target', () => {
    day = new EngineDay({ batch: true, batchingMinSize: 2 });
    for (const number of [1, 2]) day.submit(number);
    day.carryOutAll();
    const run = day.runOf(1);
    day.report(run, 'passed');
    const tips = ['taken', 'outside'].map((name) => ({ commit: `${name}-commit`, tree: `${name}-tree` }));
    day.happen({
      type: 'landedPartly',
      landing: 1,
      tip: tips[0]!,
      commits: [{ number: 1, ...tips[0]! }],
      because: { type: 'target_moved', tip: tips[1]!, seenAt: day.now },
      at: day.now,
    });
    expect(states(1, 2)).toEqual(['merged', 'pending']);
    expect(day.entry(2).stateReason).toBe('rebuild_required');
    expect(day.queue.tip).toEqual(tips[1]);
    expect(targetRun().base).toMatchObject(tips[1]!);
  });
});
