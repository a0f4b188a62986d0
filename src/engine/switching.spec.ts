import { EngineDay } from '../../test/support/engine-day';
import { forbiddenMoves } from '../../test/simulation/days/checks/transitions';
import { explain } from './explain';
import { schedulingOf } from './flow-facts/scheduling';
import { FLOW_AT_START } from './flow-state';
import type { Refusal } from './decision';
import type { QueueSettings, TestRun } from './model';
import type { QueueMode, RequestableQueueState } from './vocabulary';

let day: EngineDay;

afterEach(() => {
  expect(day.problems).toEqual([]);
  expect(forbiddenMoves(day.decisions.flatMap(({ changes }) => changes))).toEqual([]);
});

function begin(settings: Partial<QueueSettings>, ...numbers: readonly number[]): void {
  day = new EngineDay({ canOptimisticallyMerge: true, concurrency: 2, bisectionConcurrency: 1, ...settings });
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function ask(scheduling: 'in_order' | 'flow', mode?: QueueMode, state?: RequestableQueueState): Refusal | null {
  const refusal = day.happen({ type: 'settingsChanged', settings: { scheduling }, mode, state, actor: 'ci' });
  day.carryOutAll();
  return refusal;
}

function underTest(): readonly string[] {
  return day.queue.runs.map((run) => [run.builtOn, run.own].map(numbersOf).join('|'));
}

function numbersOf(heads: TestRun['own']): string {
  return heads.map(({ number }) => number).join('+');
}

function report(run: string, state: 'passed' | 'failed'): void {
  const found = day.queue.runs.find((other) => [other.builtOn, other.own].map(numbersOf).join('|') === run);
  if (!found) throw new Error(`no run tests ${run}: ${underTest().join(', ')}`);
  day.report(found, state);
  day.carryOutAll();
}

function whyWaiting(number: number): string | null {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? null;
}

function standing(number: number): readonly [string, string | null] {
  const { state, stateReason } = day.entry(number);
  return [state, stateReason];
}

describe('a switch from in_order to flow', () => {
  it('is immediate when nothing is in flight', () => {
    begin({});
    expect(ask('flow')).toBeNull();
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['running', 'flow']);
  });

  it('starts nothing until all work in flight is done; passed runs land by the old rules', () => {
    begin({}, 1, 2, 3);
    expect(underTest()).toEqual(['|1', '1|2']);
    ask('flow');
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['switching_modes', 'in_order']);
    expect(whyWaiting(3)).toContain(
      'The queue is switching to scheduling flow: no test starts until everything in flight is done (#1, #2 are being tested). After the switch, the queue is running',
    );
    report('|1', 'passed');
    expect(day.target).toEqual(['main', '1@1a']);
    expect(underTest()).toEqual(['1|2']);
    report('1|2', 'passed');
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['running', 'flow']);
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
    expect(day.queue.runs.map(({ flow, own }) => [flow?.role, numbersOf(own)])).toEqual([['group', '3']]);
  });

  it('drops undecided failures and bisections: all their entries wait in their order', () => {
    begin({ batch: true, batchingMinSize: 3 }, 1, 2, 3);
    report('|1+2+3', 'failed');
    expect(underTest()).toEqual(['|1+2+3']);
    day.submit(4);
    ask('flow');
    report('|1+2+3', 'failed');
    expect([day.queue.searches, schedulingOf(day.queue)]).toEqual([[], 'flow']);
    expect(underTest()).toEqual(['|1+2', '1+2|3+4']);
  });
});

describe('a switch from flow to in_order', () => {
  it('resets passed entries, suspects and entries that failed in isolation: all these entries wait again', () => {
    begin({ scheduling: 'flow', concurrency: 4 }, 1, 2, 3);
    expect(underTest()).toEqual(['|1', '1|2', '1+2|3']);
    day.cancel(1);
    report('1+2|3', 'passed');
    report('1|2', 'failed');
    expect(underTest()).toEqual(['|3', '3|2']);
    ask('in_order');
    report('3|2', 'failed');
    expect(day.entry(2).flow?.at).toBe('suspect');
    day.report(day.queue.runs[0]!, 'lost');
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['running', 'in_order']);
    day.carryOutAll();
    expect([2, 3].map((number) => day.entry(number).flow)).toEqual([undefined, undefined]);
    expect(underTest()).toEqual(['|2', '2|3']);
    day.advance(5);
    report('|2', 'failed');
    report('|3', 'passed');
    // The first failure of entry 2 came before a test passed. The second failure of entry 2 comes after that pass.
    report('|2', 'failed');
    expect([2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'merged']);
  });

  it('moves all entries to pending with the reason rebuild_required', () => {
    begin({ scheduling: 'flow', concurrency: 1 }, 1);
    report('|1', 'failed');
    report('|1', 'failed');
    expect(day.stateOf(1)).toBe('pending_failure');
    day.set({}, 'draining');
    ask('in_order');
    expect(underTest()).toEqual(['|']);
    report('|', 'failed');
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['draining', 'in_order']);
    expect(standing(1)).toEqual(['pending', 'rebuild_required']);
  });

  it('may include a change of mode', () => {
    begin({ scheduling: 'flow' }, 1);
    expect(ask('in_order', 'parallel')).toBeNull();
    day.submit(2);
    expect(whyWaiting(2)).toContain('switching to mode parallel and scheduling in_order');
    report('|1', 'passed');
    expect([day.queue.mode, schedulingOf(day.queue), day.stateOf(2)]).toEqual(['parallel', 'in_order', 'not_ready']);
  });
});

describe('a switch under way', () => {
  it('accepts a repeated request for the same scheduling, and refuses another scheduling', () => {
    begin({}, 1);
    ask('flow');
    expect(ask('flow')).toBeNull();
    expect(ask('in_order')).toEqual({
      code: 'MODE_CHANGE_IN_PROGRESS',
      message: 'the queue is switching to scheduling flow: try again when its state is no longer switching_modes',
    });
    expect(schedulingOf(day.queue)).toBe('in_order');
  });

  it('ends in the state that was requested meanwhile', () => {
    begin({}, 1);
    ask('flow');
    day.set({}, 'paused');
    expect(whyWaiting(1)).toContain('Required status `ci` has not reported');
    report('|1', 'passed');
    expect([day.queue.state, schedulingOf(day.queue)]).toEqual(['paused', 'flow']);
    expect(standing(1)).toEqual(['pending', 'rebuild_required']);
  });
});

describe('the flow state of a queue', () => {
  it('does not count failures before the first pass, because they may belong to an outage', () => {
    begin({ scheduling: 'in_order', batch: false }, 1);
    report('|1', 'failed');
    expect(day.stateOf(1)).toBe('failed');
    ask('flow');
    day.submit(2);
    day.carryOutAll();
    report('|2', 'failed');
    report('|2', 'failed');
    report('|', 'passed');
    expect(day.stateOf(2)).toBe('testing');
    report('|2', 'failed');
    expect(day.stateOf(2)).toBe('pending_failure');
    report('|', 'passed');
    expect(day.stateOf(2)).toBe('failed');
  });

  it('survives a switch to in_order and back, except for a failing target', () => {
    begin({ scheduling: 'flow' }, 1);
    const learned = {
      ...FLOW_AT_START.learned,
      failure: { yes: 3, no: 40 },
      misfit: { yes: 0, no: 5 },
      flake: { yes: 1, no: 9 },
    };
    const redTarget = { since: day.now, againAt: day.now + 1, reds: 1 };
    day.queue = { ...day.queue, flow: { ...FLOW_AT_START, learned, redTarget } };
    ask('in_order');
    report('|1', 'passed');
    ask('flow');
    expect(day.queue.flow).toMatchObject({
      learned: { failure: { yes: 3, no: 41 }, flake: { yes: 1 } },
      redTarget: null,
    });
    expect(day.queue.flow?.switchingFrom).toBeUndefined();
  });

  it('is removed from an entry by its first change in sequential scheduling, so that nothing old counts later', () => {
    begin({ scheduling: 'flow' }, 1);
    const { entries } = day.queue;
    const stale = entries.map((entry) => ({ ...entry, flow: { ...entry.flow!, run: null, reds: 1 } }));
    day.queue = { ...day.queue, settings: { ...day.queue.settings, scheduling: 'in_order' }, runs: [], entries: stale };
    day.cancel(1);
    expect(day.entry(1).flow).toBeUndefined();
  });

  it('gives a new attempt in sequential scheduling another generation of the pull request', () => {
    begin({ scheduling: 'flow' }, 1);
    day.restart(1);
    day.carryOutAll();
    ask('in_order');
    report('|1', 'failed');
    expect(day.entry(1).generation).toBe(1);
    day.advance(5);
    report('|1', 'failed');
    report('|', 'passed');
    report('|1', 'failed');
    expect(day.stateOf(1)).toBe('failed');
    day.submit(1);
    day.carryOutAll();
    expect(day.entry(1).generation).toBe(2);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a']);
  });
});
