/** The status that an active monitor gives a test. */
export type UnhealthyStatus = 'flaky' | 'broken';
export type HealthStatus = 'healthy' | UnhealthyStatus;

export const PASS_ON_RETRY = 'pass_on_retry';

export const CONSECUTIVE_FAILURES = 'consecutive_failures';
export const TRANSITIONS = 'transitions';

interface CommonSettings {
  /** Unique in the repository. */
  readonly name: string;
  readonly enabled: boolean;
  /** Patterns of branch names, and branch classes; empty: every branch that its type supports. See branches.ts. */
  readonly branches: readonly string[];
}

/** Finds tests that failed and passed on one commit, or on commits with one tree: the code cannot be the cause. */
export interface PassOnRetryMonitor extends CommonSettings {
  readonly type: typeof PASS_ON_RETRY;
  readonly name: typeof PASS_ON_RETRY;
  /** The test recovers after this many days without a new retried commit. */
  readonly quietDays: number;
  /** The monitor becomes active at this many retried commits. */
  readonly minimumCommits: number;
}

/**
 * Finds tests that fail on consecutive commits: these tests are broken. Only results of stable and testing branches
 * count.
 */
export interface ConsecutiveFailuresMonitor extends CommonSettings {
  readonly type: typeof CONSECUTIVE_FAILURES;
  /**
   * The monitor is active after failures on this many consecutive commits; the test recovers after as many consecutive
   * passes.
   */
  readonly threshold: number;
  /** The number of consecutive commits for a test that often failed before. */
  readonly flakyThreshold: number;
}

/**
 * Finds tests that fail on single commits and pass again, without re-runs. Only results of stable and testing branches
 * count.
 */
export interface TransitionsMonitor extends CommonSettings {
  readonly type: typeof TRANSITIONS;
  /** The monitor is active at this many single failures. */
  readonly threshold: number;
  readonly windowDays: number;
  /** The monitor becomes active only if the test ran on this many commits. */
  readonly minimumRuns: number;
}

interface WindowMonitor extends CommonSettings {
  readonly windowHours: number;
  readonly verdict: UnhealthyStatus;
  /** The monitor becomes active only with this many runs in the window. */
  readonly minimumRuns: number;
}

export interface FailureRateMonitor extends WindowMonitor {
  readonly type: 'failure_rate';
  /** The monitor is active when the share of failures is at least this value with 95 % confidence; above 0, up to 1. */
  readonly threshold: number;
  /** The test recovers below this share; absent: below the threshold. */
  readonly recoverBelow?: number;
}

export interface FailureCountMonitor extends WindowMonitor {
  readonly type: 'failure_count';
  /** The monitor is active at this many failures or more. */
  readonly threshold: number;
}

export type ThresholdMonitor = FailureRateMonitor | FailureCountMonitor;
export type LineMonitor = ConsecutiveFailuresMonitor | TransitionsMonitor;
export type Monitor = PassOnRetryMonitor | LineMonitor | ThresholdMonitor;

/** The status that a monitor gives a test while it is active. */
export function verdictOf(monitor: Monitor): UnhealthyStatus {
  switch (monitor.type) {
    case PASS_ON_RETRY:
    case TRANSITIONS:
      return 'flaky';
    case CONSECUTIVE_FAILURES:
      return 'broken';
    case 'failure_rate':
    case 'failure_count':
      return monitor.verdict;
  }
}

const DEFAULT_PASS_ON_RETRY: PassOnRetryMonitor = {
  type: PASS_ON_RETRY,
  name: PASS_ON_RETRY,
  enabled: true,
  quietDays: 7,
  minimumCommits: 1,
  branches: [],
};
const DEFAULT_CONSECUTIVE_FAILURES: ConsecutiveFailuresMonitor = {
  type: CONSECUTIVE_FAILURES,
  name: CONSECUTIVE_FAILURES,
  enabled: true,
  threshold: 3,
  flakyThreshold: 8,
  branches: ['stable', 'queue'],
};
const DEFAULT_TRANSITIONS: TransitionsMonitor = {
  type: TRANSITIONS,
  name: TRANSITIONS,
  enabled: true,
  threshold: 2,
  windowDays: 30,
  minimumRuns: 10,
  branches: ['stable', 'queue'],
};

export const DEFAULT_MONITORS: readonly Monitor[] = [
  DEFAULT_PASS_ON_RETRY,
  DEFAULT_CONSECUTIVE_FAILURES,
  DEFAULT_TRANSITIONS,
];

/** The number of latest results that are read for a test, per branch class. */
export const MOST_RESULTS = 300;

/**
 * No monitor looks further back for failures. A test without a failure in this time is not evaluated when results
 * arrive.
 */
export const MAX_WINDOW_DAYS = 30;

/** How the tests of a repository are evaluated and quarantined. */
export interface TestHealthSettings {
  /** The default is false, so that no failures are ignored by accident. */
  readonly quarantineEnabled: boolean;
  /** Whether every flaky test is quarantined. */
  readonly autoQuarantine: boolean;
  /**
   * The results for a commit do not count when more than this share of healthy tests failed together; 0 to 1. See
   * infrastructure-failure.ts.
   */
  readonly infrastructureFailures: number;
  readonly monitors: readonly Monitor[];
}

export const DEFAULT_TEST_HEALTH_SETTINGS: TestHealthSettings = {
  quarantineEnabled: false,
  autoQuarantine: false,
  infrastructureFailures: 0.25,
  monitors: DEFAULT_MONITORS,
};
