import { EngineDay } from '../../test/support/engine-day';
import { explain } from './explain';
import type { JobName, QueueSettings, TestRun } from './model';
import { HOUR, MINUTE } from './vocabulary';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

const JOB: JobName = { name: 'ci', longestDelayMs: null };

function begin(settings: Partial<QueueSettings> = {}): void {
  day = new EngineDay(settings);
  day.submit(1);
  day.carryOutAll();
}

function ciIsDoneWith(run: TestRun, jobs: readonly JobName[] = [JOB], runs = 1): void {
  const end = { at: day.now, runs, reported: ['ci (1)', 'ci (2)'], jobs };
  day.happen({ type: 'ciSeen', commit: run.commit ?? '', end });
}

function ciGoesOn(run: TestRun): void {
  day.happen({ type: 'ciSeen', commit: run.commit ?? '', end: null });
}

const isOfTarget = ({ own }: TestRun): boolean => own.length === 0;

/** Whether this run still awaits its statuses. */
function isTested(number: number): boolean {
  return day.queue.runs.some((run) => run.number === number && run.phase === 'testing');
}

/**
 * Lets CI end without the required status in every run of the pull request. Returns whether the target was tested
 * before an entry failed.
 */
function playWhereTarget(target: 'reports it' | 'does not report it either'): boolean {
  let wasAsked = false;
  for (let time = 0; time < 12 && day.stateOf(1) !== 'failed'; time++) {
    for (const run of day.queue.runs.filter(({ phase }) => phase === 'testing')) {
      wasAsked ||= isOfTarget(run);
      if (isOfTarget(run) && target === 'reports it') day.report(run, 'passed');
      else ciIsDoneWith(run);
    }
    pass(10);
  }
  return wasAsked;
}

function why(number: number): string {
  return explain(day.queue, [{ entryId: `entry-${number}`, ahead: 0 }], day.now)[0]?.waitingFor ?? '';
}

function pass(minutes: number): void {
  day.advance(minutes);
  day.carryOutAll();
}

const SCHEDULINGS: readonly (readonly [string, Partial<QueueSettings>])[] = [
  ['in order', {}],
  ['flow', { scheduling: 'flow', canOptimisticallyMerge: true }],
];

describe.each(SCHEDULINGS)('a job that CI never ran for a pull request, scheduling %s,', (_name, settings) => {
  beforeEach(() => {
    begin(settings);
    ciIsDoneWith(day.runOf(1));
  });

  it('is named at once, with the names that CI reported instead', () => {
    expect(why(1)).toContain(
      `. The test fails in 10 minutes. CI has finished ${(day.runOf(1).commit ?? '').slice(0, 8)} and never reported \`ci\`. ` +
        'It reported `ci (1)`, `ci (2)`',
    );
  });

  it('fails the run after ten minutes, but the entry only after the test of the target', () => {
    const { number } = day.runOf(1);
    pass(9);
    expect(isTested(number)).toBe(true);
    pass(1);
    expect(isTested(number)).toBe(false);
    expect(day.stateOf(1)).not.toBe('failed');
    expect(playWhereTarget('reports it')).toBe(true);
    expect(day.entry(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_required_status_failed' });
  });

  it('fails no entry while CI does not run it for the target either; meanwhile no other entry is tested', () => {
    expect(playWhereTarget('does not report it either')).toBe(true);
    expect(day.stateOf(1)).not.toBe('failed');
    day.submit(2);
    day.carryOutAll();
    expect(day.queue.runs.filter(({ own }) => own.some(({ number }) => number === 2))).toEqual([]);
  });

  it('wakes the queue at the end of the waiting time', () => {
    expect(day.decisions.at(-1)?.wakeAt).toBe(day.now + 10 * MINUTE);
  });

  it('may still report within ten minutes: then the run passes', () => {
    pass(9);
    day.report(day.runOf(1), 'passed');
    day.carryOutAll();
    expect(day.stateOf(1)).toBe('merged');
  });
});

describe('CI that is done', () => {
  it('gets more time when it begins another workflow run', () => {
    begin();
    const { number } = day.runOf(1);
    ciIsDoneWith(day.runOf(1));
    pass(9);
    ciIsDoneWith(day.runOf(1), [JOB], 2);
    pass(9);
    expect(isTested(number)).toBe(true);
    pass(1);
    expect(isTested(number)).toBe(false);
  });

  it('is recorded only once for the same workflow runs', () => {
    begin();
    ciIsDoneWith(day.runOf(1));
    const { at } = day.runOf(1).ciEnd!;
    day.advance(5);
    ciIsDoneWith(day.runOf(1));
    expect(day.runOf(1).ciEnd).toMatchObject({ at });
  });

  it('is not done any more when a workflow run is started again', () => {
    begin();
    ciIsDoneWith(day.runOf(1));
    pass(9);
    ciGoesOn(day.runOf(1));
    pass(60);
    expect(day.runOf(1)).toMatchObject({ phase: 'testing' });
    expect(day.runOf(1).ciEnd).toBeUndefined();
    expect(why(1)).not.toContain('CI is done');
  });

  it('gets twice the longest delay of the status name, if that is more than ten minutes', () => {
    begin();
    const { number } = day.runOf(1);
    ciIsDoneWith(day.runOf(1), [{ name: 'ci', longestDelayMs: 20 * MINUTE }]);
    pass(39);
    expect(isTested(number)).toBe(true);
    pass(1);
    expect(isTested(number)).toBe(false);
  });

  it('fails no run for a status that no job reports, and says who may still report it', () => {
    begin();
    ciIsDoneWith(day.runOf(1), []);
    pass(HOUR / MINUTE);
    expect(day.runOf(1).phase).toBe('testing');
    expect(why(1)).toContain(
      'did not report `ci`. It reported `ci (1)`, `ci (2)`. Another service may still report it',
    );
  });

  it('causes two more test runs if it began no workflow run at all', () => {
    begin();
    const tested = new Set<number>();
    for (let time = 0; time < 3; time++) {
      const run = day.runOf(1);
      tested.add(run.number);
      ciIsDoneWith(run, [JOB], 0);
      pass(10);
    }
    expect(tested.size).toBe(3);
    expect(day.entry(1).timesLost).toBe(2);
    expect(day.queue.runs.some((run) => !isOfTarget(run) && run.phase === 'testing')).toBe(false);
  });

  it('causes no explanation if no workflow ran and no job reports the status', () => {
    begin();
    ciIsDoneWith(day.runOf(1), [], 0);
    expect(why(1)).not.toContain('CI is done');
  });

  it('fails no run if neverReportedMinutes is null', () => {
    begin({ neverReportedMinutes: null });
    ciIsDoneWith(day.runOf(1));
    pass(HOUR / MINUTE);
    expect(day.runOf(1).phase).toBe('testing');
  });

  it('fails no run while the host does not answer', () => {
    begin();
    ciIsDoneWith(day.runOf(1));
    day.store.hostUnreachableSince = day.now;
    pass(HOUR / MINUTE);
    expect(day.runOf(1).phase).toBe('testing');
  });
});
