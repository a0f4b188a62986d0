import { EngineFlowDay } from '../../test/support/engine-flow-day';
import type { QueueSettings } from './model';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay(settings);
}

const pass = (run: string): void => day.reportOn(run, 'passed');
const fail = (run: string): void => day.reportOn(run, 'failed');

describe('flow scheduling: an urgent entry', () => {
  it('does not cause repeated tests of its base when the base passed and may not land yet', () => {
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

  it('does not delay the landing of its base while it is tested itself', () => {
    begin({ batch: false });
    day.enterUrgent(1, 2);
    expect(day.underTest()).toEqual(['|1', '1|2']);
    pass('|1');
    expect([day.stateOf(1), day.underTest()]).toEqual(['merged', ['1|2']]);
    pass('1|2');
    expect(day.stateOf(2)).toBe('merged');
  });

  it('that failed on top of a passed entry waits until the passed entry has landed, however late', () => {
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

  it('leaves its slot to the entries behind it while it waits for the urgent entries before it', () => {
    begin({ batch: false, concurrency: 3, bisectionConcurrency: 1 });
    day.enterUrgent(1, 2, 3, 4);
    expect(day.underTest()).toEqual(['|1', '1|2', '1+2|3', '1+2+3|4']);
    day.enter(5, 6, 7);
    fail('1+2+3|4');
    fail('1+2|3');
    expect(day.underTest()).toEqual(['|1', '1|2', '|5', '|6']);
    pass('|5');
    expect(day.underTest()).toEqual(['|1', '1|2', '|6', '6+5|7']);
  });
});

describe('flow scheduling: an entry that too many landings did not include', () => {
  it('is not tested again and again while it waits for its turn to land', () => {
    begin({ batch: false, maxMergesPerHour: 1, concurrency: 2 });
    day.learn({ failure: { yes: 50, no: 50 } });
    day.enter(1, 2);
    expect(day.underTest()).toEqual(['|1', '|2']);
    pass('|1');
    pass('|2');
    day.passOver(2, 6);
    expect(day.underTest()).toEqual(['|2']);
    pass('|2');
    expect(day.underTest()).toEqual([]);
    day.advance(61);
    day.carryOutAll();
    expect(day.stateOf(2)).toBe('merged');
  });
});

describe('flow scheduling: an unmet demand of the host', () => {
  const WITHDRAWN = { unmet: [{ words: 'an approval' }] };
  const course = (number: number) =>
    day.decisions.flatMap(({ changes }) =>
      changes.flatMap((change) =>
        change.type === 'entryMoved' && change.entryId === `entry-${number}` ? [change.to] : [],
      ),
    );

  it('makes an entry not ready before its test begins', () => {
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
  ] as const)(
    'keeps an entry not ready, whatever the outcome of the run that was being built with it (%j)',
    (because) => {
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
    },
  );
});

describe('flow scheduling: a failing target', () => {
  it('is tested only while an entry waits: not in an empty queue, and again for the next entry', () => {
    begin();
    day.enter(1);
    fail('|1');
    fail('|1');
    fail('|');
    day.advance(5);
    day.carryOutAll();
    expect(day.underTest()).toEqual(['|']);
    day.cancel(1);
    expect(day.queue.runs).toEqual([]);
    day.advance(24 * 60);
    day.carryOutAll();
    expect(day.underTest()).toEqual([]);
    day.enter(2);
    expect(day.underTest()).toEqual(['|']);
  });
});

describe('flow scheduling: a failing target that cannot be tested', () => {
  const refuse = (): void => {
    const run = day.queue.runs.find(({ flow }) => flow?.role === 'target');
    const because = { type: 'refused', reason: 'start_test_run_no_required_statuses', details: 'none' } as const;
    day.commands.length = 0;
    if (run) day.happen({ type: 'runNotStarted', run: run.number, because, seen: [] });
  };
  const targets = () => day.decisions.flatMap(({ commands }) => commands.filter(({ type }) => type === 'startTestRun'));

  it('is tried again after a minute; after a second refusal the queue no longer waits for its result', () => {
    begin({ batch: false });
    day.enter(1);
    fail('|1');
    fail('|1');
    day.report(day.runNamed('|'), 'failed');
    const before = targets().length;
    refuse();
    expect(targets().length).toBe(before);
    day.advance(1);
    expect(targets().length).toBe(before + 1);
    refuse();
    expect(day.queue.flow?.redTarget).toBeNull();
  });
});

describe('flow scheduling: a dependency', () => {
  it('does not delay an entry whose description names it only after it landed', () => {
    begin({ batch: false });
    day.enter(1);
    pass('|1');
    day.enter(2);
    day.change(2, { dependsOn: [1] });
    expect([day.stateOf(2), day.underTest()]).toEqual(['testing', ['|2']]);
    pass('|2');
    expect(day.target).toEqual(['main', '1@1a', '2@2a']);
  });

  it('is tested on top of its dependant if the dependant was landing when its description named the dependency', () => {
    begin({ batch: false });
    day.learn({ failure: { yes: 50, no: 50 } });
    day.enter(1, 2, 3);
    expect(day.underTest()).toEqual(['|1', '|2', '|3']);
    pass('|1');
    pass('|2');
    pass('|3');
    expect(day.underTest()).toEqual(['|2']);
    day.report(day.runNamed('|2'), 'passed');
    day.change(2, { dependsOn: [3] });
    day.carryOutAll();
    expect([day.target, day.underTest()]).toEqual([['main', '1@1a', '2@2a'], ['2|3']]);
  });

  it('lands first, even if the description named it while a landing of its dependant was put off', () => {
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

  it('is never tested on top of its dependant if it failed on an undecided base', () => {
    begin({ batch: false });
    day.enter(1);
    day.enterOn(1, 2);
    day.enterOn(2, 3);
    expect(day.underTest()).toEqual(['|1', '1|2', '1+2|3']);
    fail('1|2');
    expect(day.underTest()).toEqual(['|1', '1+2|3', '1|2']);
  });
});
