/** What the uploads of one commit and job run hold together. */
export interface RunTotals {
  /** Different tests that ran. */
  readonly ran: number;
  /** Those of them that failed and were healthy: the last run of each on another commit that counts passed. */
  readonly healthyFailed: number;
}

/** Fewer that fail together are none: a change can break them. */
const FEWEST_FAILURES = 10;

/** Whether so many healthy tests fail together that the machines are the likely cause; `limit`: the largest share, 0 to 1. */
export function isInfrastructureFailure({ ran, healthyFailed }: RunTotals, limit: number): boolean {
  return healthyFailed >= FEWEST_FAILURES && healthyFailed > limit * ran;
}
