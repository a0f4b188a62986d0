import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const pass = (run: string): void => day.reportOn(run, 'passed');
const fail = (run: string): void => day.reportOn(run, 'failed');

describe('an urgent entry', () => {
  it('that passed and may not land yet is no reason to test what it was built on again and again', () => {
    begin({ batch: false, maxMergesPerHour: 1 });
    day.enter(1);
    pass('|1');
    day.enterUrgent(2, 3);
    pass('2|3');
    pass('|2');
    expect(day.underTest()).toEqual([]);
    day.advance(61);
    day.carryOutAll();
    day.advance(61);
    day.carryOutAll();
    expect([day.stateOf(2), day.stateOf(3)]).toEqual(['merged', 'merged']);
  });

  it('that is built on another one keeps that from landing no longer than its own test', () => {
    begin({ batch: false });
    day.enterUrgent(1, 2);
    expect(day.underTest()).toEqual(['|1', '1|2']);
    pass('|1');
    expect([day.stateOf(1), day.underTest()]).toEqual(['merged', ['1|2']]);
    pass('1|2');
    expect(day.stateOf(2)).toBe('merged');
  });

  it('that was red on one that passed waits until that has landed, although it may not land yet', () => {
    begin({ batch: false, maxMergesPerHour: 1 });
    day.enter(1);
    pass('|1');
    day.enterUrgent(2);
    pass('|2');
    day.enterUrgent(3);
    fail('2|3');
    expect(day.underTest()).toEqual([]);
    day.advance(61);
    day.carryOutAll();
    expect([day.stateOf(2), day.underTest()]).toEqual(['merged', ['2|3']]);
  });
});

describe('what the host demands of a pull request', () => {
  const WITHDRAWN = { unmet: [{ words: 'an approval' }] };
  const course = (number: number) =>
    day.decisions.flatMap(({ changes }) =>
      changes.flatMap((change) =>
        change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change.to] : [],
      ),
    );

  it('makes it not ready before its test begins', () => {
    begin({ concurrency: 1 });
    day.enter(1, 2);
    day.change(2, WITHDRAWN);
    expect(day.stateOf(2)).toBe('not_ready');
    pass('|1');
    expect([day.stateOf(1), day.underTest()]).toEqual(['merged', []]);
  });

  it.each([
    { type: 'refused', reason: 'start_test_run_refused', details: 'a rule' },
    { type: 'not_mergeable', numbers: [1, 2] },
    { type: 'entry_refused', number: 2, details: 'a rule' },
  ] as const)('keeps it not ready, whatever becomes of the run that was being built with it (%j)', (because) => {
    begin({ concurrency: 1 });
    day.set({}, 'paused');
    day.submit(1);
    day.submit(2);
    day.set({}, 'running');
    const [run] = day.queue.runs;
    day.change(2, WITHDRAWN);
    day.happen({ type: 'runNotStarted', run: run!.number, because, seen: [] });
    expect(course(2)).toEqual(['pending', 'not_ready']);
    expect(day.stateOf(2)).toBe('not_ready');
  });
});

describe('what is needed', () => {
  it('lands first, also when the description named it while the landing was under way that was put off', () => {
    begin({ batch: false, concurrency: 2 });
    day.enter(1, 2);
    day.report(day.runNamed('|1'), 'passed');
    day.change(1, { dependsOn: [2], notYet: 'a check has not ended' });
    day.carryOutAll();
    day.change(1, { notYet: undefined });
    day.carryOutAll();
    expect(day.target).toEqual(['main']);
    for (let tests = 0; tests < 4 && day.underTest().length > 0; tests++) pass(day.underTest()[0]!);
    expect(day.target).toEqual(['main', '2@2a', '1@1a']);
  });

  it('is never tested on top of what needs it, when it was red on something that is still tested', () => {
    begin({ batch: false });
    day.enter(1);
    day.enterOn(1, 2);
    day.enterOn(2, 3);
    expect(day.underTest()).toEqual(['|1', '1|2', '1+2|3']);
    fail('1|2');
    expect(day.underTest()).toEqual(['|1', '1+2|3', '1|2']);
  });
});
