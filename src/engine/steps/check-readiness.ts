import type { Change } from '../changes';
import type { Entry, QueueSnapshot } from '../model';
import { runHolding } from '../policy/line';
import { combine, changesOnly, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { fitsQueue, isReady } from '../policy/readiness';
import { mergeDirectly } from './merge-directly';
import { releaseMembers } from './release-members';
import { HOUR, type Instant, deadlineAfter } from '../vocabulary';

/** Moves a `not_ready` entry to `pending` when it meets all conditions, and cancels it when that takes too long. */
export function checkReadiness(queue: QueueSnapshot, now: Instant): StepResult {
  for (const entry of queue.entries) {
    const outcome = checkEntry(queue, entry, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return NOTHING;
}

function checkEntry(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  if (entry.state !== 'not_ready') return NOTHING;
  if (isReady(queue, entry)) {
    const held = runHolding(queue, entry);
    if (held?.phase === 'passed')
      return changesOnly(
        moved(entry, 'tests_passed', 'test_run_passed', now, { run: held.number }),
        ...markChecked(queue, entry),
      );
    const ready = changesOnly(moved(entry, 'pending', 'merge_item_now_ready', now), ...markChecked(queue, entry));
    return entry.firstPendingAt === null ? combine(ready, mergeDirectly(queue, entry, now)) : ready;
  }
  if (now >= notReadyDeadline(queue, entry))
    return combine(
      releaseMembers(queue, entry, 'prerequisite_merge_item_cancelled', now),
      changesOnly(moved(entry, 'cancelled', 'not_ready_timeout_expired', now), ...outOfLine([entry])),
    );
  return changesOnly(...markChecked(queue, entry));
}

export function notReadyDeadline(queue: QueueSnapshot, entry: Entry): Instant {
  return deadlineAfter(entry.notReadySince ?? entry.submittedAt, queue.settings.notReadyTimeoutHours * HOUR);
}

/** A new mode has other conditions, so waiting entries are checked again. Runs under test continue. */
export function recheckPending(queue: QueueSnapshot, now: Instant): StepResult {
  const stale = queue.entries.filter(
    (entry) => entry.state === 'pending' && entry.evaluatedMode !== queue.mode && isOnlyWaiting(queue, entry),
  );
  return changesOnly(...stale.flatMap((entry) => [...markChecked(queue, entry), ...lostReadiness(queue, entry, now)]));
}

function isOnlyWaiting(queue: QueueSnapshot, entry: Entry): boolean {
  return entry.search === null && runHolding(queue, entry) === null;
}

/** Makes an entry not ready. It loses its place in the line, but keeps its order of submission. */
function lostReadiness(queue: QueueSnapshot, entry: Entry, now: Instant): readonly Change[] {
  if (fitsQueue(queue, entry)) return [];
  return [moved(entry, 'not_ready', 'readiness_lost', now), ...outOfLine([entry])];
}

function markChecked(queue: QueueSnapshot, entry: Entry): readonly Change[] {
  return entry.evaluatedMode === queue.mode ? [] : [{ type: 'entryEvaluated', entryId: entry.id, mode: queue.mode }];
}
