/** The totals of all uploads for one commit and job run. */
export interface RunTotals {
  /** Distinct tests that ran. */
  readonly ran: number;
  /** The tests that failed although they were healthy: the last counted run of each test on another commit passed. */
  readonly healthyFailed: number;
}

/** A change can break this many tests, so fewer failures are never an infrastructure failure. */
const FEWEST_FAILURES = 10;

/**
 * Whether so many healthy tests failed together that the machines are the likely cause. `limit`: the largest normal
 * share, 0 to 1.
 */
export function isInfrastructureFailure({ ran, healthyFailed }: RunTotals, limit: number): boolean {
  return healthyFailed >= FEWEST_FAILURES && healthyFailed > limit * ran;
}
