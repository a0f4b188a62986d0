import type { Instant } from '../../engine/vocabulary';
import type { QueueHistory } from './history';

/** The median durations in a history, for events of a replay that have no counterpart in the history. */
export interface UsualTimes {
  /** The time from the task that starts a run until the queue learned of the push. */
  readonly start: Instant;
  readonly passed: Instant;
  readonly failed: Instant;
  /** The time from the task that lands a run until the queue learned of the result. */
  readonly landing: Instant;
}

export function usualTimesOf({ runs, landings }: QueueHistory): UsualTimes {
  const took = (state: 'passed' | 'failed'): readonly Instant[] =>
    runs.flatMap(({ reports: [first] }) => (first?.state === state ? [first.after] : []));
  const [passed, failed] = [took('passed'), took('failed')];
  return {
    start: median(runs.flatMap(({ start }) => (start?.type === 'pushed' ? [start.toldAfter] : []))),
    passed: median(passed.length > 0 ? passed : failed),
    failed: median(failed.length > 0 ? failed : passed),
    landing: median(
      landings.flatMap(({ refused, toldAfter, isUnderWay }) => (refused === null && !isUnderWay ? [toldAfter] : [])),
    ),
  };
}

/** The median of the values; 0 if there are none. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
