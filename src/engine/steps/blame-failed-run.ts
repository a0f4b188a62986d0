import { inConflict } from '../wording/words';
import type { Conflict, CulpritSearch, Entry, QueueSnapshot, RunFailure, TestRun } from '../model';
import { isFullOnTarget, isOnTarget } from '../policy/base';
import { distrustedUntil } from '../policy/assumed-to-pass';
import { failForTests } from '../policy/blame';
import { isDepthSettled } from '../policy/failure-depth';
import { queuedHeadOf, lineOf } from '../policy/line';
import { firstStage } from '../policy/narrow-search';
import { baseNow } from '../policy/new-run';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { proofOf } from '../policy/proof';
import { testAgain } from '../policy/test-again';
import { redAloneFound, verdictOn, withRed } from '../policy/verdict';
import type { Instant } from '../vocabulary';

const LACKED = 'failed, but the test did not include other pull requests that have merged since it started';

/**
 * Blames a failed run whose base is the present target: the run itself is the cause. The same holds for a conflict with
 * a pull request that is on the target. With a failure depth, the run first waits for the runs behind it. In parallel
 * mode, a run that lacks a landed change that may matter is tested again on the present target.
 */
export function blameFailedRun(queue: QueueSnapshot, now: Instant): StepResult {
  for (const group of lineOf(queue)) {
    const { run, entries } = group;
    if (run === null || !isOnTarget(queue, run)) continue;
    const isConflicted = run.phase === 'conflicted' && run.conflict !== null;
    if (!isConflicted && (run.phase !== 'failed' || proofOf(queue, group) !== null)) continue;
    if (!isFullOnTarget(queue, run)) return testInFull(queue, run, entries, now);
    if (isConflicted) return blameForConflict(queue, run, run.conflict, entries, now);
    if (run.failure === null || !isDepthSettled(queue, group, run.failure.depth, now)) continue;
    return blameForTests(queue, run, run.failure, entries, now);
  }
  return NOTHING;
}

/**
 * Tests the run again on the present target. The entries of the run failed, so in parallel mode no run is built on them
 * meanwhile.
 */
function testInFull(queue: QueueSnapshot, run: TestRun, entries: readonly Entry[], now: Instant): StepResult {
  const red = run.phase === 'failed' ? entries : [];
  const concluded = distrustedUntil(queue);
  const distrusted = red.map(({ id: entryId }) => ({ type: 'redRunRebuilt', entryId, concluded }) as const);
  return combine(changesOnly(...distrusted), testAgain(queue, run, now, LACKED));
}

function blameForTests(
  queue: QueueSnapshot,
  run: TestRun,
  failure: RunFailure,
  entries: readonly Entry[],
  now: Instant,
): StepResult {
  const [only] = entries;
  if (only && entries.length === 1)
    return combine(ended(run, 'blamed', failure), blameOne(queue, run.number, failure, only, now));
  return combine(ended(run, 'blamed', failure), searchCulprit(queue, entries, now));
}

/**
 * Fails an entry that failed in isolation on the target. If the failure does not count yet, the line continues without
 * the entry, which is tested in isolation outside the line.
 */
function blameOne(queue: QueueSnapshot, run: number, failure: RunFailure, entry: Entry, now: Instant): StepResult {
  const alone = withRed(queue, undefined, run, failure);
  const red = changesOnly(...redAloneFound(entry, alone, failure));
  if (verdictOn(queue, entry, alone, failure) === 'fails') return combine(red, failForTests(entry, run, failure, now));
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const search: CulpritSearch = {
    number: queue.nextSearch,
    stage: 'culprit',
    base,
    members: [queuedHeadOf(entry)],
    results: [{ length: 1, run, verdict: 'failed', failure }],
    failedSize: 1,
    culpritOrder: queue.nextOrder,
    alone,
  };
  return combine(red, changesOnly({ type: 'searchStarted', search }));
}

/** Starts a bisection of these entries. The line continues without them at once. */
function searchCulprit(queue: QueueSnapshot, entries: readonly Entry[], now: Instant): StepResult {
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const search: CulpritSearch = {
    number: queue.nextSearch,
    stage: firstStage(queue),
    base,
    members: entries.map(queuedHeadOf),
    results: [],
    failedSize: entries.length,
    culpritOrder: 0,
  };
  const moves = entries.map((entry) => moved(entry, 'pending', 'bisection_required', now));
  return changesOnly(...moves, { type: 'searchStarted', search });
}

function blameForConflict(
  queue: QueueSnapshot,
  run: TestRun,
  conflict: Conflict,
  entries: readonly Entry[],
  now: Instant,
): StepResult {
  // If the host merged the other pull request, the conflict may only come from that merge of a contained head or of a
  // lower layer of the stack. The entries are tested again, and the next start shows whether the conflict is real.
  const stackOfOther = queue.entries.find(({ number }) => number === conflict.with)?.pullRequest.stack?.number;
  const isNeeded = ({ needs = [], pullRequest }: Entry): boolean =>
    needs.some(({ number, head }) => number === conflict.with && head !== null) ||
    (pullRequest.stack !== undefined && pullRequest.stack.number === stackOfOther);
  if (entries.some(isNeeded)) return testAgain(queue, run, now);
  const files = inConflict(conflict);
  const details = `conflicts with #${conflict.with}, now on ${queue.branch}${files && `,${files}`}`;
  const moves = entries.map((entry) => moved(entry, 'failed', 'start_test_run_merge_conflict', now, { details }));
  return combine(ended(run, 'blamed'), changesOnly(...moves, ...outOfLine(entries)));
}
