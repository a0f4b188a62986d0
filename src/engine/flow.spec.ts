import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const submit = (...numbers: readonly number[]): void => day.enter(...numbers);
const submitTogether = (...numbers: readonly number[]): void => day.enterTogether(...numbers);
const underTest = (): readonly string[] => day.underTest();
const report = (run: string, state: 'passed' | 'failed'): void => day.reportOn(run, state);
const pass = (run: string): void => report(run, 'passed');
const fail = (run: string): void => report(run, 'failed');

/** Makes the entry a suspect: its run failed, and it is tested in isolation on the target. */
function makeSuspect(number: number): void {
  submit(number);
  fail(`|${number}`);
}

describe('flow scheduling: the worked example', () => {
  it('lands 5, then 1, 2 and 6 in one move, then 4, and fails 3 when another entry passed after the failure of 3', () => {
    begin({ batchingMaxWaitTimeMinutes: 5, concurrency: 2 });
    submit(1, 2, 3, 4);
    submit(5);
    day.advance(5);
    day.carryOutAll();
    expect(underTest()).toEqual(['|1+2+3+4', '1+2+3+4|5']);
    fail('|1+2+3+4');
    expect(underTest()).toEqual(['|1+2', '|5']);
    pass('|5');
    submit(6);
    pass('|1+2');
    expect(day.stateOf(1)).toBe('testing');
    day.advance(5);
    day.carryOutAll();
    expect(underTest()).toEqual(['1+2|3', '1+2|6']);
    pass('1+2|6');
    expect(day.target).toEqual(['main', '5@5a', '1@1a', '2@2a', '6@6a']);
    fail('1+2|3');
    expect(underTest()).toEqual(['|3', '|4']);
    fail('|3');
    expect(day.stateOf(3)).toBe('pending_failure');
    pass('|4');
    expect(day.stateOf(3)).toBe('failed');
    expect(day.target).toEqual(['main', '5@5a', '1@1a', '2@2a', '6@6a', '4@4a']);
  });
});

describe('flow scheduling: a landing', () => {
  it('does not include an entry that passed on top of an entry that left: it awaits a combined test', () => {
    begin();
    submit(1, 2);
    expect(underTest()).toEqual(['|1', '1|2']);
    day.cancel(1);
    day.carryOutAll();
    pass('1|2');
    expect(day.target).toEqual(['main']);
    expect(underTest()).toEqual(['|2']);
    pass('|2');
    expect(day.target).toEqual(['main', '2@2a']);
  });

  it('does not include a restarted entry, although its old test passes', () => {
    begin({ batch: false });
    submit(1, 2);
    day.restart(1);
    day.carryOutAll();
    pass('1|2');
    expect(day.target).toEqual(['main']);
    expect(day.stateOf(1)).toBe('testing');
  });

  it('is not delayed by a failing entry that is restarted again and again, and that entry fails', () => {
    begin({ batch: false, concurrency: 1, pendingFailureDepth: 5 });
    submit(1, 2, 3);
    for (let result = 0; result < 20 && day.stateOf(1) !== 'failed'; result++) {
      if (day.stateOf(1) === 'pending_failure' && result < 10) day.restart(1);
      day.carryOutAll();
      const [run = ''] = underTest();
      if (run.includes('1')) fail(run);
      else pass(run);
    }
    expect([1, 2, 3].map((number) => day.stateOf(number))).toEqual(['failed', 'merged', 'merged']);
  });

  it('waits while the queue is paused, and happens when the queue runs again', () => {
    begin();
    submit(1);
    day.set({}, 'paused');
    pass('|1');
    expect(day.target).toEqual(['main']);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a']);
  });

  it('needs another test on the new target after a push', () => {
    begin();
    submit(1);
    day.pushToTarget('hotfix');
    day.carryOutAll();
    pass('|1');
    expect(day.target).toEqual(['main', 'hotfix']);
    expect(underTest()).toEqual(['|1']);
    pass('|1');
    expect(day.target).toEqual(['main', 'hotfix', '1@1a']);
  });

  it('does not overtake an urgent entry under test, unless the landing includes that entry', () => {
    begin({ batch: false });
    submit(1);
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    expect(underTest()).toEqual(['|1', '|2']);
    pass('|1');
    expect(day.target).toEqual(['main']);
    pass('|2');
    expect(day.target).toEqual(['main', '2@2a']);
  });
});

describe('flow scheduling: a verdict', () => {
  it('fails no entry before a test has passed after the failure: the target itself is tested', () => {
    begin();
    makeSuspect(1);
    fail('|1');
    expect(day.stateOf(1)).toBe('pending_failure');
    expect(underTest()).toEqual(['|']);
    pass('|');
    expect(day.stateOf(1)).toBe('failed');
  });

  it('fails no entry while the target fails: only the target, at growing intervals, and urgent entries are tested', () => {
    begin();
    makeSuspect(1);
    fail('|1');
    fail('|');
    expect(day.stateOf(1)).toBe('pending');
    submit(2);
    expect(underTest()).toEqual(['|']);
    fail('|');
    expect(underTest()).toEqual([]);
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect(underTest()).toEqual(['|3']);
    pass('|3');
    expect(day.target).toEqual(['main', '3@3a']);
    expect(underTest().toSorted()).toEqual(['3|2', '|1']);
  });

  it('fails no entry for its failure in a likely outage: the entries are tested once more', () => {
    begin({ batch: false, concurrency: 6 });
    submit(1, 2);
    fail('1|2');
    fail('|1');
    fail('|2');
    fail('|1');
    pass('|');
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['testing', 'testing']);
    expect(underTest().toSorted()).toEqual(['|1', '|2']);
  });

  it('fails an entry that failed in two likely outages', () => {
    begin({ batch: false, concurrency: 6 });
    submit(1, 2);
    fail('1|2');
    fail('|1');
    fail('|2');
    fail('|1');
    pass('|');
    submit(3, 4);
    for (const run of ['|2', '|1', '|3']) fail(run);
    expect(underTest()).toEqual(['|', '|4']);
    fail('|4');
    pass('|');
    // The test of entry 2 began in the first failure streak.
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(['failed', 'testing', 'testing', 'testing']);
  });

  it('does not use a failure that began in a likely outage, although other entries have passed since', () => {
    begin({ batch: false, concurrency: 6 });
    day.learn({ failure: { yes: 50, no: 50 } });
    day.enter(1, 2, 3, 4, 5, 6);
    for (const number of [1, 2, 3, 4]) fail(`|${number}`);
    pass('|5');
    fail('|1');
    pass('|6');
    expect(day.stateOf(1)).toBe('testing');
    fail('|1');
    pass('|2');
    expect(day.stateOf(1)).toBe('failed');
  });

  it('does not use a failure on an earlier target: the entry is tested again on the new target', () => {
    begin();
    makeSuspect(1);
    const old = day.runOf(1);
    day.pushToTarget('hotfix');
    day.carryOutAll();
    day.report(old, 'failed');
    expect(day.stateOf(1)).toBe('testing');
    expect(day.runOf(1).number).toBeGreaterThan(old.number);
    pass('|1');
    expect(day.target).toEqual(['main', 'hotfix', '1@1a']);
  });

  it('finds a push that the queue missed when the target is due for a test', () => {
    begin();
    makeSuspect(1);
    day.pushToTarget('hotfix', 'missed');
    fail('|1');
    expect(underTest()).toEqual(['|']);
    expect(day.treeOf(day.queue.runs[0]!)).toEqual(['main', 'hotfix']);
  });

  it('fails only entries that failed twice, if tests are known to flake', () => {
    begin();
    day.learn({ flake: { yes: 10, no: 100 } });
    makeSuspect(1);
    fail('|1');
    pass('|');
    expect(underTest()).toEqual(['|1']);
    fail('|1');
    pass('|');
    expect(day.stateOf(1)).toBe('failed');
  });

  it('fails only entries that failed in isolation: the suspects of a failed group are bisected', () => {
    begin();
    submitTogether(1, 2, 3, 4);
    fail('|1+2+3+4');
    pass('|1+2');
    expect(underTest()).toEqual(['|3', '|4']);
    fail('|3');
    pass('|4');
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '4@4a']);
    expect([1, 2, 3, 4].map((number) => day.stateOf(number))).toEqual(['merged', 'merged', 'failed', 'merged']);
  });
});

describe('flow scheduling: a new test', () => {
  it('never builds on a suspect: a run on top of a suspect is stopped, and its entries start again', () => {
    begin({ batchingMaxWaitTimeMinutes: 5 });
    submit(1, 2, 3, 4);
    submit(5);
    day.advance(5);
    day.carryOutAll();
    fail('|1+2+3+4');
    expect(underTest()).toEqual(['|1+2', '|5']);
  });

  it('builds an urgent entry on earlier urgent entries, and on no later entry', () => {
    begin({ batch: false });
    day.submit(1, { priority: 0 });
    day.submit(2, { priority: 0 });
    day.carryOutAll();
    expect(underTest()).toEqual(['|1', '1|2']);
  });

  it('of an urgent entry takes the slot of the run that started last', () => {
    begin({ batch: false, concurrency: 2 });
    submit(1, 2);
    day.submit(3, { priority: 0 });
    day.carryOutAll();
    expect(underTest()).toEqual(['|1', '|3']);
  });

  it('does not include an entry that conflicts with a likely pass, until that other entry has landed or left', () => {
    begin({ batch: false });
    day.open(1).open(2, { conflictsWith: [1] });
    submit(1, 2);
    expect(underTest()).toEqual(['|1']);
    day.cancel(1);
    day.carryOutAll();
    expect(underTest()).toEqual(['|2']);
    pass('|2');
    expect(day.target).toEqual(['main', '2@2a']);
  });

  it('is started for each suspect in isolation at once while slots are idle, unless optimizationMode is off', () => {
    begin({ concurrency: 6 });
    submitTogether(1, 2, 3);
    fail('|1+2+3');
    expect(underTest()).toEqual(['|1', '|2', '|3']);
  });
});

describe('flow scheduling: an entry with a dependency', () => {
  const submitOn = (needed: number, number: number): void => day.enterOn(needed, number);

  it('is tested on top of its dependency, and lands with the dependency', () => {
    begin({ batch: false });
    submit(1);
    submitOn(1, 2);
    expect(underTest()).toEqual(['|1', '1|2']);
    pass('1|2');
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('is not ready when its dependency leaves, and a test of both entries never lands', () => {
    begin({ batch: false });
    submit(1);
    submitOn(1, 2);
    day.cancel(1);
    day.carryOutAll();
    expect(day.stateOf(2)).toBe('not_ready');
    submit(1);
    expect(day.stateOf(2)).toBe('testing');
    expect(day.target).toEqual(['main']);
  });
});
