import type { QueueSnapshot, RunFailure, TestRun } from '../model';
import { droppedAt } from '../policy/dropped';
import { dependenciesOf } from '../policy/lanes';
import { type Group, groupOf, isBuiltOn, isDryRun, lineOf } from '../policy/line';
import { isSilent, startAgain } from '../policy/lost-run';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { neverReported } from '../policy/never-reported';
import { isProven } from '../policy/proof';
import { hasPassed, type StatusVerdict, statusesOf } from '../policy/statuses';
import { suspectRun } from '../policy/suspect-run';
import { maySomethingTimeOut, timesOutAt } from '../policy/time-out';
import type { Instant } from '../vocabulary';

/**
 * Evaluates the reports on runs under test, and on failed runs that are not decided yet. An inconclusive run is started
 * again, unless one of its statuses failed. A run in which only known flaky tests failed is started again, too.
 */
export function evaluateRuns(queue: QueueSnapshot, now: Instant): StepResult {
  for (const run of queue.runs) {
    const outcome = evaluateRun(queue, run, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return NOTHING;
}

function evaluateRun(queue: QueueSnapshot, run: TestRun, now: Instant): StepResult {
  if (run.phase !== 'testing' && run.phase !== 'failed') return NOTHING;
  const verdict = statusesOf(queue, run);
  if (hasPassed(run, verdict)) {
    if (run.phase === 'failed' && wasRebuiltWithout(queue, run)) return NOTHING;
    return changesOnly({ type: 'runPassed', run: run.number, kind: run.kind, at: now });
  }
  if (run.phase === 'failed' || isProven(queue, run)) return NOTHING;
  // A failed run keeps the failure depth that was set when it failed.
  const terms = { depth: queue.settings.pendingFailureDepth, reused: false };
  if (verdict.failed.length > 0)
    return suspectRun(queue, run, now) ?? failed(run, { type: 'status', names: verdict.failed, ...terms }, now);
  const { lost: names } = verdict;
  if (names.length > 0)
    return startAgain(queue, run, names, now) ?? failed(run, { type: 'lost', names, ...terms }, now);
  return maySomethingTimeOut(queue) ? waitIsOver(queue, run, verdict, now) : NOTHING;
}

/**
 * Fails a run, or starts it again, if its missing statuses will not be reported any more, or were not reported in time.
 */
function waitIsOver(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict, now: Instant): StepResult {
  const { missing, running } = verdict;
  const terms = { depth: queue.settings.pendingFailureDepth, reused: false };
  const gone = droppedAt(queue, run, verdict);
  if (gone !== null && now >= gone)
    return failed(run, { type: 'status', names: missing, isDropped: true, ...terms }, now);
  const unheard = neverReported(queue, run, verdict);
  if (unheard !== null && now >= unheard.at) {
    const { reported: insteadReported, runs } = run.ciEnd!;
    const wasNoticed = runs > 0 || !isSilent(run, verdict);
    const failure = { type: 'status', names: unheard.names, insteadReported, ...terms } as const;
    return (wasNoticed ? null : startAgain(queue, run, [], now)) ?? failed(run, failure, now);
  }
  const overdue = timesOutAt(queue, run);
  if (overdue === null || now < overdue) return NOTHING;
  const again = isSilent(run, verdict) ? startAgain(queue, run, [], now) : null;
  return again ?? failed(run, { type: 'timeout', missing: [...missing, ...running], ...terms }, now);
}

function failed(run: TestRun, failure: RunFailure, now: Instant): StepResult {
  return changesOnly({ type: 'runFailed', run: run.number, kind: run.kind, failure, at: now });
}

/**
 * Whether a later run was rebuilt without this run. Then a later report no longer turns its failure into a pass. A dry
 * run is in no other run.
 */
function wasRebuiltWithout(queue: QueueSnapshot, run: TestRun): boolean {
  const group = groupOf(queue, run);
  if (group !== null && isDryRun(group)) return false;
  const dependsOnIt = (behind: Group): boolean =>
    dependenciesOf(queue, behind).some((ahead) => ahead.run?.number === run.number);
  return lineOf(queue).some((behind) => behind.run !== null && dependsOnIt(behind) && !isBuiltOn(behind.run, run.own));
}
