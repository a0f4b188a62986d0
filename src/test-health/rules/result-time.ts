const DAY_MS = 24 * 3_600_000;
/** How far a clock of CI may be ahead. */
const AHEAD_MS = 5 * 60_000;

/**
 * When a result is said to have occurred: its own time where that can be true, else the upload's. True can be what is not
 * after the upload and young enough to be kept.
 */
export function timeOfResult(reported: Date | null, receivedAt: Date, keptDays: number): Date {
  if (reported === null) return receivedAt;
  const age = receivedAt.getTime() - reported.getTime();
  return age >= -AHEAD_MS && age < (keptDays - 1) * DAY_MS ? reported : receivedAt;
}

/** The day (UTC) whose partition a time belongs to: `2026-11-21`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
