import type { Change } from '../changes';
import type { NotStarted, RunOutcome } from '../events';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { entriesOf } from '../policy/line';
import { both, changesOnly, ended, moved, type Outcome, outOfLine } from '../policy/outcome';
import { assertNever, type FailedReason, type Instant, MINUTE, SECOND, deadlineAfter } from '../vocabulary';
import { observed } from './observation';
import { seeTarget } from './target';

type RunPushed = Extract<RunOutcome, { type: 'runPushed' }>;
type RunResultKnown = Extract<RunOutcome, { type: 'runResultKnown' }>;
type RunNotStarted = Extract<RunOutcome, { type: 'runNotStarted' }>;

/** An outcome of a run that was given up meanwhile is nobody's; its branch goes with its stop. */
export function pushRun(queue: QueueSnapshot, event: RunPushed): Outcome {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  if (run === null) return seen;
  const { branch, commit, tree, requiredStatuses, source, at } = event;
  const deadline = deadlineAfter(at, run.timeoutMinutes * MINUTE);
  const pushed: Change = {
    type: 'runPushed',
    run: run.number,
    branch,
    commit,
    tree,
    requiredStatuses,
    source,
    pushedAt: at,
    deadline,
  };
  const moves = entriesOf(queue, run).map((entry) => moved(entry, 'testing', null, at, { run: run.number }));
  return both(seen, changesOnly(pushed, ...moves));
}

/** Nothing was pushed: an earlier run of this very tree and these statuses says what this one would have said. */
export function reuseResult(queue: QueueSnapshot, event: RunResultKnown, now: Instant): Outcome {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  if (run === null) return seen;
  const { commit, tree, requiredStatuses, source, red } = event;
  const known: Change = { type: 'runResultReused', run: run.number, commit, tree, requiredStatuses, source };
  const depth = queue.settings.pendingFailureDepth;
  const verdict: Change =
    red.length === 0
      ? { type: 'runPassed', run: run.number, kind: run.kind, at: now }
      : {
          type: 'runFailed',
          run: run.number,
          kind: run.kind,
          failure: { type: 'status', names: red, depth, reused: true },
          at: now,
        };
  return both(seen, changesOnly(known, verdict));
}

export function refuseRun(queue: QueueSnapshot, event: RunNotStarted, now: Instant): Outcome {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  return run === null ? seen : both(seen, refused(queue, run, event.because, now));
}

function refused(queue: QueueSnapshot, run: TestRun, because: NotStarted, now: Instant): Outcome {
  switch (because.type) {
    case 'conflict':
      return conflicting(queue, run, because, now);
    case 'mergeability_unknown':
      return both(ended(run, 'start_refused'), askAgain(queue, because.numbers, now));
    case 'not_mergeable':
      return both(ended(run, 'readiness_lost'), ...named(queue, run, because.numbers).map((entry) => lost(entry, now)));
    case 'target_moved':
      return both(ended(run, 'start_refused'), seeTarget(queue, because.tip, because.seenAt));
    case 'pull_request_changed':
    case 'base_gone':
      return ended(run, 'start_refused');
    case 'refused':
      return both(
        ended(run, because.reason),
        ...entriesOf(queue, run).map((e) => fails(e, because.reason, because.details, now)),
      );
    default:
      return assertNever(because);
  }
}

type ConflictFound = Extract<NotStarted, { type: 'conflict' }>;

/** With the target: nobody ahead can mend it. With what is ahead: it waits for that to land or leave. */
function conflicting(queue: QueueSnapshot, run: TestRun, found: ConflictFound, now: Instant): Outcome {
  const entry = entriesOf(queue, run).find((own) => own.number === found.number);
  if (entry === undefined) return ended(run, 'start_refused');
  const ahead = run.builtOn.find((change) => change.number === found.with);
  if (ahead)
    return changesOnly({
      type: 'runConflicted',
      run: run.number,
      conflict: { with: ahead.number, files: found.files },
    });
  const details = `conflicts with ${queue.branch} in ${found.files.join(', ')}`;
  return both(ended(run, 'start_test_run_merge_conflict'), fails(entry, 'start_test_run_merge_conflict', details, now));
}

function fails(entry: Entry, because: FailedReason, details: string, now: Instant): Outcome {
  return changesOnly(moved(entry, 'failed', because, now, { details }), ...outOfLine([entry]));
}

function lost(entry: Entry, now: Instant): Outcome {
  return changesOnly(moved(entry, 'not_ready', 'readiness_lost', now), ...outOfLine([entry]));
}

const FIRST_ASK_AGAIN = 5 * SECOND;
const LAST_ASK_AGAIN = 5 * MINUTE;

/** The host is still working it out: the entry steps out of the line, keeps its turn, and is asked about later. */
function askAgain(queue: QueueSnapshot, numbers: readonly number[], now: Instant): Outcome {
  const entries = queue.entries.filter((entry) => numbers.includes(entry.number) && entry.state === 'pending');
  const asked = entries.map((entry): Change => {
    const wait = Math.min(FIRST_ASK_AGAIN * 2 ** entry.timesAsked, LAST_ASK_AGAIN);
    return { type: 'readinessAsked', entryId: entry.id, askAgainAt: now + wait, timesAsked: entry.timesAsked + 1 };
  });
  return changesOnly(...asked, ...outOfLine(entries));
}

function buildingRun(queue: QueueSnapshot, number: number): TestRun | null {
  const run = queue.runs.find((other) => other.number === number);
  return run?.phase === 'building' ? run : null;
}

function named(queue: QueueSnapshot, run: TestRun, numbers: readonly number[]): readonly Entry[] {
  return entriesOf(queue, run).filter((entry) => numbers.includes(entry.number));
}
