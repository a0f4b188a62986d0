import type { Change } from '../changes';
import type { PartialLanding, QueueSnapshot } from '../model';
import { changesOnly, type StepResult } from './step-result';

/** Pauses the queue when its own partial landing left the target red. People look at it and set the queue running again. */
export function pauseForTarget(queue: QueueSnapshot, part: PartialLanding, problem: string): StepResult {
  const tested: Change = { type: 'partJudged', landing: part.landing, problem };
  const { state, stateAfterSwitch } = queue;
  if (state === 'paused') return changesOnly(tested);
  const moved: Change =
    state === 'switching_modes'
      ? { type: 'queueMoved', from: state, to: state, stateAfterSwitch: 'paused', actor: null }
      : { type: 'queueMoved', from: state, to: 'paused', stateAfterSwitch, actor: null };
  return changesOnly(tested, moved);
}
