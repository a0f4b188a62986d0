/** A commit on which a test failed and passed. */
export interface RetriedCommit {
  readonly commit: string;
  readonly failedAt: Date;
  readonly passedAt: Date;
}

/** Runs of a test within the window and on the branches of a monitor. A skipped test did not run. */
export interface WindowCounts {
  readonly failed: number;
  readonly passed: number;
  readonly oldestFailureAt: Date | null;
}

/** What the evaluation of a test needs to know. Comes from uploads that count only. */
export interface TestFacts {
  readonly retriedCommits: readonly RetriedCommit[];
  /** By name of the monitor; no entry: no run. */
  readonly counts: ReadonlyMap<string, WindowCounts>;
}

export const NO_RUNS: WindowCounts = { failed: 0, passed: 0, oldestFailureAt: null };
