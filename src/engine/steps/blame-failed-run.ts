import type { QueueSnapshot, RunFailure } from '../model';
import { type Group, isOnTarget, lineOf } from '../policy/line';
import { both, changesOnly, ended, moved, NOTHING, type Outcome, outOfLine } from '../policy/outcome';
import type { FailedReason, Instant } from '../vocabulary';

/** A red run whose base is the target has nobody else to blame. */
export function blameFailedRun(queue: QueueSnapshot, now: Instant): Outcome {
  const group = lineOf(queue).find(({ run }) => run?.phase === 'failed' && isOnTarget(queue, run));
  return group ? blame(group, now) : NOTHING;
}

function blame(group: Group, now: Instant): Outcome {
  const { run, entries } = group;
  if (run?.failure == null) return NOTHING;
  const { failure } = run;
  const moves = entries.map((entry) =>
    moved(entry, 'failed', reasonOf(failure), now, { run: run.number, details: detailsOf(failure) }),
  );
  return both(ended(run, 'blamed', failure), changesOnly(...moves, ...outOfLine(entries)));
}

function reasonOf(failure: RunFailure): FailedReason {
  return failure.type === 'timeout' ? 'test_run_timeout' : 'test_run_required_status_failed';
}

function detailsOf(failure: RunFailure): string {
  return failure.type === 'timeout'
    ? `not reported in time: ${failure.missing.join(', ')}`
    : `failed: ${failure.names.join(', ')}`;
}
