import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import { FLOW_AT_START } from './flow-state';
import type { QueueSettings, TestRun } from './model';
import { MINUTE } from './vocabulary';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings>, ...numbers: readonly number[]): void {
  day = new EngineDay({ testingTimeoutMinutes: 60, ...settings });
  submit(...numbers);
}

function submit(...numbers: readonly number[]): void {
  for (const number of numbers) day.submit(number);
  day.carryOutAll();
}

function underTest(): readonly string[] {
  return day.queue.runs.map(({ builtOn, own }) => [...builtOn, ...own].map(({ number }) => number).join('+'));
}

function control(): TestRun {
  const run = day.queue.runs.find(({ kind }) => kind === 'target');
  if (!run) throw new Error(`the target is not tested, but ${underTest().join(', ')}`);
  return run;
}

function targetIs(state: 'passed' | 'failed'): void {
  day.report(control(), state);
  day.carryOutAll();
}

/** Advances the time until the queue no longer waits for a run under test to show that the tests work. */
function othersStaySilent(): void {
  day.advance(10);
  day.carryOutAll();
}

function statesOf(...numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => day.stateOf(number));
}

function waitingFor(number: number): string | null {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]!.waitingFor;
}

/** Entry 1 failed its test and is failed. Then entry 2 fails its test, and no test has passed in between. */
function twoRed(settings: Partial<QueueSettings> = {}, ...more: readonly number[]): void {
  begin(settings, 1, 2, ...more);
  day.fail(1);
  day.advance(5);
  day.fail(2);
}

describe('sequential scheduling: a failure in isolation on the target', () => {
  it('fails the entry at once if it is the first failure since a pass', () => {
    begin({}, 1, 2, 3);
    day.fail(1);
    expect(day.stateOf(1)).toBe('failed');
    day.pass(2).fail(3);
    expect(statesOf(1, 2, 3)).toEqual(['failed', 'merged', 'failed']);
    expect(day.queue.searches).toEqual([]);
  });

  it('waits if another entry failed before and nothing has passed since; the line continues', () => {
    twoRed({}, 3);
    expect([day.stateOf(2), underTest()]).toEqual(['pending_failure', ['3']]);
    expect(waitingFor(2)).toBe(
      'Failed in isolation on main. It is tested once more when another test run passes, which shows that the tests work. ' +
        'If that run was in progress during the whole failed test, this pull request fails at once. No other test run has passed yet. ' +
        'If no other test run passes before, main itself is tested in 9 minutes; if it fails, nobody is blamed',
    );
  });

  it('leads to a test of the target if nothing else is under test, or after ten minutes without a result', () => {
    twoRed();
    expect(underTest()).toEqual(['']);
    twoRed({}, 3);
    expect(day.decisions.at(-1)!.wakeAt).toBe(day.entry(2).stateChangedAt + 10 * MINUTE);
    day.advance(9);
    day.carryOutAll();
    expect([underTest(), waitingFor(2)]).toEqual([
      ['3'],
      expect.stringContaining('main itself is tested in less than a minute; '),
    ]);
    day.advance(1);
    day.carryOutAll();
    expect([underTest(), waitingFor(2)]).toEqual([
      ['3', ''],
      expect.stringContaining('main itself is being tested now: if it fails, nobody is blamed'),
    ]);
  });

  it('leads to a test of the target at once when the last other run has failed or left', () => {
    twoRed({ concurrency: 1 }, 3);
    day.fail(3);
    expect(underTest()).toEqual(['']);
    twoRed({}, 3);
    day.cancel(3);
    day.carryOutAll();
    expect(underTest()).toEqual(['']);
  });

  it('leads to one more test of the entry when the target passes; a second failure fails the entry', () => {
    twoRed();
    targetIs('passed');
    expect([day.stateOf(2), underTest()]).toEqual(['testing', ['2']]);
    expect(waitingFor(2)).toMatch(
      /^Failed in isolation on main\. It is tested once more in isolation, and fails only if that test fails\. /,
    );
    day.fail(2);
    expect([day.stateOf(2), day.entry(2).stateReason]).toEqual(['failed', 'test_run_required_status_failed']);
  });

  it('puts the entry back in its turn if the second test passes; then the entry is tested alone', () => {
    twoRed({}, 3);
    othersStaySilent();
    targetIs('passed');
    day.pass(2);
    expect(day.stateOf(2)).toBe('pending');
    expect(underTest()).toEqual(['3']);
    day.pass(3).pass(2);
    expect(day.target).toEqual(['main', '3@3a', '2@2a']);
  });

  it('ends the test of the target when the test has a result or is not needed, and records the reason', () => {
    const ends = (): unknown[] =>
      day.decisions.at(-1)!.changes.flatMap((change) => (change.type === 'runEnded' ? [change.because] : []));
    for (const state of ['passed', 'failed'] as const) {
      twoRed();
      day.report(control(), state);
      expect(ends()).toContain('target_judged');
    }
    twoRed({}, 3);
    day.advance(10);
    expect(control().phase).toBe('building');
    day.report(day.runOf(3), 'passed');
    expect(ends()).toContain('search_answered');
    expect(() => control()).toThrow('not tested');
  });

  it('needs no test of the target once anything else has passed', () => {
    twoRed({}, 3);
    othersStaySilent();
    expect(control().phase).toBe('testing');
    day.pass(3);
    expect([day.stateOf(3), underTest()]).toEqual(['merged', ['2']]);
  });

  it('is not the first failure since a pass if it happened before the pass, however late it is evaluated', () => {
    begin({ concurrency: 3 }, 1, 2, 3);
    day.report(day.runOf(2), 'failed');
    day.carryOutAll();
    day.report(day.runOf(3), 'failed');
    day.advance(1);
    day.restart(1);
    day.carryOutAll();
    day.pass(1);
    expect([statesOf(1, 2, 3), underTest()]).toEqual([['merged', 'failed', 'testing'], ['3']]);
    day.fail(3);
    expect(day.stateOf(3)).toBe('failed');
  });

  it('fails the entry if a passed test was in progress during the whole failed test', () => {
    begin({ concurrency: 3 }, 1, 2, 3);
    day.advance(5);
    day.report(day.runOf(2), 'failed');
    day.carryOutAll();
    day.report(day.runOf(3), 'failed');
    day.pass(1);
    expect([statesOf(1, 2, 3), day.queue.flow?.redsIn]).toEqual([
      ['merged', 'failed', 'failed'],
      [{ streak: 1, reds: 2 }],
    ]);
  });

  it('fails the entry if it happened in two streaks and another run passed afterwards', () => {
    begin({ bisectionConcurrency: 2 }, 1, 2, 3);
    day.fail(1);
    day.advance(5);
    day.fail(2);
    day.advance(5);
    day.fail(3);
    targetIs('passed');
    expect(underTest()).toEqual(['2', '3']);
    day.advance(5);
    day.fail(2).fail(3);
    expect(statesOf(2, 3)).toEqual(['failed', 'pending_failure']);
    expect(waitingFor(3)).toContain('Failed in isolation on main. It fails when another test run passes');
    targetIs('passed');
    expect(day.stateOf(3)).toBe('failed');
  });

  it('of the culprit of a bisection waits like any other failure', () => {
    begin({ batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' }, 1, 2, 3, 4);
    day.report(day.runOf(1), 'failed');
    day.carryOutAll().fail(1);
    expect(day.stateOf(1)).toBe('failed');
    day.report(day.runOf(3), 'failed');
    day.carryOutAll().fail(3);
    expect([statesOf(3), underTest()]).toEqual([['pending_failure'], ['2']]);
    othersStaySilent();
    expect(underTest()).toEqual(['2', '']);
    targetIs('failed');
    expect([statesOf(3), day.entry(3).batchAtMost]).toEqual([['pending'], 1]);
  });

  it('is forgotten when the entry is cancelled or restarted', () => {
    twoRed({}, 3);
    day.fail(3);
    day.cancel(2);
    day.restart(3);
    day.carryOutAll();
    expect([statesOf(2, 3), underTest()]).toEqual([['cancelled', 'testing'], ['3']]);
    day.fail(3);
    expect(day.stateOf(3)).toBe('pending_failure');
  });

  it('does not count on another target', () => {
    twoRed();
    day.pushToTarget('hotfix');
    day.carryOutAll();
    expect([day.stateOf(2), underTest(), day.queue.searches[0]?.alone]).toEqual(['testing', ['2'], undefined]);
  });

  it('waits for a bisection slot for the test of the target', () => {
    begin({ batch: true, batchingMinSize: 2, bisectionConcurrency: 1, optimizationMode: 'off' }, 1, 2);
    day.report(day.runOf(1), 'failed');
    day.carryOutAll();
    for (const number of [3, 4]) day.submit(number, { noBatch: true });
    day.carryOutAll();
    day.fail(3).fail(4);
    expect([statesOf(3, 4), underTest()]).toEqual([['failed', 'pending_failure'], ['1+2']]);
    expect(waitingFor(4)).toContain('main itself is tested as soon as a bisection slot is free');
  });
});

describe('sequential scheduling: an outage of CI', () => {
  it('fails one entry at most: while the target fails, no entry is blamed and only urgent entries are tested', () => {
    twoRed({}, 3);
    othersStaySilent();
    targetIs('failed');
    expect([statesOf(1, 2, 3), day.queue.flow?.redTarget?.reds]).toEqual([['failed', 'pending', 'testing'], 1]);
    expect(day.queue.flow).toMatchObject({ results: 3, tested: 0 });
    day.fail(3);
    expect([statesOf(2, 3), underTest()]).toEqual([['pending', 'pending'], ['']]);
    expect(waitingFor(2)).toMatch(/^main itself has just failed its tests: nobody is blamed\. Only main and urgent/);
    day.submit(9, { priority: 0 });
    day.carryOutAll();
    expect(underTest()).toEqual(['', '9']);
    day.pass(9);
    expect([day.stateOf(9), day.queue.flow?.redTarget]).toEqual(['merged', null]);
    day.pass(2).pass(3);
    expect(day.target).toEqual(['main', '9@9a', '2@2a', '3@3a']);
  });

  it('is over when the target passes; the target is tested at growing intervals', () => {
    twoRed();
    const waits = [];
    for (let times = 0; times < 5; times++) {
      targetIs('failed');
      waits.push(Math.max(0, Math.ceil((day.queue.flow!.redTarget!.againAt - day.now) / MINUTE)));
      day.advance(waits.at(-1)!);
      day.carryOutAll();
    }
    expect(waits).toEqual([0, 1, 2, 4, 8]);
    targetIs('passed');
    expect([day.stateOf(2), day.queue.flow!.redTarget]).toEqual(['testing', null]);
  });

  it('causes a test of the target at once when somebody pushed to it', () => {
    twoRed();
    targetIs('failed');
    targetIs('failed');
    expect(underTest()).toEqual([]);
    day.pushToTarget('mend');
    day.carryOutAll();
    targetIs('passed');
    day.pass(2);
    expect(day.target).toEqual(['main', 'mend', '2@2a']);
  });

  it('lets an urgent entry that failed during the outage be tested again only after another run passed', () => {
    twoRed({ concurrency: 2 });
    targetIs('failed');
    day.submit(9, { priority: 0 });
    day.carryOutAll();
    day.fail(9);
    expect([day.stateOf(9), underTest()]).toEqual(['pending_failure', ['']]);
    targetIs('failed');
    day.advance(1);
    day.carryOutAll();
    targetIs('passed');
    expect(underTest()).toContain('9');
  });

  it('causes no test when no entry waits', () => {
    twoRed();
    targetIs('failed');
    day.cancel(2);
    targetIs('failed');
    day.advance(600);
    expect([underTest(), day.decisions.at(-1)!.wakeAt]).toEqual([[], null]);
  });
});

it('sequential scheduling: results of an outage are not reused, because the entries may not be the cause', () => {
  begin({ optimizationMode: 'bisection_skip_redundant_tests' });
  day.knowsResults = true;
  submit(1, 2);
  day.fail(1).fail(2);
  targetIs('failed');
  targetIs('passed');
  expect(day.queue.flow?.outageEndedAt).toBeDefined();
  day.pass(2);
  expect(statesOf(1, 2)).toEqual(['failed', 'merged']);
});

describe('an undecided test of the target', () => {
  it('is not repeated: a second failure in isolation decides', () => {
    twoRed();
    day.report(control(), 'lost');
    day.carryOutAll();
    expect([day.stateOf(2), underTest()]).toEqual(['testing', ['2']]);
    day.fail(2);
    expect(day.stateOf(2)).toBe('failed');
  });

  it.each([
    { type: 'refused', reason: 'start_test_run_no_required_statuses', details: 'none' },
    { type: 'config_unreadable', numbers: [], problem: 'no YAML' },
    { type: 'entry_refused', number: null, details: 'a rule' },
  ] as const)(
    'is repeated once while the target fails, because it cannot start, and then ignored: $type',
    (because) => {
      const refuse = (): unknown => day.happen({ type: 'runNotStarted', run: control().number, because, seen: [] });
      twoRed();
      day.report(control(), 'failed');
      refuse();
      expect([underTest(), day.decisions.at(-1)!.wakeAt]).toEqual([[], day.now + MINUTE]);
      day.advance(1);
      refuse();
      day.carryOutAll();
      expect([underTest(), day.queue.flow?.redTarget]).toEqual([['2'], null]);
    },
  );

  it('counts as failed even if only known flaky tests failed in it', () => {
    twoRed();
    day.upload(control(), { flaky: ['a flake'] });
    targetIs('failed');
    expect(day.queue.flow?.redTarget?.reds).toBe(1);
  });
});

describe('sequential scheduling: flaky tests', () => {
  it('make a second failure necessary once a failed run turned out to be a flake', () => {
    begin({ batch: true, batchingMinSize: 2, optimizationMode: 'bisection_skip_redundant_tests' }, 1, 2);
    day.report(day.runOf(1), 'failed');
    day.carryOutAll();
    expect(day.queue.flow?.redTests).toMatchObject([{ open: 2, entryIds: ['entry-1', 'entry-2'] }]);
    day.pass(1);
    day.pass(2);
    day.pass(1);
    day.pass(2);
    expect([statesOf(1, 2), day.queue.flow?.redTests]).toEqual([['merged', 'merged'], []]);
    expect(day.queue.flow?.learned.flake.yes).toBe(1);
    submit(3, 4);
    day.report(day.runOf(3), 'failed');
    day.carryOutAll().fail(3);
    expect(day.stateOf(3)).toBe('testing');
    expect(waitingFor(3)).toContain(
      'Failed in isolation on main (1 of 2 times). It takes 2 such failures, because tests flake in ',
    );
    day.fail(3);
    expect(day.stateOf(3)).toBe('failed');
  });

  it.each([
    { reds: [2, 3], flakes: 1 },
    { reds: [2, 3, 4], flakes: 0 },
  ])('are not counted if too many runs failed between two passes: run 1 and runs $reds', ({ reds, flakes }) => {
    begin({ bisectionConcurrency: 4 }, 1, ...reds);
    day.fail(1);
    for (const number of reds) {
      day.advance(5);
      day.fail(number);
    }
    targetIs('passed');
    day.pass(2).pass(2);
    expect([day.stateOf(2), day.queue.flow?.learned.flake.yes]).toEqual(['merged', flakes]);
  });

  it('are forgotten with an entry that failed, because the entry may have been the cause', () => {
    begin({}, 1);
    day.fail(1);
    expect(day.queue.flow).toMatchObject({ redTests: [], learned: { flake: { yes: 0 } } });
  });

  it.each([{ red: ['ci'] }, { red: [] }])('do not include an earlier result of the same tree: %j', ({ red }) => {
    begin({});
    day.submit(1);
    day.act();
    const [pushed] = day.outcomes.splice(0);
    if (pushed?.type !== 'runPushed') throw new Error('the run was not pushed');
    day.happen({ ...pushed, type: 'runResultKnown', red });
    expect([day.queue.flow?.results ?? 0, day.queue.flow?.redTests ?? []]).toEqual([0, []]);
  });
});

it('sequential scheduling: a queue has no flow state before its first result', () => {
  begin({}, 1);
  expect(day.queue.flow).toBeUndefined();
  day.pass(1);
  expect(day.queue.flow).toMatchObject({ ...FLOW_AT_START, results: 1, lastPass: 1, learned: { flake: { no: 1 } } });
});
