import type { QueueSnapshot, TestRun } from '../model';
import { flowOf } from './scheduling';

/** More failures than this between two passes are a likely outage. */
export const OUTAGE_FROM = 4;

/** Number of failures in a streak; 0 for a forgotten one. */
export function redsIn(queue: QueueSnapshot, streak: number): number {
  return flowOf(queue).redsIn.find((other) => other.streak === streak)?.reds ?? 0;
}

/** The streak of a failed result. A test that began in an outage and ends after it failed for the same reason. */
export function streakOf(queue: QueueSnapshot, { flow }: TestRun): number {
  const began = flow?.streak;
  return began !== undefined && redsIn(queue, began) >= OUTAGE_FROM ? began : flowOf(queue).streak;
}
