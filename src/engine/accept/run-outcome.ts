import type { Change } from '../changes';
import type { QueueEvent, RunOutcome } from '../events';
import type { QueueSnapshot, TestRun } from '../model';
import { combine, changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { deadlineAfter, type Instant, MINUTE } from '../vocabulary';
import { observed } from './observation';

type RunPushed = Extract<RunOutcome, { type: 'runPushed' }>;
type TestingBranchMoved = Extract<QueueEvent, { type: 'testingBranchMoved' }>;
type CiSeen = Extract<QueueEvent, { type: 'ciSeen' }>;
type RunResultKnown = Extract<RunOutcome, { type: 'runResultKnown' }>;

/** Ignores a run that was given up meanwhile: the command that stops the run removes its branch. */
export function pushRun(queue: QueueSnapshot, event: RunPushed): StepResult {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  if (run === null) return seen;
  const { branch, commit, tree, requiredStatuses, source, pins = [], dropped, at } = event;
  const deadline = deadlineAfter(at, run.timeoutMinutes * MINUTE);
  const pushed: Change = {
    type: 'runPushed',
    run: run.number,
    branch,
    commit,
    tree,
    requiredStatuses,
    source,
    pins,
    ...(dropped && { dropped }),
    pushedAt: at,
    deadline,
  };
  return combine(seen, changesOnly(pushed));
}

/** The note only explains to people why CI may be silent: reports on the run's commit still count. */
export function noteMovedBranch(queue: QueueSnapshot, { commit, moved }: TestingBranchMoved): StepResult {
  const run = queue.runs.find((other) => other.commit === commit && other.phase === 'testing');
  return run === undefined || moved.commit === commit
    ? NOTHING
    : changesOnly({ type: 'runBranchMoved', run: run.number, moved });
}

/** Records the end of CI for the commit once, until CI begins another run for it. */
export function noteCi(queue: QueueSnapshot, { commit, end }: CiSeen): StepResult {
  const run = queue.runs.find((other) => other.commit === commit && other.phase === 'testing');
  if (run === undefined || run.ciEnd?.runs === end?.runs) return NOTHING;
  return changesOnly({ type: 'runCiSeen', run: run.number, end });
}

/** Takes the result of an earlier run with the same tree and statuses: no branch was pushed for this run. */
export function reuseResult(queue: QueueSnapshot, event: RunResultKnown, now: Instant): StepResult {
  const seen = observed(queue, event.seen);
  const run = buildingRun(queue, event.run);
  if (run === null) return seen;
  const { commit, tree, requiredStatuses, source, pins = [], red } = event;
  const known: Change = { type: 'runResultReused', run: run.number, commit, tree, requiredStatuses, source, pins };
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
  return combine(seen, changesOnly(known, verdict));
}

/** Null for a run that was given up meanwhile: its outcome is ignored. */
export function buildingRun(queue: QueueSnapshot, number: number): TestRun | null {
  const run = queue.runs.find((other) => other.number === number);
  return run?.phase === 'building' ? run : null;
}
