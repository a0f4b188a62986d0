import type { QueueSettings } from '../../../src/engine/model';
import { anonymizing, anonymous } from '../../../src/processing/replay/anonymous';
import { labelOf, type PastEnd, type QueueHistory } from '../../../src/processing/replay/history';
import { historyOfLog, readingLog } from '../../../src/processing/replay/history-of-log';
import type { LoggedDecision } from '../../../src/processing/decision-log/logged-decision';
import { PastResults } from '../../../src/processing/replay/past-results';
import { Replay } from '../../../src/processing/replay/replay';
import { SettingsComparison } from '../../../src/processing/replay/settings-comparison';
import type { Steps } from '../../../src/processing/replay/steps';
import type { Instant } from '../../../src/engine/vocabulary';
import { type MonthPlan, RecordedMonth } from './recorded-month';

const SPARING = { optimizationMode: 'bisection_skip_redundant_tests' } as const;
const MONTHS = {
  'in order': { settings: { concurrency: 3 }, perDay: 15 },
  'in batches': { settings: { concurrency: 2, batch: true, ...SPARING }, perDay: 15 },
  'in lanes': { settings: { concurrency: 4, canOptimisticallyMerge: true }, mode: 'parallel', perDay: 15 },
  'by flow': {
    settings: { scheduling: 'flow', canOptimisticallyMerge: true, concurrency: 2, batch: true, ...SPARING },
    perDay: 15,
  },
} as const satisfies Record<string, Omit<MonthPlan, 'seed' | 'days'>>;
type Kind = keyof typeof MONTHS;

const played = new Map<Kind, RecordedMonth>();

function month(kind: Kind): RecordedMonth {
  const known = played.get(kind) ?? new RecordedMonth({ seed: 1, days: 30, ...MONTHS[kind] }).play();
  played.set(kind, known);
  return known;
}

function historyOf({ log, until, targets }: RecordedMonth): QueueHistory {
  // The log as the database returns it.
  const stored = JSON.parse(JSON.stringify(log)) as LoggedDecision[];
  return historyOfLog(stored, until, { targets, downtimes: [], waiting: [] });
}

function replayOf(history: QueueHistory, settings: Partial<QueueSettings> = {}): Replay {
  const replay = new Replay(history, { settings }, () => []);
  while (!replay.advance(1_000)) continue;
  return replay;
}

function comparedUntil({ log, targets }: RecordedMonth, until: Instant) {
  const decided = log.filter(({ at }) => at <= until);
  const given = targets.filter(({ at }) => at <= until);
  const history = historyOfLog(decided, until, { targets: given, downtimes: [], waiting: [] });
  const comparison = new SettingsComparison(history, { settings: {} }, () => [], history.from);
  while (!comparison.advance(1_000)) continue;
  return { history, ...comparison.result() };
}

const shown = ({ end, reason, endedAt, submittedAt, ...head }: PastEnd): string =>
  `${labelOf(head)} ${end} ${reason} ${submittedAt} ${endedAt}`;

describe('a replay of a simulated month under its own settings', () => {
  it.each(Object.keys(MONTHS) as Kind[])(
    'reproduces every end, landing and test run to the millisecond: %s',
    (kind) => {
      const recorded = month(kind);
      const { course } = replayOf(historyOf(recorded));
      expect(course.landed.map(labelOf)).toEqual(recorded.landed);
      expect(course.ends.map(shown)).toEqual(recorded.ends.map(shown));
      expect([...course.tests.values()].map(({ startedAt }) => startedAt)).toEqual(recorded.testsBegunAt);
      expect(course.refused).toBe(0);
    },
  );

  it.each(['in order', 'by flow'] as const)(
    'does not treat work that is in progress when the history ends as ended: %s',
    (kind) => {
      const days = new RecordedMonth({ seed: 1, days: 5, ...MONTHS[kind] }).play();
      const { runs, landings } = historyOf(days);
      const tests = runs.flatMap(({ orderedAt, start, reports: [first] }) =>
        start && first ? [{ took: first.after, end: orderedAt + start.toldAfter + first.after }] : [],
      );
      const starts = runs.flatMap(({ orderedAt, start }) =>
        start ? [{ took: start.toldAfter, end: orderedAt + start.toldAfter }] : [],
      );
      const merges = landings.map(({ orderedAt, toldAfter }) => ({ took: toldAfter, end: orderedAt + toldAfter }));
      for (const durations of [tests, starts, merges]) {
        // The time at which the longest run would have ended, if it had taken as long as runs usually take.
        const until = durations.sort((a, b) => b.took - a.took)[0]!.end - 1;
        const { history, asItWas, asItIs, reproduced } = comparedUntil(days, until);
        expect([...history.runs, ...history.landings].some(({ isUnderWay }) => isUnderWay)).toBe(true);
        expect(asItIs).toEqual(asItWas);
        expect(reproduced.same).toBe(reproduced.of);
      }
    },
  );

  it('is computed in short steps, so that other requests are answered meanwhile', () => {
    const { log, until, targets } = month('in order');
    const steps = <Result>(work: Steps<Result>) => {
      let count = 0;
      for (let next = work.next(); ; next = work.next(), count++) if (next.done) return { count, result: next.value };
    };
    const read = steps(readingLog(log, until, { targets, downtimes: [], waiting: [] }));
    expect(read.count).toBe(log.length);
    const { runs, happenings, landings, landed, ends, decided } = read.result;
    expect(steps(PastResults.learning(read.result)).count).toBeGreaterThan(2 * runs.length);
    const items = [runs, happenings, landings, landed, ends, decided].reduce((sum, list) => sum + list.length, 0);
    expect(steps(anonymizing(read.result)).count).toBe(items);
  });

  it('gives the same result for an anonymised history', () => {
    const history = historyOf(month('in lanes'));
    const hidden = anonymous(history);
    const { course } = replayOf(hidden);
    const moments = ({ endedAt, end, reason }: PastEnd): string => `${endedAt} ${end} ${reason}`;
    const own = replayOf(history).course.ends.map((end) => moments({ ...end, endedAt: end.endedAt - history.from }));
    expect(course.ends.map(moments)).toEqual(own);
    const text = JSON.stringify(hidden);
    const secrets = ['head 1 of', 'area 1', 'ann', 'Change 1', 'topic', 'id of'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  const MUTANTS: Record<string, (history: QueueHistory) => QueueHistory> = {
    'a submission is lost': (history) => ({ ...history, happenings: history.happenings.filter((_, i) => i !== 40) }),
    'the results of tests are lost': (history) => ({
      ...history,
      runs: history.runs.map((run) => ({ ...run, reports: [] })),
    }),
    'orders are heard of at once': (history) => ({
      ...history,
      runs: history.runs.map((run) => ({ ...run, start: run.start && { ...run.start, toldAfter: 0 } })),
    }),
    'nobody knows how late the service looked': (history) => ({ ...history, decided: [] }),
    'pushes to the target are lost': (history) => ({
      ...history,
      happenings: history.happenings.filter(({ type }) => type !== 'targetPushed'),
    }),
    'landings take no time': (history) => ({
      ...history,
      landings: history.landings.map((landing) => ({ ...landing, toldAfter: 0 })),
    }),
  };

  it.each(Object.keys(MUTANTS))('gives another result if %s', (name) => {
    const recorded = month('in batches');
    const { course } = replayOf(MUTANTS[name]!(historyOf(recorded)));
    expect(course.ends.map(shown)).not.toEqual(recorded.ends.map(shown));
  });
});

describe('a replay of a simulated month with other settings', () => {
  it('has nearly the same results as a simulation of that month with these settings', () => {
    const batches = { batch: true, concurrency: 2, ...SPARING };
    const history = historyOf(month('in order'));
    const comparison = new SettingsComparison(history, { settings: batches }, () => [], history.from);
    while (!comparison.advance(1_000)) continue;
    const { asItWas, asItIs, asItWouldBe, reproduced, grounds } = comparison.result();
    const { perDay } = MONTHS['in order'];
    const real = new RecordedMonth({ seed: 1, days: 30, perDay, settings: batches }).play();
    const landed = real.ends.filter(({ end }) => end === 'merged').length;
    expect(asItIs).toEqual(asItWas);
    expect(reproduced.same).toBe(reproduced.of);
    expect(asItWouldBe.merged / landed).toBeGreaterThan(0.95);
    expect(asItWouldBe.merged / landed).toBeLessThan(1.05);
    const runs = real.testsBegunAt.length / landed;
    expect(asItWouldBe.testRunsPerMerged! / runs).toBeGreaterThan(0.85);
    expect(asItWouldBe.testRunsPerMerged! / runs).toBeLessThan(1.15);
    expect(asItWouldBe.testRunsPerMerged!).toBeLessThan(asItIs.testRunsPerMerged!);
    expect(grounds.assumed).toBeGreaterThan(0);
  });
});
