import type { QueueSnapshot, TestRun } from '../model';
import { flowOf } from './scheduling';

/** More red tests than this between two passes are an outage, as far as anybody can tell. */
export const OUTAGE_FROM = 4;

/** Red tests of a streak; 0 of one that is forgotten. */
export function redsIn(queue: QueueSnapshot, streak: number): number {
  return flowOf(queue).redsIn.find((other) => other.streak === streak)?.reds ?? 0;
}

/** The streak that a red result belongs to. What began in an outage and ends after it was red for the same reason. */
export function streakOf(queue: QueueSnapshot, { flow }: TestRun): number {
  const began = flow?.streak;
  return began !== undefined && redsIn(queue, began) >= OUTAGE_FROM ? began : flowOf(queue).streak;
}
