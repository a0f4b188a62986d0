import type { Change } from '../changes';
import type { PartialLanding, QueueSnapshot } from '../model';
import { wrongContent } from '../wording/words';
import { changesOnly, combine, type StepResult } from './step-result';

/**
 * Pauses the queue because its own partial landing made the target fail. People fix the target and set the queue to
 * running.
 */
export function pauseForTarget(queue: QueueSnapshot, part: PartialLanding, problem: string): StepResult {
  return paused(queue, { type: 'partEvaluated', landing: part.landing, problem });
}

type WrongLanding = Required<Pick<PartialLanding, 'landing' | 'landed' | 'wrongTrees'>>;

/** Pauses the queue because the host wrote other content than the pull requests have. People correct the target. */
export function pauseForWrongTrees(queue: QueueSnapshot, { landing, landed, wrongTrees }: WrongLanding): StepResult {
  const why = wrongContent(queue, wrongTrees);
  const landedSo: Change = { type: 'partLanded', part: { landing, landed, why, problem: null, wrongTrees } };
  return combine(
    changesOnly(landedSo),
    paused(queue, { type: 'partEvaluated', landing, problem: why, isWrongTree: true }),
  );
}

function paused(queue: QueueSnapshot, tested: Change): StepResult {
  const { state, stateAfterSwitch } = queue;
  if (state === 'paused') return changesOnly(tested);
  const moved: Change =
    state === 'switching_modes'
      ? { type: 'queueMoved', from: state, to: state, stateAfterSwitch: 'paused', actor: null }
      : { type: 'queueMoved', from: state, to: 'paused', stateAfterSwitch, actor: null };
  return changesOnly(tested, moved);
}
