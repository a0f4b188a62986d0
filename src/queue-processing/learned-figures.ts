import { figuresOf } from '../engine/flow/chances';
import { FLOW_AT_START } from '../engine/flow/state';
import type { Queue } from '../generated/prisma/client';
import { readFlowState } from './store/read-flow';

/** What a queue has learned of its tests, for people; undefined: it is scheduled in order, and learns nothing. */
export function learnedFiguresOf(queue: Queue): ReturnType<typeof figuresOf> | undefined {
  return queue.scheduling === 'flow' ? figuresOf(readFlowState(queue.flow ?? FLOW_AT_START, queue)) : undefined;
}
