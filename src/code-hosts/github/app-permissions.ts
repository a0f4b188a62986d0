/**
 * A permission of the GitHub App, and the reason for it. The manifest, the doctor, the documentation and the tests all
 * read this list.
 */
export interface AppPermission {
  /** The name of the permission in the API and in manifests. */
  readonly name: string;
  readonly level: 'read' | 'write';
  /** The level with which the queue works correctly and lacks only a convenience. Absent: the queue needs `level`. */
  readonly enough?: 'read';
  /** The name of the permission on GitHub's pages. */
  readonly title: string;
  readonly reason: string;
  /** The effect for people if the permission is missing. */
  readonly without: string;
}

export interface AppEvent {
  readonly name: string;
  readonly title: string;
  /** The permission without which GitHub does not offer the event to an app. */
  readonly needs: string;
  readonly reason: string;
}

/** The minimum of permissions with which the queue works. */
export const APP_PERMISSIONS: readonly AppPermission[] = [
  {
    name: 'metadata',
    level: 'read',
    title: 'Metadata',
    reason: 'repositories, rulesets and the people who may write; every GitHub App has this permission',
    without: 'nothing works',
  },
  {
    name: 'contents',
    level: 'write',
    title: 'Contents',
    reason: 'branches, commits and files; pushes testing branches and merges',
    without: 'nothing is tested or merged',
  },
  {
    name: 'pull_requests',
    level: 'write',
    title: 'Pull requests',
    reason: 'pull requests and their comments; opens and closes drafts for testing branches, and writes comments',
    without: 'no pull request can be submitted',
  },
  {
    name: 'checks',
    level: 'read',
    title: 'Checks',
    reason: 'results that GitHub Actions and other apps report',
    without: 'tests never end, because the service does not see the results of check runs',
  },
  {
    name: 'actions',
    level: 'write',
    enough: 'read',
    title: 'Actions',
    reason:
      'which job counts if several jobs have the same name, or if a job was cancelled; cancels the jobs of a test run that ended early',
    without:
      'the jobs of a test run that ended early continue, and without "read", a job that a newer run cancelled has no result',
  },
  {
    name: 'statuses',
    level: 'write',
    title: 'Commit statuses',
    reason: 'statuses that other CI reports; shows the state of a pull request in the queue as a status of its head',
    without: 'statuses that CI reports are not seen, and pull requests show no status of the queue',
  },
  {
    name: 'issues',
    level: 'write',
    title: 'Issues',
    reason: 'events about comments on pull requests, and reactions to these comments',
    without: 'commands in comments are found late, and get no reaction',
  },
  {
    name: 'workflows',
    level: 'write',
    title: 'Workflows',
    reason: 'pushes commits that change files in .github/workflows',
    without: 'pull requests that change files in .github/workflows cannot be tested: GitHub refuses the push',
  },
];

export const APP_EVENTS: readonly AppEvent[] = [
  { name: 'check_run', title: 'Check run', needs: 'checks', reason: 'a check began or ended' },
  { name: 'issue_comment', title: 'Issue comment', needs: 'issues', reason: 'a command in a comment' },
  { name: 'pull_request', title: 'Pull request', needs: 'pull_requests', reason: 'a pull request changed' },
  {
    name: 'pull_request_review',
    title: 'Pull request review',
    needs: 'pull_requests',
    reason: 'a pull request was approved, or changes were requested',
  },
  {
    name: 'pull_request_review_thread',
    title: 'Pull request review thread',
    needs: 'pull_requests',
    reason: 'a conversation was resolved, or opened again',
  },
  { name: 'push', title: 'Push', needs: 'contents', reason: 'a branch moved, such as the target' },
  { name: 'status', title: 'Status', needs: 'statuses', reason: 'CI reported a status' },
];

/** The permissions in the format of manifests, installations and tokens. */
export function permissionsByName(): Readonly<Record<string, 'read' | 'write'>> {
  return Object.fromEntries(APP_PERMISSIONS.map(({ name, level }) => [name, level]));
}
