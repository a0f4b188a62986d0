import { EngineFlowDay } from '../../../test/support/engine-flow-day';
import { FlowDay } from '../../../test/simulation/flow/flow-day';
import { explain } from '../explain';
import { isFlow } from '../flow-facts/scheduling';
import { JUST_WAITING } from '../flow-state';
import type { QueueSettings, QueueSnapshot } from '../model';
import { isConcluded } from '../states';
import { HOUR, type Instant, MINUTE } from '../vocabulary';

let day: EngineFlowDay;

afterEach(() => expect(day.problems).toEqual([]));

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineFlowDay({ optimizationMode: 'off', ...settings });
}

function why(number: number): string {
  return saidTo(day.queue, `entry-${number}`, day.now);
}

function saidTo(queue: QueueSnapshot, entryId: string, now: Instant): string {
  return explain(queue, [{ entryId, ahead: 3 }], now)[0]?.waitingFor ?? '';
}

describe('explaining an entry in a flow queue', () => {
  it('names the other entries of its test, its passed base, and its undecided base', () => {
    begin();
    day.enter(1, 2);
    expect(why(1)).toMatch(/^Required status `ci` has not reported on .*. The test times out in 5 hours$/);
    expect(why(2)).toContain(
      '. It is tested on top of #1 (still being tested, assumed to pass). If #1 fails, it is tested again. ' +
        'Pull requests fail their tests in 5 % of cases (the default of a new queue)',
    );
    day.cancel(1);
    day.reportOn('1|2', 'passed');
    expect(why(2)).toBe('Passed, awaiting a combined test: that test is running. It could not merge as it was tested');
    day.set({}, 'draining');
    day.report(day.runOf(2), 'lost');
    expect(why(2)).toContain('that test starts when the queue is running (it is draining)');
  });

  it('names the suspects of a failed test, and the usual failure rate', () => {
    begin({ optimizationMode: 'bisection_skip_redundant_tests', concurrency: 1 });
    day.enterTogether(1, 2, 3);
    day.set({ concurrency: 1 });
    day.reportOn('|1+2+3', 'failed');
    expect(day.underTest()).toEqual(['|1+2']);
    expect(why(3)).toBe(
      'A test run failed, and the cause may be this pull request or #1, #2. ' +
        'The first half of these suspects is tested first. ' +
        'Pull requests fail their tests in 5 % of cases (the default of a new queue)',
    );
  });

  it('says how many failures in isolation an entry needs to fail', () => {
    begin({ concurrency: 1 });
    day.enter(1);
    day.reportOn('|1', 'failed');
    day.reportOn('|1', 'failed');
    expect(why(1)).toBe(
      'Failed in isolation on main. It fails when another test run passes, which shows that the tests work. No other test run has passed yet',
    );
    day.learn({ flake: { yes: 30, no: 70 } });
    expect(why(1)).toContain(
      'Failed in isolation on main (1 of 3 times). It takes 3 such failures, because tests flake in 15.5 % of cases (estimated from 100 earlier results of this queue)',
    );
  });

  it('says since when the target fails, and how to fix that', () => {
    begin();
    day.enter(1);
    day.reportOn('|1', 'failed');
    day.reportOn('|1', 'failed');
    day.reportOn('|', 'failed');
    day.enter(2);
    expect(why(2)).toContain('main itself has just failed its tests: nobody is blamed');
    expect(why(2)).toContain('Give the pull request that fixes main the priority urgent');
  });

  it('names a text conflict, a group that is not full, or missing slots', () => {
    begin({ batch: false });
    day.open(1).open(2, { conflictsWith: [1] });
    day.enter(1, 2);
    expect(why(2)).toBe('Merge conflict with #1: it is tested when #1 has merged or left the queue');
    begin({ batchingMaxWaitTimeMinutes: 5 });
    day.enter(1);
    expect(why(1)).toBe(
      'Waits for its group to fill (1 of 4); starts in 5 minutes at the latest. To start at once, submit it again with noBatch',
    );
    begin({ concurrency: 1, batch: false });
    day.enter(1, 2);
    expect(why(2)).toBe('Waits for a free slot (1 test run at once)');
  });

  it('names the freeze or limit that holds a passed entry', () => {
    begin();
    day.store.freezes = [{ from: day.now, until: day.now + 2 * HOUR, exceptPriorityAtMost: null }];
    day.enter(1);
    day.reportOn('|1', 'passed');
    expect(why(1)).toBe('Its tests passed; merges are frozen by the queue settings (the freeze ends in 119 minutes)');
    begin({ maxMergesPerHour: 1 });
    day.enter(1);
    day.reportOn('|1', 'passed');
    day.enter(2);
    day.reportOn('|2', 'passed');
    expect(why(2)).toBe(
      'Its tests passed; 1 pull request merged in the last hour, and the limit is 1: #2 is merged next, in 59 minutes',
    );
  });

  it('names the urgent entry for which a test was stopped, and which merges before other entries', () => {
    begin({ concurrency: 2, batch: false });
    day.enter(1, 2);
    day.enterUrgent(9);
    expect(day.underTest()).toEqual(['|1', '|9']);
    expect(why(2)).toBe(
      'Waits for a free slot (2 test runs at once). Its test was stopped to free a slot for #9 (urgent)',
    );
    day.reportOn('|1', 'passed');
    expect(why(1)).toBe(
      'Passed, awaiting a combined test: it is included in the test of #2, and merges when that test passes. ' +
        '#9 is urgent: nothing else merges while it is being tested. It could not merge as it was tested',
    );
  });

  it('names the entries that it may conflict with semantically, and the rate of such conflicts', () => {
    begin({ concurrency: 1, batch: false });
    for (const number of [1, 2]) day.open(number).setTargets(number, ['api']);
    day.enter(1, 2);
    expect(why(2)).toBe(
      'Waits for a free slot (1 test run at once). It changes the same area as #1. ' +
        'It starts together with #1, on top of #1, or when a slot would stay empty. ' +
        'In that area, semantic conflicts occur in 5 % of cases (the default of a new queue)',
    );
    day.learn({ together: { yes: 0, no: 100 } });
    expect(why(2)).toBe('Waits for a free slot (1 test run at once)');
  });

  it('says that more entries may share its area if more wait ahead than are loaded', () => {
    begin({ concurrency: 1, batch: false });
    for (const number of [1, 2, 3]) day.open(number).setTargets(number, ['api']);
    day.enter(1, 2, 3);
    const moreToLoad = { unchecked: false, waiting: true, held: false };
    const said = (ahead: number): string | null =>
      explain({ ...day.queue, moreToLoad }, [{ entryId: 'entry-3', ahead }], day.now)[0]!.waitingFor;
    expect(said(1)).toContain('. It changes the same area as #1, #2. It starts');
    expect(said(57)).toContain('. It changes the same area as at least #1, #2. It starts');
    expect(said(57)).toContain('It starts together with them, on top of them, or when');
  });

  it('names the entry that merges first because too many merges did not include it', () => {
    begin({ concurrency: 2, batch: false });
    day.enter(1, 2);
    const [one, two] = [1, 2].map((number) => day.entry(number));
    const owed = { ...JUST_WAITING, at: 'passed', rides: 6, passedAs: 1 } as const;
    const passed = { ...JUST_WAITING, at: 'passed', passedAs: 2 } as const;
    const entries = [
      { ...one!, flow: owed },
      { ...two!, flow: passed },
    ];
    const runs = day.queue.runs.filter((run) => run.own.some(({ number }) => number === 1));
    expect(saidTo({ ...day.queue, entries, runs }, 'entry-2', day.now)).toContain(
      'the next test run includes it. #1 merges first: it has passed, and was not included in the last 6 merges',
    );
  });

  it('says that it is being merged, and with which entries', () => {
    begin();
    day.enterTogether(1, 2);
    day.report(day.runNamed('|1+2'), 'passed');
    expect(why(1)).toBe('Its tests passed; its merge into main together with #2 started less than a minute ago');
    const queue = { ...day.queue, merging: { number: 1, since: day.now - 2 * MINUTE } };
    expect(saidTo(queue, 'entry-2', day.now)).toContain('. git.example was asked 2 minutes ago to merge #1 and');
    day.carryOutAll();
  });
});

/** Matches phrases that are true only in sequential mode, where each entry has a place in the line. */
const UNTRUE = /behind|ahead of|place|its turn by|batch|bisection|canOptimisticallyMerge has no effect/;
const BROKEN = /undefined|null|NaN|\[object|#0| {2}|;;|; ;/;

it('explaining any entry of a flow queue gives a whole sentence about present entries, without sequential terms', () => {
  begin();
  const odd: string[] = [];
  for (let seed = 1; seed <= 40; seed++) {
    let random: FlowDay | null = null;
    random = new FlowDay(seed, () => {
      if (random === null || !isFlow(random.queue)) return;
      const { queue, now } = random;
      const open = queue.entries.filter(({ state }) => !isConcluded(state));
      const present = new Set(open.map(({ number }) => number));
      for (const { id, number, state, flow } of open) {
        const said = saidTo(queue, id, now);
        const strangers = [...said.matchAll(/#(\d+)/g)].filter(([, other]) => !present.has(Number(other)));
        const isOdd = said === '' || BROKEN.test(said) || (state !== 'not_ready' && UNTRUE.test(said));
        const isAboutStrangers = strangers.length > 0 && state !== 'not_ready' && queue.partialLanding === null;
        if (isOdd || isAboutStrangers) odd.push(`day ${seed}, #${number} ${state} ${flow?.at ?? ''}: ${said}`);
      }
    });
    random.play();
  }
  expect(odd.slice(0, 5)).toEqual([]);
});
