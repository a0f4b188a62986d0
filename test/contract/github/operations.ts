/** The part of `OPERATIONS_IN_USE` that `extract-contract` takes from GitHub's description. */
export const OPERATIONS_EXTRACTED = [
  'apps/get-authenticated',
  'apps/get-by-slug',
  'users/get-authenticated',
  'apps/get-repo-installation',
  'apps/create-installation-access-token',
  'apps/get-webhook-config-for-app',
  'apps/list-webhook-deliveries',
  'rate-limit/get',
  'repos/get',
  'repos/get-branch',
  'repos/get-branch-rules',
  'repos/list-activities',
  'repos/get-repo-ruleset',
  'git/get-ref',
  'git/get-commit',
  'repos/get-commit',
  'git/create-ref',
  'git/delete-ref',
  'pulls/list',
  'pulls/create',
  'pulls/get',
  'pulls/update',
  'pulls/merge',
  'pulls/list-reviews',
  'repos/get-combined-status-for-ref',
  'repos/list-commit-statuses-for-ref',
  'checks/list-for-ref',
  'actions/list-workflow-runs-for-repo',
  'actions/list-jobs-for-workflow-run',
  'actions/cancel-workflow-run',
  'checks/list-annotations',
  'repos/get-content',
  'repos/compare-commits-with-basehead',
  'repos/create-commit-status',
  'checks/create',
  'checks/update',
  'issues/list-comments',
  'issues/create-comment',
  'issues/update-comment',
  'issues/delete-comment',
  'issues/list-comments-for-repo',
  'issues/list-events',
  'issues/list-events-for-repo',
  'issues/list-labels-on-issue',
  'issues/add-labels',
  'issues/remove-label',
  'reactions/create-for-issue-comment',
  'repos/get-collaborator-permission-level',
  'repos/merge',
] as const;

/**
 * Operations that are newer than the extracted description. The descriptions of these operations in
 * `newer-operations.json` are written manually.
 */
export const OPERATIONS_BY_HAND = [
  'pulls/merge-async',
  'pulls/get-merge-async-result',
  'pull-request-stacks/get',
] as const;

/**
 * The GitHub operations that the service uses, one line for each, by the names in GitHub's description. The service may
 * use no other operations.
 */
export const OPERATIONS_IN_USE = [...OPERATIONS_EXTRACTED, ...OPERATIONS_BY_HAND] as const;

export type OperationInUse = (typeof OPERATIONS_IN_USE)[number];
