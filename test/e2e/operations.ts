import type { Role } from '../../src/platform/requests/roles';

export interface Operation {
  readonly name: string;
  /** Roles that may call the operation. The tests call it with the first of these roles. */
  readonly roles: readonly Role[];
  /** A valid body, about a repository, a queue and a pull request that need not exist. */
  readonly body: object;
}

export const ALL_ROLES: readonly Role[] = ['read', 'ci', 'status', 'submit', 'admin'];
const CI: readonly Role[] = ['ci', 'status', 'submit', 'admin'];
const STATUS: readonly Role[] = ['status', 'admin'];
const SUBMIT: readonly Role[] = ['submit', 'admin'];
const ADMIN: readonly Role[] = ['admin'];

export const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const PULL_REQUEST = { ...MAIN, pr: { number: 1 } };
const TESTS = { repo: REPO, org_url_slug: 'acme' };
const TEST = { ...TESTS, test_case_id: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11' };
const LIST = { ...TESTS, page_query: { page_size: 10 } };

/** Every operation under /v1 with a request body. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'submitPullRequest', roles: SUBMIT, body: PULL_REQUEST },
  { name: 'cancelPullRequest', roles: SUBMIT, body: PULL_REQUEST },
  { name: 'restartTestsOnPullRequest', roles: SUBMIT, body: PULL_REQUEST },
  { name: 'promotePullRequest', roles: SUBMIT, body: PULL_REQUEST },
  { name: 'getSubmittedPullRequest', roles: ALL_ROLES, body: PULL_REQUEST },
  { name: 'getSubmittedPullRequests', roles: ALL_ROLES, body: { ...MAIN, prs: [] } },
  { name: 'getPullRequestStory', roles: ALL_ROLES, body: PULL_REQUEST },
  { name: 'listPullRequests', roles: ALL_ROLES, body: MAIN },
  { name: 'listMergeQueueTestingResults', roles: ALL_ROLES, body: { ...MAIN, since: '2026-11-14T00:00:00Z' } },
  { name: 'setImpactedTargets', roles: CI, body: { ...PULL_REQUEST, impactedTargets: [] } },
  { name: 'getMergeQueueTestingDetails', roles: ALL_ROLES, body: PULL_REQUEST },
  { name: 'createQueue', roles: ADMIN, body: MAIN },
  { name: 'deleteQueue', roles: ADMIN, body: MAIN },
  { name: 'getQueue', roles: ALL_ROLES, body: MAIN },
  { name: 'getQueuePicture', roles: ALL_ROLES, body: MAIN },
  { name: 'getQueueHistoryByDay', roles: ALL_ROLES, body: MAIN },
  { name: 'getFlakyTestCosts', roles: ALL_ROLES, body: MAIN },
  { name: 'updateQueue', roles: ADMIN, body: MAIN },
  { name: 'cancelAllPullRequests', roles: ADMIN, body: MAIN },
  { name: 'previewSettings', roles: ADMIN, body: MAIN },
  { name: 'getQueueHistory', roles: ADMIN, body: MAIN },
  {
    name: 'flaky-tests/list-failing-tests',
    roles: ALL_ROLES,
    body: { ...LIST, start_time: '2026-11-14T00:00:00Z', end_time: '2026-11-20T00:00:00Z' },
  },
  { name: 'flaky-tests/list-unhealthy-tests', roles: ALL_ROLES, body: { ...LIST, status: 'FLAKY' } },
  { name: 'flaky-tests/list-quarantined-tests', roles: ALL_ROLES, body: LIST },
  { name: 'flaky-tests/find-tests', roles: ALL_ROLES, body: LIST },
  { name: 'flaky-tests/get-test-details', roles: ALL_ROLES, body: { ...TESTS, test_id: TEST.test_case_id } },
  {
    name: 'flaky-tests/link-ticket-to-test-case',
    roles: SUBMIT,
    body: { repo: REPO, test_case_id: TEST.test_case_id, external_ticket_id: 'KAN-123' },
  },
  { name: 'flaky-tests/get-settings', roles: ALL_ROLES, body: TESTS },
  { name: 'flaky-tests/update-settings', roles: ADMIN, body: TESTS },
  {
    name: 'flaky-tests/preview-monitors',
    roles: ALL_ROLES,
    body: { ...TESTS, monitors: [{ type: 'pass_on_retry', name: 'pass_on_retry', enabled: true, quiet_days: 7 }] },
  },
  { name: 'flaky-tests/get-quarantined', roles: ALL_ROLES, body: { ...TESTS, tests: [] } },
  {
    name: 'flaky-tests/set-quarantine',
    roles: ADMIN,
    body: { ...TEST, setting: 'always_quarantine', reason: 'known' },
  },
  { name: 'flaky-tests/mute-monitor', roles: ADMIN, body: { ...TEST, monitor: 'pass_on_retry', reason: 'known' } },
  { name: 'flaky-tests/unmute-monitor', roles: ADMIN, body: { ...TEST, monitor: 'pass_on_retry' } },
  { name: 'flaky-tests/list-moves', roles: ALL_ROLES, body: TESTS },
  {
    name: 'flaky-tests/move-test',
    roles: ADMIN,
    body: { ...TEST, moved_test_case_id: '0c9b7f3d-52a4-5c3e-9a61-7d1f0b7e2e11', reason: 'moved' },
  },
  { name: 'flaky-tests/undo-move', roles: ADMIN, body: { ...TESTS, move_id: '1', reason: 'another test' } },
  { name: 'createWebhook', roles: ADMIN, body: { name: 'a hook', url: 'https://hooks.example/sluice', repo: REPO } },
  {
    name: 'reportStatus',
    roles: STATUS,
    body: { repo: REPO, sha: '0'.repeat(40), context: 'tests', state: 'success' },
  },
];
