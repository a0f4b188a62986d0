import type { QueueSnapshot, TestRun } from '../model';
import { flowOf } from './scheduling';

/** This many failures or more between two passes are a likely outage. */
export const OUTAGE_FROM = 4;

/** The number of failures in a streak; 0 if the streak is no longer kept. */
export function redsIn(queue: QueueSnapshot, streak: number): number {
  return flowOf(queue).redsIn.find((other) => other.streak === streak)?.reds ?? 0;
}

/**
 * The streak of a failed result. A test that began in an outage and fails after the outage belongs to the streak of the
 * outage.
 */
export function streakOf(queue: QueueSnapshot, { flow }: TestRun): number {
  const began = flow?.streak;
  return began !== undefined && redsIn(queue, began) >= OUTAGE_FROM ? began : flowOf(queue).streak;
}
