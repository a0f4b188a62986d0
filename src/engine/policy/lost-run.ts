import type { Change } from '../changes';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { entriesOf } from './line';
import type { StatusVerdict } from './statuses';
import { combine, changesOnly, type StepResult } from './step-result';
import { isControl } from './slots';
import { testAgain } from './test-again';
import type { Instant } from '../vocabulary';

/** Of a run that every entry of it may lose in one attempt. The next loss counts as a failure. */
const STARTED_AGAIN_AT_MOST = 2;

/** CI gave no verdict on runs with it as often as one is started again. */
export function wasLostToTheEnd({ timesLost }: Entry): boolean {
  return timesLost >= STARTED_AGAIN_AT_MOST;
}

/** Not one required status was ever reported: CI never took notice of the run, or died. */
export function isSilent(run: TestRun, { missing }: StatusVerdict): boolean {
  return run.requiredStatuses.length > 0 && missing.length === run.requiredStatuses.length;
}

/** Starts a run again that CI gave no verdict on: in its place, with a new commit. Null: that was done often enough. */
export function startAgain(
  queue: QueueSnapshot,
  run: TestRun,
  names: readonly string[],
  now: Instant,
): StepResult | null {
  // The target is tested to learn whether tests work: no verdict is an answer, too.
  if (isControl(queue, run)) return null;
  const entries = entriesOf(queue, run);
  const lostBefore = run.kind === 'target' ? [queue.partialLanding?.timesLost ?? 0] : entries.map((e) => e.timesLost);
  if (Math.max(...lostBefore) >= STARTED_AGAIN_AT_MOST) return null;
  const lost: Change = { type: 'runLost', run: run.number, entryIds: entries.map(({ id }) => id), names };
  return combine(changesOnly(lost), testAgain(queue, run, now));
}
