import type { Instant } from '../../engine/vocabulary';
import type { QueueHistory } from './history';

/** How long things took in a history: the medians, for what did not happen there. */
export interface UsualTimes {
  /** From the order to start a run until the queue heard that it is pushed. */
  readonly start: Instant;
  readonly passed: Instant;
  readonly failed: Instant;
  /** From the order to land until the queue heard that it is done. */
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

/** 0 of none. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
