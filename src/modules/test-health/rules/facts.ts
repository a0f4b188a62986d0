import type { CommitOutcome } from './commits';
import type { RunResult } from './tested-run';

/** A commit on which a test failed and passed. */
export interface RetriedCommit {
  readonly commit: string;
  readonly failedAt: Date;
  readonly passedAt: Date;
  /** Whether the failure or the pass comes from a pull request. */
  readonly isFromPullRequest: boolean;
  /** The failure and the pass. */
  readonly evidence: readonly RunResult[];
}

/** Runs of a test within the window and on the branches of a monitor. Skipped tests do not count as runs. */
export interface WindowCounts {
  readonly failed: number;
  readonly passed: number;
  readonly oldestFailureAt: Date | null;
}

/** The facts for the evaluation of a test, from counted runs only. */
export interface TestFacts {
  readonly retriedCommits: readonly RetriedCommit[];
  /** The counts by the name of the monitor; no entry: no run. */
  readonly counts: ReadonlyMap<string, WindowCounts>;
  /** The counts without runs of pull requests. */
  readonly countsWithoutPullRequests: ReadonlyMap<string, WindowCounts>;
  /**
   * The result of `commitsByLine` for the latest results. MOST_RESULTS and MAX_WINDOW_DAYS limit the number and age of
   * these results.
   */
  readonly lines: readonly (readonly CommitOutcome[])[];
}

export const NO_RUNS: WindowCounts = { failed: 0, passed: 0, oldestFailureAt: null };
