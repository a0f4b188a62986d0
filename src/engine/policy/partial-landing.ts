import type { Change } from '../changes';
import type { PartialLanding, QueueSnapshot } from '../model';
import { changesOnly, type StepResult } from './step-result';

/** Nobody builds on a target that is red by the queue's own doing: people look at it first, and set the queue running. */
export function pauseForTarget(queue: QueueSnapshot, part: PartialLanding, problem: string): StepResult {
  const judged: Change = { type: 'partJudged', landing: part.landing, problem };
  const { state, stateAfterSwitch } = queue;
  if (state === 'paused') return changesOnly(judged);
  const moved: Change =
    state === 'switching_modes'
      ? { type: 'queueMoved', from: state, to: state, stateAfterSwitch: 'paused', actor: null }
      : { type: 'queueMoved', from: state, to: 'paused', stateAfterSwitch, actor: null };
  return changesOnly(judged, moved);
}
