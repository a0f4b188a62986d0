import type { Instant } from '../../engine/vocabulary';
import type { PastEnd, PastRun, QueueHistory } from './history';
import { endOf, isByTests, type PastResults } from './past-results';
import type { ReplayedCourse } from './replayed-course';

/** The results of a queue for the pull requests that were submitted in a period. Times are in milliseconds. */
export interface ReplayFigures {
  readonly merged: number;
  readonly failed: number;
  readonly cancelled: number;
  /** How long pull requests took from their submission to their merge; null if none merged. */
  readonly timeToMerge: { readonly p50: Instant; readonly p90: Instant; readonly p95: Instant } | null;
  /** The number of test runs that began, and their total duration. */
  readonly testRuns: number;
  readonly testTime: Instant;
  readonly testRunsPerMerged: number | null;
  /**
   * The number of pull requests that failed their tests although the same head landed in the history or passed alone.
   */
  readonly failedWrongly: number;
}

/** On what the test results of a replay rest: the number of results for each source. */
export interface ReplayGrounds {
  /** Results of trees that were tested in the history. */
  readonly tested: number;
  /**
   * Failures of trees that contain a head that is known to fail, that were tested in an outage, or that fail at the
   * rate of flaky tests.
   */
  readonly concluded: number;
  /** Passes of trees that were never tested and are assumed to pass, because their parts did. */
  readonly assumed: number;
}

/**
 * The figures of a replay. `since`: pull requests that were submitted before this time do not count and only fill the
 * queue.
 */
export function figuresOfReplay(
  course: ReplayedCourse,
  results: PastResults,
  since: Instant,
  until: Instant,
): ReplayFigures {
  const tests = [...course.tests.values()].filter(({ startedAt }) => startedAt >= since && startedAt <= until);
  const testTime = tests.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.min(endedAt ?? until, until) - startedAt,
    0,
  );
  const ends = course.ends.filter(({ endedAt }) => endedAt <= until);
  return figuresOf(ends, tests.length, testTime, results, since);
}

/** The figures of the stored history, without a replay. */
export function figuresOfHistory(history: QueueHistory, results: PastResults, since: Instant): ReplayFigures {
  const begun = history.runs.filter(
    ({ start, orderedAt }) => start?.type === 'pushed' && orderedAt >= since && orderedAt <= history.until,
  );
  const testTime = begun.reduce((sum, run) => sum + testTimeOf(run, history.until), 0);
  return figuresOf(history.ends, begun.length, testTime, results, since);
}

export function groundsOf({ tests }: ReplayedCourse): ReplayGrounds {
  const count = { tested: 0, concluded: 0, assumed: 0 };
  for (const { how, hasResult } of tests.values()) if (hasResult) count[how]++;
  return count;
}

function testTimeOf(run: PastRun, until: Instant): Instant {
  const { orderedAt, start, reports, stoppedAfter } = run;
  if (reports.length > 0) return endOf(run) - orderedAt - (start?.toldAfter ?? 0);
  return stoppedAfter ?? until - orderedAt - (start?.toldAfter ?? 0);
}

function figuresOf(
  ends: readonly PastEnd[],
  testRuns: number,
  testTime: Instant,
  results: PastResults,
  since: Instant,
): ReplayFigures {
  const counted = ends.filter(({ submittedAt }) => submittedAt >= since);
  const merged = counted.filter(({ end }) => end === 'merged');
  const failed = counted.filter(({ end }) => end === 'failed');
  const times = merged.map(({ submittedAt, endedAt }) => endedAt - submittedAt).sort((a, b) => a - b);
  const at = (share: number): Instant => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return {
    merged: merged.length,
    failed: failed.length,
    cancelled: counted.length - merged.length - failed.length,
    timeToMerge: times.length === 0 ? null : { p50: at(0.5), p90: at(0.9), p95: at(0.95) },
    testRuns,
    testTime,
    testRunsPerMerged: merged.length === 0 ? null : testRuns / merged.length,
    failedWrongly: failed.filter((end) => isByTests(end.reason) && results.isInnocent(end)).length,
  };
}
