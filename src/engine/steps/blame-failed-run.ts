import type { Conflict, Entry, QueueSnapshot, RunFailure, TestRun } from '../model';
import { isOnTarget, lineOf } from '../policy/line';
import { both, changesOnly, ended, moved, NOTHING, type Outcome, outOfLine } from '../policy/outcome';
import type { FailedReason, Instant } from '../vocabulary';

/**
 * A run whose base is the target has nobody else to blame: neither for a red test nor for a conflict, because what it
 * conflicted with is on the target now.
 */
export function blameFailedRun(queue: QueueSnapshot, now: Instant): Outcome {
  for (const { run, entries } of lineOf(queue)) {
    if (run === null || !isOnTarget(queue, run)) continue;
    if (run.phase === 'failed' && run.failure) return blameForTests(run, run.failure, entries, now);
    if (run.phase === 'conflicted' && run.conflict) return blameForConflict(queue, run, run.conflict, entries, now);
  }
  return NOTHING;
}

function blameForTests(run: TestRun, failure: RunFailure, entries: readonly Entry[], now: Instant): Outcome {
  const told = { run: run.number, details: detailsOf(failure) };
  const moves = entries.map((entry) => moved(entry, 'failed', reasonOf(failure), now, told));
  return both(ended(run, 'blamed', failure), changesOnly(...moves, ...outOfLine(entries)));
}

function blameForConflict(
  queue: QueueSnapshot,
  run: TestRun,
  conflict: Conflict,
  entries: readonly Entry[],
  now: Instant,
): Outcome {
  const details = `conflicts with #${conflict.with}, now on ${queue.branch}, in ${conflict.files.join(', ')}`;
  const moves = entries.map((entry) => moved(entry, 'failed', 'start_test_run_merge_conflict', now, { details }));
  return both(ended(run, 'blamed'), changesOnly(...moves, ...outOfLine(entries)));
}

function reasonOf(failure: RunFailure): FailedReason {
  return failure.type === 'timeout' ? 'test_run_timeout' : 'test_run_required_status_failed';
}

function detailsOf(failure: RunFailure): string {
  return failure.type === 'timeout'
    ? `not reported in time: ${failure.missing.join(', ')}`
    : `failed: ${failure.names.join(', ')}`;
}
