import type { Change } from '../changes';
import type { PartialLanding, QueueSnapshot, TestRun } from '../model';
import { baseNow, newRun, startOrder } from '../policy/new-run';
import { combine, changesOnly, ended, NOTHING, type StepResult } from '../policy/step-result';
import { pauseForTarget } from '../policy/partial-landing';
import { assertNever, type Instant } from '../vocabulary';

/**
 * After a partial landing the target is tested by a run without entries. The queue starts nothing else before its result.
 * If it is red, the queue pauses itself and says why.
 */
export function testTarget(queue: QueueSnapshot, now: Instant): StepResult {
  const { partialLanding: part } = queue;
  const run = queue.runs.find(({ kind, flow }) => kind === 'target' && flow === undefined);
  if (run === undefined) return part === null ? NOTHING : start(queue, part, now);
  if (part === null || run.base.epoch !== queue.epoch) return ended(run, 'manual_push_to_target_branch');
  switch (run.phase) {
    case 'passed':
      return combine(
        ended(run, 'target_judged'),
        changesOnly({ type: 'partJudged', landing: part.landing, problem: null }),
      );
    case 'failed':
      return combine(ended(run, 'target_judged', run.failure), pauseForTarget(queue, part, problemOf(run)));
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

function start(queue: QueueSnapshot, part: PartialLanding, now: Instant): StepResult {
  const base = baseNow(queue);
  if (queue.state !== 'running' || base === null || part.problem !== null) return NOTHING;
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
