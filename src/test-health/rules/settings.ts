/** The status that an active monitor gives a test. */
export type UnhealthyStatus = 'flaky' | 'broken';
export type HealthStatus = 'healthy' | UnhealthyStatus;

export const PASS_ON_RETRY = 'pass_on_retry';

/** Finds tests that failed and passed on one commit: the commit cannot be the cause. */
export interface PassOnRetryMonitor {
  readonly type: 'pass_on_retry';
  readonly name: typeof PASS_ON_RETRY;
  readonly enabled: boolean;
  /** The test recovers after so many days without such a commit. */
  readonly quietDays: number;
}

interface WindowMonitor {
  /** Unique in the repository. */
  readonly name: string;
  readonly enabled: boolean;
  readonly windowHours: number;
  /** Patterns of branch names, and branch classes; empty: every branch. See branches.ts. */
  readonly branches: readonly string[];
  readonly verdict: UnhealthyStatus;
}

export interface FailureRateMonitor extends WindowMonitor {
  readonly type: 'failure_rate';
  /** Active at this share of failures or more; above 0, up to 1. */
  readonly threshold: number;
  /** The test recovers below this share; absent: below the threshold. */
  readonly recoverBelow?: number;
  /** Becomes active only with so many runs in the window. */
  readonly minimumRuns: number;
}

export interface FailureCountMonitor extends WindowMonitor {
  readonly type: 'failure_count';
  /** Active at so many failures or more. */
  readonly threshold: number;
}

export type ThresholdMonitor = FailureRateMonitor | FailureCountMonitor;
export type Monitor = PassOnRetryMonitor | ThresholdMonitor;

export const DEFAULT_MONITORS: readonly Monitor[] = [
  { type: PASS_ON_RETRY, name: PASS_ON_RETRY, enabled: true, quietDays: 7 },
];

/** No monitor looks further back for failures. A test without a failure for so long is not evaluated when results arrive. */
export const MAX_WINDOW_DAYS = 30;

/** How the tests of a repository are evaluated and quarantined. */
export interface TestHealthSettings {
  /** Off by default: nobody should ignore failures by accident. */
  readonly quarantineEnabled: boolean;
  /** Quarantines every flaky test. */
  readonly autoQuarantine: boolean;
  /** An upload does not count when more than this share of it failed; 0 to 1. */
  readonly infrastructureFailures: number;
  readonly monitors: readonly Monitor[];
}

export const DEFAULT_TEST_HEALTH_SETTINGS: TestHealthSettings = {
  quarantineEnabled: false,
  autoQuarantine: false,
  infrastructureFailures: 0.8,
  monitors: DEFAULT_MONITORS,
};
