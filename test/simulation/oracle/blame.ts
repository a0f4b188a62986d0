import { rememberBlamed } from './flakes';
import { ahead, dependedOn, isBuiltOn, isFull, isOnTarget, isProven, noteRed } from './lanes';
import { testAgain } from './line';
import type { LineRun } from './model';
import { mayStartTests, type OracleQueue } from './queue';
import { beginSearch } from './search';
import { judgeAlone } from './verdict';

/**
 * Handles a failed run on the target, whose failure no other entry can explain: a single entry fails, and a batch is
 * bisected. If the run lacked a change that has landed next to its base since then, the run is tested again first.
 */
export function blameRuns(queue: OracleQueue): boolean {
  const run = queue.line.find((other) => isToBlame(queue, other));
  if (run === undefined) return false;
  if (!isFull(queue, run)) {
    if (run.phase === 'failed') noteRed(queue, run);
    testAgain(queue, run);
    return true;
  }
  const [only, ...others] = run.entries;
  if (run.phase === 'failed') rememberBlamed(queue, run);
  if (only === undefined || others.length > 0) {
    beginSearch(queue, run);
    return true;
  }
  queue.line = queue.line.filter((other) => other !== run);
  if (run.phase === 'conflicted') queue.fail(only, 'conflict');
  else judgeAlone(queue, only, run.redMoment);
  return true;
}

function isToBlame(queue: OracleQueue, run: LineRun): boolean {
  if (run.phase === 'conflicted') return isOnTarget(queue, run);
  if (run.phase !== 'failed' || !isOnTarget(queue, run) || isProven(queue, run)) return false;
  return !isFull(queue, run) || hasWaited(queue, run);
}

/**
 * Whether the run has waited as long as the pending failure depth demands. The wait ends when enough pull requests on
 * top of the run have results, or when no more of them can get a result.
 */
function hasWaited(queue: OracleQueue, run: LineRun): boolean {
  if (run.failedUnderDepth === 0) return true;
  const behind = queue.line.slice(queue.line.indexOf(run) + 1);
  const built = behind.filter((other) => other.phase !== 'queued' && isBuiltOn(other, run));
  const finished = built.filter((other) => other.phase === 'passed' || other.phase === 'failed');
  if (finished.flatMap((other) => other.entries).length >= run.failedUnderDepth) return true;
  if (built.some((other) => other.phase === 'testing' || other.phase === 'building')) return false;
  return !mayStartTests(queue) || !couldMoreStart(queue, run, behind);
}

/** Whether more runs may start on top of this run, with entries already behind it or with waiting entries. */
function couldMoreStart(queue: OracleQueue, run: LineRun, behind: readonly LineRun[]): boolean {
  if (behind.some((other) => other.phase === 'queued' && ahead(queue, other).includes(run))) return true;
  const waiting = [...queue.entries.values()].filter((entry) => entry.where === 'waiting');
  return waiting.some((entry) => dependedOn(queue, entry.targets, queue.line.length).includes(run));
}
