import type { Change } from '../changes';
import { flowOf } from '../flow-facts/scheduling';
import type { PartialLanding, QueueSnapshot, TestRun } from '../model';
import { controlDueAt } from '../policy/control';
import { baseNow, newRun, startOrder } from '../policy/new-run';
import { combine, changesOnly, ended, NOTHING, type StepResult } from '../policy/step-result';
import { pauseForTarget } from '../policy/partial-landing';
import { entriesAwaitingWord } from '../policy/verdict';
import { assertNever, type Instant } from '../vocabulary';

/**
 * Tests the target with a run without entries: after a partial landing, and in sequential scheduling to learn whether
 * the tests work.
 */
export function testTarget(queue: QueueSnapshot, now: Instant): StepResult {
  const { partialLanding: part } = queue;
  const run = runOfTarget(queue);
  if (run === undefined) return isTestOfPartDue(queue) ? start(queue, now) : NOTHING;
  const isOfPart = part !== null && run.base.landedSeq === queue.landedSeq;
  if (run.base.epoch !== queue.epoch) return ended(run, 'manual_push_to_target_branch');
  if (part !== null && !isOfPart) return ended(run, 'rebuild_required');
  if (part === null && isAnswered(queue, run)) return ended(run, 'search_answered');
  switch (run.phase) {
    case 'passed':
      return combine(ended(run, 'target_judged'), part === null ? NOTHING : partIsGood(part));
    case 'failed':
      return combine(
        ended(run, 'target_judged', run.failure),
        part === null ? NOTHING : pauseForTarget(queue, part, problemOf(run)),
      );
    case 'building':
    case 'testing':
    case 'conflicted':
    case 'landing':
    case 'ended':
      return NOTHING;
    default:
      return assertNever(run.phase);
  }
}

/**
 * Starts a test of the target to learn whether the tests work, when an entry failed in isolation on the target and no
 * test has passed since. The step stands behind `startNextRun`, because a test of the line may give the same answer.
 */
export function askTarget(queue: QueueSnapshot, now: Instant): StepResult {
  if (runOfTarget(queue) !== undefined) return NOTHING;
  const dueAt = controlDueAt(queue, now);
  return dueAt !== null && dueAt <= now ? start(queue, now) : NOTHING;
}

function runOfTarget({ runs }: QueueSnapshot): TestRun | undefined {
  return runs.find(({ kind, flow }) => kind === 'target' && flow === undefined);
}

/**
 * Whether the test of the target is not needed any more, because no entry waits for its result and the target is not
 * known to fail.
 */
function isAnswered(queue: QueueSnapshot, { phase }: TestRun): boolean {
  if (phase !== 'building' && phase !== 'testing') return false;
  return flowOf(queue).redTarget === null && entriesAwaitingWord(queue).length === 0;
}

function partIsGood({ landing }: PartialLanding): StepResult {
  return changesOnly({ type: 'partEvaluated', landing, problem: null });
}

/**
 * Whether the target is to be tested after a partial landing. The queue starts nothing else before that result. If the
 * target fails, the queue pauses itself and says why.
 */
function isTestOfPartDue({ partialLanding: part, state }: QueueSnapshot): boolean {
  return part !== null && state === 'running' && part.problem === null;
}

function start(queue: QueueSnapshot, now: Instant): StepResult {
  const base = baseNow(queue);
  if (base === null) return NOTHING;
  const particulars = { kind: 'target', place: 0, search: null, base, builtOn: [], own: [] } as const;
  const run = newRun(queue, particulars, now);
  const started: Change = { type: 'runStarted', run };
  return { changes: [started], commands: [startOrder(queue, run, now)] };
}

function problemOf({ failure }: TestRun): string {
  if (failure === null) return 'its test failed';
  switch (failure.type) {
    case 'status':
      return `${failure.names.join(', ')} failed`;
    case 'timeout':
      return `${failure.missing.join(', ')} did not report in time`;
    case 'lost':
      return `CI gave up ${failure.names.join(', ')} again and again`;
    default:
      return assertNever(failure);
  }
}
