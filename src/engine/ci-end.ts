import type { Instant } from './vocabulary';

/** CI has ended everything that it began for a commit. */
export interface CiEnd {
  /** When the queue first saw CI end with `runs` CI runs. Another CI run starts the wait again. */
  readonly at: Instant;
  /** The number of workflow runs or pipelines. */
  readonly runs: number;
  /** Some of the names that were reported for the commit, in the order of their reports. */
  readonly reported: readonly string[];
  /** Required statuses that were missing at `at`, and that CI jobs report. */
  readonly jobs: readonly JobName[];
}

export interface JobName {
  readonly name: string;
  /** The longest delay between push and report in the last runs. Null: unknown. */
  readonly longestDelayMs: Instant | null;
}
