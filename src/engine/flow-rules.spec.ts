import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';
import { areaRisk, countedIn, countedOnce, redsNeeded } from './flow-facts/chances';
import { FLOW_AT_START } from './flow-state';
import { MINUTE } from './vocabulary';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const pass = (run: string): void => day.reportOn(run, 'passed');
const fail = (run: string): void => day.reportOn(run, 'failed');

describe('flow scheduling: flakes', () => {
  const flakes = () => day.queue.flow?.learned.flake;

  it('are failed runs whose entries landed unchanged later; after a flake, a single failure fails no entry', () => {
    begin();
    day.enter(1);
    fail('|1');
    expect(flakes()).toEqual({ yes: 0, no: 0 });
    pass('|1');
    expect(day.stateOf(1)).toBe('merged');
    expect(flakes()).toEqual({ yes: 1, no: 1 });
    expect(redsNeeded(day.queue)).toBe(2);
    day.enter(2);
    fail('|2');
    fail('|2');
    pass('|');
    expect(day.stateOf(2)).toBe('testing');
    fail('|2');
    pass('|');
    expect(day.stateOf(2)).toBe('failed');
  });

  it('exclude failures that an entry was to blame for, although other entries of the group land', () => {
    begin({ concurrency: 6 });
    day.enterTogether(1, 2);
    fail('|1+2');
    fail('|1');
    pass('|2');
    expect([day.stateOf(1), day.stateOf(2)]).toEqual(['failed', 'merged']);
    expect(flakes()).toMatchObject({ yes: 0 });
    expect(day.queue.flow?.redTests).toEqual([]);
  });

  it('exclude failures in an outage, when all tests fail', () => {
    begin({ batch: false, concurrency: 6 });
    day.enter(1, 2);
    fail('1|2');
    fail('|1');
    fail('|2');
    fail('|1');
    pass('|');
    pass('|1');
    expect(flakes()).toMatchObject({ yes: 0 });
  });

  it('exclude time-outs', () => {
    begin();
    day.enter(1);
    day.report(day.runNamed('|1'), 'running');
    day.advance(day.queue.settings.testingTimeoutMinutes);
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|1']);
    expect(day.queue.flow).toMatchObject({ lastRed: 1, redTests: [] });
  });
});

describe('flow scheduling with optimizationMode off', () => {
  it('tests a failed group together once more, and lands it after a pass', () => {
    begin({ optimizationMode: 'off' });
    day.enterTogether(1, 2, 3, 4);
    fail('|1+2+3+4');
    expect(day.underTest()).toEqual(['|1+2+3+4']);
    pass('|1+2+3+4');
    expect(day.target).toEqual(['main', '1@1a', '2@2a', '3@3a', '4@4a']);
  });

  it('tests both halves of a group that fails again, whatever the result of either half', () => {
    begin({ optimizationMode: 'off' });
    day.enterTogether(1, 2, 3, 4);
    fail('|1+2+3+4');
    fail('|1+2+3+4');
    expect(day.underTest()).toEqual(['|1+2', '|3+4']);
    fail('|1+2');
    expect(day.underTest()).toEqual(['|3+4', '|1', '|2']);
    fail('|3+4');
    pass('|1');
    fail('|2');
    expect(day.underTest()).toEqual(['|3', '|4', '|']);
  });
});

describe('flow scheduling: a time-out', () => {
  function timeOut(run: string): void {
    day.report(day.runNamed(run), 'running');
    day.advance(day.queue.settings.testingTimeoutMinutes);
    day.carryOutAll();
  }

  it('counts as a failure, but one time-out in isolation alone fails no entry', () => {
    begin();
    day.enter(1);
    timeOut('|1');
    timeOut('|1');
    pass('|');
    expect(day.stateOf(1)).toBe('testing');
    timeOut('|1');
    pass('|');
    expect([day.stateOf(1), day.entry(1).stateReason]).toEqual(['failed', 'test_run_timeout']);
  });
});

describe('flow scheduling: an urgent entry', () => {
  it('makes its dependency urgent, which is tested in isolation at once, with the urgent entry on top', () => {
    begin({ batch: false, concurrency: 2 });
    day.enter(1, 2, 3);
    day.enterOn(3, 4, { priority: 0 });
    expect(day.underTest()).toEqual(['|3', '3|4']);
    pass('3|4');
    expect(day.target).toEqual(['main', '3@3a', '4@4a']);
  });

  it('makes indirect dependencies urgent, too', () => {
    begin({ batch: false, concurrency: 3 });
    day.enter(9, 8, 7);
    day.enter(1);
    day.enterOn(1, 2);
    day.enterOn(2, 3, { priority: 0 });
    expect(day.underTest()).toEqual(['|1', '1|2', '1+2|3']);
  });

  it("is never tested without its dependency, also when the dependency's landing was put off", () => {
    begin({ batch: false, concurrency: 2 });
    day.open(2, { dependsOn: [1] });
    day.submit(2, { priority: 0 });
    day.enter(1);
    expect(day.underTest()).toEqual(['|1']);
    day.open(1, { notYet: 'a check has not ended' });
    pass('|1');
    expect(day.underTest()).toEqual(['1|2']);
    day.change(1, { notYet: undefined });
    day.carryOutAll();
    expect(day.target).toEqual(['main', '1@1a']);
    pass('1|2');
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('makes a dependency urgent that is a suspect', () => {
    begin({ concurrency: 2, batchingMinSize: 8 });
    day.enterTogether(1, 2, 3, 4, 5, 6, 7);
    fail('|1+2+3+4+5+6+7');
    expect(day.underTest()).toEqual(['|1+2+3+4']);
    day.enterOn(7, 8);
    day.submit(8, { priority: 0 });
    day.carryOutAll();
    expect(day.underTest()).toContain('|7');
  });
});

describe('flow scheduling: risky areas', () => {
  /** Entry 1 is tested. Entry 2, which shares an area with entry 1, and entry 3 wait for the other slot. */
  function shareAnArea(): void {
    day.setTargets(1, ['a', 'b']);
    day.setTargets(2, ['a']);
    day.setTargets(3, ['c']);
    day.enter(1);
    day.set({}, 'paused');
    day.enter(2, 3);
    day.set({}, 'running');
    day.carryOutAll();
  }

  it('let the second entry of an area wait while an entry of another area can start', () => {
    begin({ batch: false, concurrency: 2 });
    shareAnArea();
    expect(day.underTest()).toEqual(['|1', '|3']);
    pass('|1');
    expect(day.underTest()).toEqual(['|3', '1+3|2']);
  });

  it('delay no entry when a slot would stay empty', () => {
    begin({ batch: false, concurrency: 2 });
    day.setTargets(1, ['a']);
    day.setTargets(2, ['a']);
    day.enter(1);
    fail('|1');
    day.enter(2);
    expect(day.underTest()).toEqual(['|1', '|2']);
  });

  it('have no effect if entries with common areas fail no more often than other entries', () => {
    begin({ batch: false, concurrency: 2 });
    day.learn({ together: { yes: 2, no: 100 }, apart: { yes: 2, no: 100 } });
    shareAnArea();
    expect(day.underTest()).toEqual(['|1', '|2']);
  });

  it('do not include entries that impact ALL', () => {
    begin({ batch: false, concurrency: 2 });
    day.setTargets(1, 'ALL');
    day.setTargets(2, 'ALL');
    day.enter(1);
    day.set({}, 'paused');
    day.enter(2, 3);
    day.set({}, 'running');
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|1', '|2']);
  });

  it('have counts of their own, from landings and failures', () => {
    begin({ batch: false });
    day.setTargets(1, ['a']);
    day.setTargets(2, ['a']);
    day.enter(1, 2);
    pass('1|2');
    const { areas, learned } = day.queue.flow!;
    expect(areas.map(({ yes, no }) => [yes, no])).toEqual([[0, 1]]);
    expect(learned).toMatchObject({ together: { yes: 0, no: 1 }, apart: { yes: 0, no: 1 } });
  });

  it('halve both counts of a learned rate when their sum reaches the limit', () => {
    expect(countedOnce('failure', { yes: 19, no: 180 }, 'yes')).toEqual({ yes: 10, no: 90 });
    expect(countedOnce('failure', { yes: 19, no: 179 }, 'yes')).toEqual({ yes: 20, no: 179 });
  });

  it('have the risk of all areas together until they have own counts; the 64 newest areas are kept', () => {
    begin();
    const counted = (areas: typeof FLOW_AT_START.areas, area: number) => countedIn(areas, [area], 'yes');
    const areas = Array.from({ length: 70 }, (_, area) => area).reduce(counted, FLOW_AT_START.areas);
    expect(areas).toHaveLength(64);
    day.learn({ together: { yes: 20, no: 180 }, apart: { yes: 0, no: 180 } });
    const { queue } = day;
    const known = { ...queue, flow: { ...queue.flow!, areas: [{ area: 7, yes: 0, no: 150 }] } };
    expect(areaRisk(known, 8)).toBeCloseTo(20 / 220, 1);
    expect(areaRisk(known, 7)).toBeLessThan(0.03);
  });
});

it('flow scheduling: tests a failing target again at once, and then at intervals that double up to half an hour', () => {
  begin();
  day.enter(1);
  fail('|1');
  fail('|1');
  const waits: number[] = [];
  while (waits.length < 8) {
    fail('|');
    waits.push(Math.max(0, Math.ceil((day.queue.flow!.redTarget!.againAt - day.now) / MINUTE)));
    day.advance(waits.at(-1)!);
    day.carryOutAll();
  }
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 30, 30]);
});

describe('flow scheduling: passed entries in failed runs', () => {
  const often = { yes: 20, no: 30 };
  const riders = (): readonly unknown[] => [2, 3].map((number) => day.entry(number).flow?.at);

  /**
   * Entries 2 and 3 passed and await a combined test. Entry 6 is tested on entry 2, and entry 7 on entries 2 and 3. No
   * run is likely enough to pass for another run to be built on it.
   */
  function ride(settings: Partial<QueueSettings> = {}): void {
    begin({ batch: false, concurrency: 4, ...settings });
    day.learn({ failure: { yes: 50, no: 50 } });
    day.enter(1, 2, 3, 4, 5, 6, 7);
    pass('|1');
    pass('|2');
    pass('|3');
    expect(day.underTest()).toEqual(['|4', '1|5', '2|6', '2+3|7']);
  }

  it('become suspects when a semantic conflict is likelier than one bad entry in each run', () => {
    ride();
    day.learn({ misfit: often });
    fail('2|6');
    expect(riders()).toEqual(['passed', 'passed']);
    fail('2+3|7');
    expect(riders()).toEqual(['suspect', 'passed']);
    expect(day.underTest()).toContain('|2');
  });

  it('keep their pass if passed entries have never been in conflict', () => {
    ride();
    day.learn({ misfit: { yes: 0, no: 1_000 } });
    fail('2|6');
    fail('2+3|7');
    expect(riders()).toEqual(['passed', 'passed']);
  });

  it('keep their pass when a suspect that failed in isolation explains one of the failed runs', () => {
    ride();
    day.enter(8);
    day.learn({ misfit: { yes: 10, no: 12 } });
    fail('2+3|7');
    fail('|7');
    fail('2+3|8');
    expect(riders()).toEqual(['passed', 'passed']);
  });

  it('keep their pass with optimizationMode off, because a failure then says nothing about them', () => {
    ride({ optimizationMode: 'off' });
    day.learn({ misfit: often });
    fail('2|6');
    fail('2+3|7');
    expect(riders()).toEqual(['passed', 'passed']);
  });
});

describe('the learned figures of a flow queue', () => {
  it('compare the failure rate in common areas with the rate of other entries, once twenty outcomes are known', () => {
    begin();
    day.learn({ apart: { yes: 0, no: 20 }, together: { yes: 10, no: 90 } });
    const failsApart = 1 / 40;
    expect(areaRisk(day.queue, 1)).toBeCloseTo((1 + 10 - 100 * failsApart) / 120, 10);
  });

  it('count a failure as a flake once all its entries have landed, even if some landed before the failure', () => {
    begin({ batch: false });
    day.enter(1, 2);
    pass('|1');
    fail('1|2');
    expect(day.queue.flow!.learned.flake.yes).toBe(0);
    pass('|2');
    expect([day.stateOf(2), day.queue.flow!.learned.flake.yes]).toEqual(['merged', 1]);
  });

  it('forget the failure of an entry that was restarted', () => {
    begin({ batch: false });
    day.enter(1, 2);
    fail('1|2');
    expect(day.queue.flow!.redTests).toHaveLength(1);
    day.restart(2);
    expect(day.queue.flow!.redTests).toEqual([]);
  });

  it('forget the failing target when another scheduling is chosen', () => {
    begin();
    day.set({ scheduling: 'in_order' });
    expect(day.queue.flow).toMatchObject({ redTarget: null, undecided: 0 });
  });
});

it('a passed entry in two runs of the same length names the run that started first', () => {
  begin({ batch: false });
  day.learn({ failure: { yes: 50, no: 50 } });
  day.enter(1, 2);
  pass('|1');
  day.set({}, 'paused');
  pass('|2');
  day.enter(3, 4);
  day.set({}, 'running');
  day.carryOutAll();
  expect(day.underTest()).toEqual(['2|3', '2|4']);
  expect(day.queue.entries.find(({ number }) => number === 2)?.stateRun).toBe(day.runNamed('2|3').number);
});
