import type { Role } from '../../src/platform/auth/caller';

export interface Operation {
  readonly name: string;
  readonly role: Role;
  /** A body that is right in itself, about a repository, a queue and a pull request that need not exist. */
  readonly body: object;
}

export const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const PULL_REQUEST = { ...MAIN, pr: { number: 1 } };
const TESTS = { repo: REPO, org_url_slug: 'acme' };
const TEST = { ...TESTS, test_case_id: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11' };
const LIST = { ...TESTS, page_query: { page_size: 10 } };

/** Everything that takes a body under /v1. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'submitPullRequest', role: 'submit', body: PULL_REQUEST },
  { name: 'cancelPullRequest', role: 'submit', body: PULL_REQUEST },
  { name: 'restartTestsOnPullRequest', role: 'submit', body: PULL_REQUEST },
  { name: 'getSubmittedPullRequest', role: 'read', body: PULL_REQUEST },
  { name: 'setImpactedTargets', role: 'submit', body: { ...PULL_REQUEST, impactedTargets: [] } },
  { name: 'getMergeQueueTestingDetails', role: 'read', body: PULL_REQUEST },
  { name: 'createQueue', role: 'admin', body: MAIN },
  { name: 'deleteQueue', role: 'admin', body: MAIN },
  { name: 'getQueue', role: 'read', body: MAIN },
  { name: 'updateQueue', role: 'admin', body: MAIN },
  {
    name: 'flaky-tests/list-failing-tests',
    role: 'read',
    body: { ...LIST, start_time: '2026-11-14T00:00:00Z', end_time: '2026-11-20T00:00:00Z' },
  },
  { name: 'flaky-tests/list-unhealthy-tests', role: 'read', body: { ...LIST, status: 'FLAKY' } },
  { name: 'flaky-tests/list-quarantined-tests', role: 'read', body: LIST },
  { name: 'flaky-tests/get-test-details', role: 'read', body: { ...TESTS, test_id: TEST.test_case_id } },
  {
    name: 'flaky-tests/link-ticket-to-test-case',
    role: 'submit',
    body: { repo: REPO, test_case_id: TEST.test_case_id, external_ticket_id: 'KAN-123' },
  },
  { name: 'flaky-tests/get-settings', role: 'read', body: TESTS },
  { name: 'flaky-tests/update-settings', role: 'admin', body: TESTS },
  { name: 'flaky-tests/get-quarantined', role: 'read', body: { ...TESTS, tests: [] } },
  {
    name: 'flaky-tests/set-quarantine',
    role: 'admin',
    body: { ...TEST, setting: 'always_quarantine', reason: 'known' },
  },
  { name: 'flaky-tests/mute-monitor', role: 'admin', body: { ...TEST, monitor: 'pass_on_retry', reason: 'known' } },
  { name: 'flaky-tests/unmute-monitor', role: 'admin', body: { ...TEST, monitor: 'pass_on_retry' } },
  {
    name: 'reportStatus',
    role: 'submit',
    body: { repo: REPO, sha: '0'.repeat(40), context: 'tests', state: 'success' },
  },
];
