import type { CancelledReason, FailedReason } from '../../engine/vocabulary';

const FAILED: Readonly<Record<FailedReason, string>> = {
  test_run_required_status_failed: 'A required status failed',
  test_run_timeout: 'A required status did not report in time',
  test_run_failed_by_optimization: 'It was built on one that failed',
  start_test_run_merge_conflict: 'Conflict with what landed or is ahead',
  start_test_run_no_required_statuses: 'No required status is set',
  start_test_run_config_parsing_failure: 'The configuration file cannot be read',
  start_test_run_config_bad_required_statuses: 'The configuration file names wrong statuses',
  start_test_run_refused: 'The commit to be tested was refused',
  start_test_run_retry_exhausted: 'The code host kept failing',
  pr_updated_at_merge_time: 'Pushed to while it was merged',
  host_merge_failed: 'The code host refused the merge',
  host_branch_protection_unmet: 'A rule of the branch was not met',
};

const CANCELLED: Readonly<Record<CancelledReason, string>> = {
  user_requested: 'Taken out by a person',
  api_requested: 'Taken out over the API',
  pr_closed: 'Closed',
  pr_pushed_to: 'Pushed to while in the queue',
  pr_base_branch_changed: 'Moved to another base branch',
  pr_converted_to_draft: 'Made a draft',
  pr_merged_into_other_branch: 'Merged into another branch',
  not_ready_timeout_expired: 'Not ready for too long',
  target_set_back: 'The branch was set back',
  nothing_to_merge: 'Nothing left to merge',
  dry_run_passed: 'A dry run that passed',
};

/** Why a pull request left the queue unmerged, in a few words, and whether it failed. */
export function wordsOfReason(reason: string): { readonly text: string; readonly isFailure: boolean } {
  const failed = Object.entries(FAILED).find(([name]) => name === reason)?.[1];
  if (failed !== undefined) return { text: failed, isFailure: true };
  return { text: Object.entries(CANCELLED).find(([name]) => name === reason)?.[1] ?? reason, isFailure: false };
}
