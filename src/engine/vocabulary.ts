/** The words of the queue. Each word is in the API or in the glossary and has no synonym. */

/**
 * Milliseconds since 1970-01-01T00:00:00Z. The engine reads no clock: functions get the present time as an argument.
 */
export type Instant = number;

export const SECOND: Instant = 1_000;
export const MINUTE: Instant = 60 * SECOND;
export const HOUR: Instant = 60 * MINUTE;

/**
 * The end of the year 9999, to which deadlines are limited: a setting may name a duration whose end could not be
 * stored.
 */
const LATEST: Instant = 253_402_300_799_999;

export function deadlineAfter(from: Instant, length: Instant): Instant {
  return Math.min(from + length, LATEST);
}

export const ENTRY_STATES = [
  'not_ready',
  'pending',
  'testing',
  'tests_passed',
  'pending_failure',
  'merged',
  'failed',
  'cancelled',
] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export const QUEUE_STATES = ['running', 'paused', 'draining', 'switching_modes'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];
/** The states that a client may request. */
export type RequestableQueueState = Exclude<QueueState, 'switching_modes'>;

export type QueueMode = 'single' | 'parallel';
/** Single mode only. `in_order`: sequential. `flow`: each run is built on whatever passed. */
export type Scheduling = 'in_order' | 'flow';
/** `full`: every slot is used. `by_chance`: a test starts only if its assumptions are likely to hold. */
export type LineDepth = 'full' | 'by_chance';
export const MERGE_METHODS = ['merge_commit', 'squash', 'rebase'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];
export type DirectMergeMode = 'off' | 'always';
export type OptimizationMode = 'off' | 'bisection_skip_redundant_tests';
export type Mergeability = 'unspecified' | 'in_progress' | 'mergeable' | 'not_mergeable';

export type PendingReason =
  | 'merge_item_now_ready'
  | 'tests_restarted_by_user'
  | 'tests_restarted_by_api_request'
  | 'manual_push_to_target_branch'
  | 'prerequisite_merge_item_failed'
  | 'prerequisite_merge_item_cancelled'
  | 'prerequisite_merge_item_manually_merged'
  | 'skip_the_line_interrupted'
  | 'bisection_required'
  | 'bisection_test_run_passed'
  | 'rebuild_required';

export type StartFailure =
  | 'start_test_run_merge_conflict'
  | 'start_test_run_no_required_statuses'
  | 'start_test_run_config_parsing_failure'
  | 'start_test_run_config_bad_required_statuses'
  /** The host, git or the database refuses the commit or its branch. */
  | 'start_test_run_refused'
  /** The start was given up after a long time in which the host answered only with server errors. */
  | 'start_test_run_retry_exhausted';

export type FailedReason =
  | StartFailure
  | 'test_run_required_status_failed'
  | 'test_run_timeout'
  | 'test_run_failed_by_optimization'
  | 'pr_updated_at_merge_time'
  | 'host_merge_failed'
  | 'host_branch_protection_unmet';

export type CancelledReason =
  | 'user_requested'
  | 'api_requested'
  | 'pr_closed'
  | 'pr_pushed_to'
  | 'pr_base_branch_changed'
  | 'pr_converted_to_draft'
  | 'pr_merged_into_other_branch'
  | 'not_ready_timeout_expired'
  /** The target has all its changes already, though not its commits. */
  | 'nothing_to_merge'
  /** The pull request was merged, and somebody reset the target to an earlier commit. */
  | 'target_set_back'
  | 'dry_run_passed';

export type MergedReason = 'merge_graph_merge' | 'merge_graph_direct_merge' | 'manual_merge';

type NotReadyReason = 'user_requested' | 'api_requested' | 'readiness_lost';

export type PassedReason = 'test_run_passed' | 'successor_test_run_passed' | 'passed_by_optimization';

export type StateReason = PendingReason | FailedReason | CancelledReason | MergedReason | NotReadyReason | PassedReason;

/**
 * `line`: a run whose pass lets entries land. `search`: tests a prefix of a failed batch. `verify`: tests a culprit in
 * isolation, or a whole batch again. `direct`: a pull request that may merge on its own tests; nothing is built or
 * tested for it. `target`: tests the target itself, without entries.
 */
export type RunKind = 'line' | 'search' | 'verify' | 'direct' | 'target';

/**
 * `building`: the candidate is being built. `testing`: the testing branch is pushed, and its statuses are awaited.
 * `conflicted`: the run conflicts with an entry ahead, and waits until that entry lands or leaves. `landing`: the
 * landing is ordered. `ended`: the run is no longer part of the queue.
 */
export type RunPhase = 'building' | 'testing' | 'passed' | 'failed' | 'conflicted' | 'landing' | 'ended';

export type RequiredStatusesSource = 'merge_instance' | 'trunk_config' | 'repo_provider_branch_protection';

/** The cause of a change: a token's name or a login at the host; null: the queue itself. */
export type Actor = string | null;
export type RequestedVia = 'user' | 'api';

/** The urgent priority: the entry is tested at once, at the head. */
export const URGENT = 0;
export const PRIORITIES = { urgent: 0, high: 10, medium: 100, low: 200 } as const;

/** For the `default` of a switch: the compiler then checks that every case is handled. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
