/** What a monitor that is active says about a test. */
export type UnhealthyStatus = 'flaky' | 'broken';
export type HealthStatus = 'healthy' | UnhealthyStatus;

export const PASS_ON_RETRY = 'pass_on_retry';

/** A test that failed and passed on one commit, which the commit cannot be to blame for. */
export interface PassOnRetryMonitor {
  readonly type: 'pass_on_retry';
  readonly name: typeof PASS_ON_RETRY;
  readonly enabled: boolean;
  /** It recovers when no test run has shown this for so long. */
  readonly quietDays: number;
}

interface WindowMonitor {
  /** Unique in the repository. */
  readonly name: string;
  readonly enabled: boolean;
  readonly windowHours: number;
  /** Patterns of branch names, and classes of branches; none: every branch. See branches.ts. */
  readonly branches: readonly string[];
  readonly verdict: UnhealthyStatus;
}

export interface FailureRateMonitor extends WindowMonitor {
  readonly type: 'failure_rate';
  /** Active from this share of failures on, above 0 and up to 1. */
  readonly threshold: number;
  /** It recovers below this share; absent: below the threshold. */
  readonly recoverBelow?: number;
  /** Fewer runs in the window do not make it active. */
  readonly minimumRuns: number;
}

export interface FailureCountMonitor extends WindowMonitor {
  readonly type: 'failure_count';
  /** Active from so many failures on. */
  readonly threshold: number;
}

export type ThresholdMonitor = FailureRateMonitor | FailureCountMonitor;
export type Monitor = PassOnRetryMonitor | ThresholdMonitor;

export const DEFAULT_MONITORS: readonly Monitor[] = [
  { type: PASS_ON_RETRY, name: PASS_ON_RETRY, enabled: true, quietDays: 7 },
];

/**
 * As long as a test is remembered to have failed: without a failure for so long nothing makes a monitor active, and what
 * arrives for it is not looked at.
 */
export const MAX_WINDOW_DAYS = 30;

/** How the tests of a repository are judged and quarantined. */
export interface TestHealthSettings {
  /** Off until somebody turns it on: whoever ignores failures must have meant to. */
  readonly quarantineEnabled: boolean;
  /** Whether flaky tests are quarantined without anybody saying so. */
  readonly autoQuarantine: boolean;
  /** An upload in which more than this share failed does not count, 0 … 1. */
  readonly infrastructureFailures: number;
  readonly monitors: readonly Monitor[];
}

export const DEFAULT_TEST_HEALTH_SETTINGS: TestHealthSettings = {
  quarantineEnabled: false,
  autoQuarantine: false,
  infrastructureFailures: 0.8,
  monitors: DEFAULT_MONITORS,
};
