import type { Entry, QueueSnapshot } from '../model';
import type { Scheduling } from '../vocabulary';
import { FLOW_AT_START, type FlowStanding, type FlowState, JUST_WAITING } from '../flow-state';

/** The scheduling in force. A new scheduling in the settings comes into force when nothing is in flight any more. */
export function schedulingOf({ settings, flow }: QueueSnapshot): Scheduling {
  return flow?.switchingFrom ?? settings.scheduling ?? 'in_order';
}

export function isFlow(queue: QueueSnapshot): boolean {
  return schedulingOf(queue) === 'flow';
}

/** The scheduling to which the queue is switching; null: no switch of scheduling is under way. */
export function requestedScheduling({ settings, flow }: QueueSnapshot): Scheduling | null {
  return flow?.switchingFrom === undefined ? null : (settings.scheduling ?? 'in_order');
}

export function flowOf({ flow }: Pick<QueueSnapshot, 'flow'>): FlowState {
  return flow ?? FLOW_AT_START;
}

export function standingOf({ flow }: Entry): FlowStanding {
  return flow ?? JUST_WAITING;
}

/**
 * Whether the entry only waits: it is in no run, no suspect, and has not passed. The snapshot may leave out an entry
 * that only waits.
 */
export function isOutsideFlow({ flow }: Entry): boolean {
  return flow === undefined || (flow.at === 'waiting' && flow.run === null);
}

/**
 * Whether the entry is an urgent entry that failed on an undecided base. While that base is undecided, the entry takes
 * no slot from entries that could start.
 */
export function mayWaitForSpeculation(entry: Entry): boolean {
  return isOutsideFlow(entry) && standingOf(entry).until.length > 0;
}
