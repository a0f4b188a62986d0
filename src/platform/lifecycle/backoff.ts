const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * Milliseconds to wait: one second after the first failure, twice as long after each further failure, at most five
 * minutes.
 */
export function backoff(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 30), LONGEST_WAIT_MS);
}
