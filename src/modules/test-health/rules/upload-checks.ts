import { DAY_MS } from './days';

/** How far the clock of a CI machine may be ahead. */
const AHEAD_MS = 5 * 60_000;

/**
 * The time of a result: the time in its report if it is plausible, otherwise the time of the upload. A plausible time
 * is not after the upload, and recent enough for the result to be kept.
 */
export function timeOfResult(reported: Date | null, receivedAt: Date, keptDays: number): Date {
  if (reported === null) return receivedAt;
  const age = receivedAt.getTime() - reported.getTime();
  return age >= -AHEAD_MS && age < (keptDays - 1) * DAY_MS ? reported : receivedAt;
}
