import type { QueueSnapshot, TestRun } from '../model';
import { entriesOf, lineOf, sameChange } from '../policy/line';
import { changesOnly, moved, NOTHING, type Outcome } from '../policy/outcome';
import { hasPassed, statusesOf } from '../policy/statuses';
import type { Instant } from '../vocabulary';

/** What the reports say of the runs that are tested, and of red ones that nothing was decided on yet. */
export function judgeRuns(queue: QueueSnapshot, now: Instant): Outcome {
  for (const run of queue.runs) {
    const outcome = judgeRun(queue, run, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return NOTHING;
}

function judgeRun(queue: QueueSnapshot, run: TestRun, now: Instant): Outcome {
  if (run.phase !== 'testing' && run.phase !== 'failed') return NOTHING;
  const verdict = statusesOf(queue, run);
  if (hasPassed(run, verdict)) {
    if (run.phase === 'failed' && wasRebuiltWithout(queue, run)) return NOTHING;
    return passed(queue, run, now);
  }
  if (run.phase === 'failed') return NOTHING;
  if (verdict.failed.length > 0)
    return failed(queue, run, { type: 'status', names: verdict.failed, ...termsOf(queue) }, now);
  if (isOverdue(queue, run, now))
    return failed(
      queue,
      run,
      { type: 'timeout', missing: [...verdict.missing, ...verdict.running], ...termsOf(queue) },
      now,
    );
  return NOTHING;
}

/** A run keeps the depth under which it failed. */
function termsOf(queue: QueueSnapshot): { readonly depth: number; readonly reused: false } {
  return { depth: queue.settings.pendingFailureDepth, reused: false };
}

/** While the host is silent its reports may only be late: no time-out is judged before they were read. */
function isOverdue(queue: QueueSnapshot, run: TestRun, now: Instant): boolean {
  return run.deadline !== null && now >= run.deadline && queue.hostSilentSince === null;
}

/** A later report turns a failure into a pass only while nothing was built on the belief that it failed. */
function wasRebuiltWithout(queue: QueueSnapshot, run: TestRun): boolean {
  const line = lineOf(queue);
  const at = line.findIndex((group) => group.run?.number === run.number);
  return line.slice(at + 1).some(({ run: behind }) => behind !== null && !isBuiltOn(behind, run));
}

function isBuiltOn(run: TestRun, ahead: TestRun): boolean {
  return ahead.own.every((change) => run.builtOn.some((other) => sameChange(other, change)));
}

function passed(queue: QueueSnapshot, run: TestRun, now: Instant): Outcome {
  const moves = entriesOf(queue, run).map((entry) =>
    moved(entry, 'tests_passed', 'test_run_passed', now, { run: run.number }),
  );
  return changesOnly({ type: 'runPassed', run: run.number, kind: run.kind, at: now }, ...moves);
}

function failed(queue: QueueSnapshot, run: TestRun, failure: NonNullable<TestRun['failure']>, now: Instant): Outcome {
  const moves = entriesOf(queue, run).map((entry) => moved(entry, 'pending_failure', null, now, { run: run.number }));
  return changesOnly({ type: 'runFailed', run: run.number, kind: run.kind, failure, at: now }, ...moves);
}
