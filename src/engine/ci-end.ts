import type { Instant } from './vocabulary';

/** CI has ended everything that it began for a commit. */
export interface CiEnd {
  /** When this was seen first, with this many runs of CI: a new one begins the time anew. */
  readonly at: Instant;
  /** Of workflows, or pipelines. */
  readonly runs: number;
  /** Some of the names that were reported for the commit, in order. */
  readonly reported: readonly string[];
  /** Required statuses that were missing then, and that jobs report. */
  readonly jobs: readonly JobName[];
}

export interface JobName {
  readonly name: string;
  /** From the push to its report, at most, in the last runs. Null: nobody knows. */
  readonly longestDelayMs: Instant | null;
}
