/** A commit on which a test failed and passed. */
export interface RetriedCommit {
  readonly commit: string;
  readonly failedAt: Date;
  readonly passedAt: Date;
}

/** What a test did within the window of a monitor, on its branches. What was skipped is no run. */
export interface WindowCounts {
  readonly failed: number;
  readonly passed: number;
  readonly oldestFailureAt: Date | null;
}

/** What is known of one test when it is judged; only of uploads that count. */
export interface TestFacts {
  readonly retriedCommits: readonly RetriedCommit[];
  /** By the name of the monitor; absent: no run. */
  readonly counts: ReadonlyMap<string, WindowCounts>;
}

export const NO_RUNS: WindowCounts = { failed: 0, passed: 0, oldestFailureAt: null };
