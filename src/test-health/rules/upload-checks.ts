import { DAY_MS } from './days';

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

/** Fewer results than that say nothing about the machines: a job that runs one test and fails is no outage. */
const FEWEST_RESULTS = 10;

/** Whether so many failed that the machines must have been to blame; `limit`: the largest share that may fail, 0 … 1. */
export function isInfrastructureFailure(
  { passed, failed }: { readonly passed: number; readonly failed: number },
  limit: number,
): boolean {
  const runs = passed + failed;
  return runs >= FEWEST_RESULTS && failed / runs > limit;
}
