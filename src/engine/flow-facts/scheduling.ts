import type { Entry, QueueSnapshot } from '../model';
import type { Scheduling } from '../vocabulary';
import { FLOW_AT_START, type FlowStanding, type FlowState, JUST_WAITING } from '../flow-state';

/** The scheduling in force. The one that the settings name comes into force when nothing is in flight any more. */
export function schedulingOf({ settings, flow }: QueueSnapshot): Scheduling {
  return flow?.switchingFrom ?? settings.scheduling ?? 'in_order';
}

export function isFlow(queue: QueueSnapshot): boolean {
  return schedulingOf(queue) === 'flow';
}

/** What the queue is on its way to; null: no switch of scheduling is under way. */
export function requestedScheduling({ settings, flow }: QueueSnapshot): Scheduling | null {
  return flow?.switchingFrom === undefined ? null : (settings.scheduling ?? 'in_order');
}

export function flowOf({ flow }: Pick<QueueSnapshot, 'flow'>): FlowState {
  return flow ?? FLOW_AT_START;
}

export function standingOf({ flow }: Entry): FlowStanding {
  return flow ?? JUST_WAITING;
}

/** It only waits: no run has it, and it is neither a suspect nor passed. So it may stand outside the snapshot. */
export function isOutsideFlow({ flow }: Entry): boolean {
  return flow === undefined || (flow.at === 'waiting' && flow.run === null);
}

/** An urgent one that was red on what may still be tested. It takes the place of nobody who could start meanwhile. */
export function mayWaitForHopes(entry: Entry): boolean {
  return isOutsideFlow(entry) && standingOf(entry).until.length > 0;
}
