import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const pass = (run: string): void => day.reportOn(run, 'passed');
const fail = (run: string): void => day.reportOn(run, 'failed');

/** A run of entries 1 and 2 that can never land, because entry 5 of its base has left. */
function testBesideOneThatLeft(): void {
  begin({ concurrency: 2 });
  day.enter(5);
  day.set({}, 'paused');
  day.enter(1, 2);
  day.set({}, 'running');
  day.carryOutAll();
  day.cancel(5);
  day.carryOutAll();
}

/**
 * The situations in which earlier rules of flow scheduling stalled, repeated for ever or failed the wrong entry, by
 * their number in the design of flow scheduling. Five of these situations are in `flow.spec.ts`:
 * - 1 "does not fail entries during a likely outage"
 * - 2 "fails no entry while the target fails"
 * - 3 "never builds on a suspect"
 * - 5 "builds an urgent entry on earlier urgent ones"
 * - 10 "is not ready when its dependency leaves"
 *
 * Situations that random days found later are in `flow-waits.spec.ts`.
 */
describe('flow scheduling: situations found by fuzzing its design', () => {
  it('counterexample 4: of two passed entries with a text conflict, the first to pass lands', () => {
    begin({ batch: false });
    day.open(1).open(2, { conflictsWith: [1] });
    day.enter(9);
    day.set({}, 'paused');
    day.enter(1, 2, 3);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|9', '|1', '|2']);
    pass('|9');
    pass('|1');
    pass('|2');
    expect(day.underTest()).toEqual(['9+1|3']);
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['testing', 'pending']);
    pass('9+1|3');
    expect(day.target).toEqual(['main', '9@9a', '1@1a', '3@3a']);
    expect(day.stateOf(2)).toBe('failed');
  });

  it('counterexample 9: a run lands only if the changes landed since its start are the beginning of its tree', () => {
    testBesideOneThatLeft();
    day.set({ concurrency: 3 });
    pass('5|1+2');
    day.enter(3);
    expect(day.underTest()).toEqual(['1|2', '1+2|3']);
    day.enterUrgent(2);
    pass('|2');
    expect(day.target).toEqual(['main', '2@2a']);
    pass('1+2|3');
    expect(day.target).toEqual(['main', '2@2a']);
    expect(day.entry(3).flow?.at).toBe('passed');
  });

  it('counterexample 6: an urgent entry that failed on an urgent entry waits only until that base is tested', () => {
    begin({ batch: false });
    day.enterUrgent(1, 2);
    fail('1|2');
    expect(day.underTest()).toEqual(['|1']);
    pass('|1');
    expect(day.underTest()).toEqual(['1|2']);
  });

  it('counterexample 6: an entry that is not urgent and failed on an undecided base starts again at once', () => {
    begin({ batch: false });
    day.enter(1, 2);
    fail('1|2');
    expect(day.underTest()).toEqual(['|1', '1|2']);
  });

  it('counterexample 7: a passed entry that becomes urgent is no suspect when the other passed entries fail together', () => {
    testBesideOneThatLeft();
    pass('5|1+2');
    expect(day.underTest()).toEqual(['1|2']);
    day.enterUrgent(1);
    expect(day.underTest()).toEqual(['1|2', '|1']);
    fail('1|2');
    expect(day.entry(1).flow?.at).toBe('passed');
    expect(day.underTest()).toEqual(['|1', '|2']);
  });

  it('counterexample 8: an entry that becomes urgent during its test keeps its place', () => {
    begin({ concurrency: 2 });
    day.enterTogether(1, 2);
    day.enterUrgent(1);
    expect(day.underTest()).toEqual(['|1+2']);
  });

  it('counterexample 8: a suspect without a run is tested in isolation when it becomes urgent', () => {
    begin({ concurrency: 2 });
    day.enterTogether(1, 2, 3, 4);
    fail('|1+2+3+4');
    expect(day.underTest()).toEqual(['|1+2']);
    day.enterUrgent(4);
    expect(day.underTest()).toEqual(['|1+2', '|4']);
  });

  it('counterexample 11: a run with an entry that left continues; its other entries await a combined test', () => {
    testBesideOneThatLeft();
    expect(day.underTest()).toEqual(['5|1+2']);
    pass('5|1+2');
    expect(day.target).toEqual(['main']);
    pass('1|2');
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('counterexample 12: an entry fails although another entry, which may be waiting for it, is undecided', () => {
    begin();
    day.enter(2);
    day.enterOn(2, 1, { priority: 10 });
    fail('|2');
    fail('|2');
    pass('|');
    expect([day.stateOf(2), day.stateOf(1)]).toEqual(['failed', 'not_ready']);
  });

  it('counterexample 13: a push before the host carries out a landing makes the host refuse the landing', () => {
    begin({ concurrency: 1 });
    day.enter(1);
    day.report(day.runNamed('|1'), 'passed');
    day.pushToTarget('hotfix');
    day.carryOutAll();
    expect([day.target, day.underTest()]).toEqual([['main', 'hotfix'], ['|1']]);
  });

  it('counterexample 14: an entry that passes in a draining queue lands by a combined test when the queue runs again', () => {
    testBesideOneThatLeft();
    day.set({}, 'draining');
    pass('5|1+2');
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['pending', 'pending']);
    expect(day.entry(1).stateReason).toBe('bisection_test_run_passed');
    expect(day.underTest()).toEqual([]);
    day.set({}, 'running');
    day.carryOutAll();
    pass('1|2');
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('counterexample 14: an entry under test does not become a suspect, because it would then be in two runs', () => {
    begin({ batch: false, concurrency: 5 });
    day.learn({ failure: { yes: 50, no: 50 } });
    day.enter(9, 1, 2, 6);
    for (const run of ['|9', '|1', '|2', '|6']) pass(run);
    day.passOver(6, 6);
    day.set({ concurrency: 2 });
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|1', '1+2|6']);
    fail('1+2|6');
    expect([1, 2, 6].map((number) => day.entry(number).flow?.at)).toEqual(['passed', 'suspect', 'suspect']);
    // Because of the push, the host refuses the landing of entry 1's combined test. Then the next combined test of
    // entry 1 fails.
    day.pushToTarget('hotfix', 'missed');
    pass('|1');
    expect(day.underTest()).toEqual(['1|2', '|1']);
    fail('|1');
    expect(day.entry(1).flow?.at).toBe('suspect');
  });
});
