import type { Change } from '../../../../src/engine/changes';
import type {
  CancelledReason,
  EntryState,
  FailedReason,
  PendingReason,
  StateReason,
} from '../../../../src/engine/vocabulary';

type Because = readonly (StateReason | null)[];

const BACK: readonly PendingReason[] = [
  'tests_restarted_by_user',
  'tests_restarted_by_api_request',
  'manual_push_to_target_branch',
  'prerequisite_merge_item_failed',
  'prerequisite_merge_item_cancelled',
  'prerequisite_merge_item_manually_merged',
  'skip_the_line_interrupted',
  'bisection_required',
  'bisection_test_run_passed',
  'rebuild_required',
];
const NOT_STARTED: readonly FailedReason[] = [
  'start_test_run_merge_conflict',
  'start_test_run_no_required_statuses',
  'start_test_run_config_parsing_failure',
  'start_test_run_config_bad_required_statuses',
  'start_test_run_refused',
  'start_test_run_retry_exhausted',
];
const RED: readonly FailedReason[] = [
  'test_run_required_status_failed',
  'test_run_timeout',
  'test_run_failed_by_optimization',
];
const NOT_LANDED: readonly FailedReason[] = [
  'pr_updated_at_merge_time',
  'host_merge_failed',
  'host_branch_protection_unmet',
];
const CANCELLED: readonly CancelledReason[] = [
  'user_requested',
  'api_requested',
  'pr_closed',
  'pr_pushed_to',
  'pr_base_branch_changed',
  'pr_converted_to_draft',
  'pr_merged_into_other_branch',
  'not_ready_timeout_expired',
];
/** These moves name their run, and have no reason. */
const BY_RUN: Because = [null];
const ANYWHERE = { cancelled: CANCELLED, merged: ['manual_merge'] } as const;

/**
 * The table of states, with the old state, the new state, and the allowed reasons. A state may follow itself with
 * another run, and pending may follow pending with another reason.
 */
const ALLOWED: Record<EntryState, Partial<Record<EntryState, Because>>> = {
  not_ready: {
    ...ANYWHERE,
    pending: ['merge_item_now_ready'],
    tests_passed: ['test_run_passed'],
    merged: ['manual_merge', 'merge_graph_direct_merge'],
  },
  pending: {
    ...ANYWHERE,
    pending: BACK,
    testing: BY_RUN,
    tests_passed: ['passed_by_optimization'],
    pending_failure: BY_RUN,
    not_ready: ['readiness_lost'],
    cancelled: [...CANCELLED, 'nothing_to_merge'],
    failed: NOT_STARTED,
    merged: ['manual_merge', 'merge_graph_direct_merge'],
  },
  testing: {
    ...ANYWHERE,
    testing: BY_RUN,
    tests_passed: ['test_run_passed', 'successor_test_run_passed'],
    pending_failure: BY_RUN,
    pending: BACK,
    not_ready: ['readiness_lost'],
  },
  pending_failure: {
    ...ANYWHERE,
    tests_passed: ['test_run_passed', 'successor_test_run_passed'],
    pending: BACK,
    not_ready: ['readiness_lost'],
    failed: RED,
  },
  tests_passed: {
    ...ANYWHERE,
    cancelled: [...CANCELLED, 'nothing_to_merge', 'dry_run_passed'],
    tests_passed: ['test_run_passed', 'successor_test_run_passed', 'passed_by_optimization'],
    testing: BY_RUN,
    pending_failure: BY_RUN,
    pending: BACK,
    not_ready: ['readiness_lost'],
    failed: NOT_LANDED,
    merged: ['manual_merge', 'merge_graph_merge'],
  },
  merged: { cancelled: ['target_set_back'] },
  failed: {},
  cancelled: {},
};

/** Returns the moves that the table of states does not allow. */
export function forbiddenMoves(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => {
    if (change.type !== 'entryMoved') return [];
    const { entryId, from, to, because } = change;
    if (ALLOWED[from][to]?.includes(because)) return [];
    return [`${entryId} moved from ${from} to ${to} because ${because ?? 'of a run'}`];
  });
}
