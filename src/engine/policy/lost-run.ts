import type { Change } from '../changes';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { entriesOf } from './line';
import type { StatusVerdict } from './statuses';
import { combine, changesOnly, type StepResult } from './step-result';
import { isControl } from './slots';
import { testAgain } from './test-again';
import type { Instant } from '../vocabulary';

/**
 * For each attempt of an entry, at most this many inconclusive runs are started again. The next inconclusive run counts
 * as a failure.
 */
const STARTED_AGAIN_AT_MOST = 2;

/** Whether the entry has used up its restarts after inconclusive runs. */
export function wasLostToTheEnd({ timesLost }: Entry): boolean {
  return timesLost >= STARTED_AGAIN_AT_MOST;
}

/** Whether no required status was ever reported: CI ignored the run, or died. */
export function isSilent(run: TestRun, { missing }: StatusVerdict): boolean {
  return run.requiredStatuses.length > 0 && missing.length === run.requiredStatuses.length;
}

/**
 * Starts an inconclusive run again, in its place and with a new commit. Null if that was done often enough, or the run
 * is a test of the target.
 */
export function startAgain(
  queue: QueueSnapshot,
  run: TestRun,
  names: readonly string[],
  now: Instant,
): StepResult | null {
  // The target is tested to learn whether the tests work. An inconclusive test is an answer, too, so it is not started
  // again.
  if (isControl(queue, run)) return null;
  const entries = entriesOf(queue, run);
  const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? 0] : entries.map((e) => e.timesLost);
  if (Math.max(...lostBefore) >= STARTED_AGAIN_AT_MOST) return null;
  const lost: Change = { type: 'runLost', run: run.number, entryIds: entries.map(({ id }) => id), names };
  return combine(changesOnly(lost), testAgain(queue, run, now));
}
