import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';
import { redsNeeded } from './flow-facts/chances';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const pass = (run: string): void => day.reportOn(run, 'passed');
const fail = (run: string): void => day.reportOn(run, 'failed');
const states = (...numbers: readonly number[]) => numbers.map((number) => day.stateOf(number));

/** One pool of this many slots, with all entries waiting before the first test starts. */
function beginWith(slots: number, ...numbers: readonly number[]): void {
  begin({ batch: false, concurrency: slots });
  day.enterTogether(...numbers);
  day.set({ concurrency: slots });
  day.carryOutAll();
}

/** The tables of "Flow scheduling" in README.md, row by row. The first table is in `flow.spec.ts`. */
describe('an example of the README', () => {
  it('a flake: after it, an entry fails only by two failures', () => {
    begin();
    day.enter(1);
    fail('|1');
    expect(day.underTest()).toEqual(['|1']);
    pass('|1');
    expect([day.stateOf(1), redsNeeded(day.queue)]).toEqual(['merged', 2]);
    day.enter(2);
    fail('|2');
    fail('|2');
    expect([day.underTest(), day.stateOf(2)]).toEqual([['|'], 'pending_failure']);
    pass('|');
    expect([day.underTest(), day.stateOf(2)]).toEqual([['|2'], 'testing']);
    fail('|2');
    pass('|');
    expect(day.stateOf(2)).toBe('failed');
  });

  it('a semantic conflict: of two entries, the first that passes in isolation merges', () => {
    beginWith(2, 1, 2, 3);
    expect(day.underTest()).toEqual(['|1', '|2']);
    pass('|1');
    expect([day.stateOf(1), day.underTest()]).toEqual(['merged', ['|2', '1+2|3']]);
    pass('|2');
    expect(day.underTest()).toEqual(['1+2|3']);
    fail('1+2|3');
    expect(day.underTest()).toEqual(['|3', '|2']);
    pass('|3');
    expect(day.stateOf(3)).toBe('merged');
    fail('|2');
    fail('|2');
    expect([day.underTest(), day.stateOf(2)]).toEqual([['|'], 'pending_failure']);
    pass('|');
    expect([day.stateOf(2), day.queue.flow?.learned.misfit.yes]).toEqual(['failed', 1]);
  });

  it('an outage: it fails no entry', () => {
    begin({ concurrency: 1 });
    day.enter(1, 2);
    fail('|1');
    fail('|1');
    expect([day.underTest(), ...states(1, 2)]).toEqual([['|'], 'pending_failure', 'pending']);
    fail('|');
    expect(states(1, 2)).toEqual(['pending', 'pending']);
    expect(day.underTest()).toEqual(['|']);
    fail('|');
    expect(day.underTest()).toEqual([]);
    day.enterUrgent(9);
    expect(day.underTest()).toEqual(['|9']);
    pass('|9');
    expect([day.stateOf(9), day.underTest()]).toEqual(['merged', ['9|2']]);
    pass('9|2');
    expect([day.stateOf(2), day.underTest()]).toEqual(['merged', ['|1']]);
    pass('|1');
    expect(day.stateOf(1)).toBe('merged');
  });

  it('a stack: one run lands all of it, and an entry whose dependency left waits', () => {
    begin();
    day.set({}, 'paused');
    day.enter(1);
    day.enterOn(1, 2);
    day.enterOn(2, 3);
    day.set({ concurrency: 1 }, 'running');
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|1+2+3']);
    pass('|1+2+3');
    expect(states(1, 2, 3)).toEqual(['merged', 'merged', 'merged']);
    day.enter(4);
    day.enterOn(4, 5);
    day.cancel(4);
    day.carryOutAll();
    expect(states(4, 5)).toEqual(['cancelled', 'not_ready']);
  });

  it('an urgent entry: it takes a slot, and lands before other entries', () => {
    begin({ batch: false, concurrency: 2 });
    day.enter(1, 2);
    expect(day.underTest()).toEqual(['|1', '1|2']);
    day.enterUrgent(9);
    expect([day.underTest(), day.stateOf(2)]).toEqual([['|1', '|9'], 'pending']);
    pass('|1');
    expect([day.stateOf(1), day.underTest()]).toEqual(['testing', ['|9', '1|2']]);
    pass('|9');
    expect([day.stateOf(9), day.underTest()]).toEqual(['merged', ['1|2', '|1']]);
    pass('|1');
    expect(day.stateOf(1)).toBe('merged');
  });
});
