import { join } from 'node:path';
import { gitLabCommentIn } from '../../../src/code-hosts/gitlab/conversation/gitlab-people';
import { mergeRequestIn } from '../../../src/code-hosts/gitlab/reading/merge-request';
import { endedCommitIn, gitLabEventsIn } from '../../../src/code-hosts/gitlab/webhooks/told-events';
import { at, numberAt, textAt } from '../../../src/code-hosts/reading';
import type { HostEvent } from '../../../src/domain/code-host.port';
import { GitHubContract } from '../github/contract';
import type { PayloadKind, Reading } from './payloads';

/** GitLab's description has the form of GitHub's, so the same checker reads it. */
export const GITLAB_CONTRACT = GitHubContract.load(join(__dirname, '..', '..', 'fixtures', 'gitlab', 'contract.json'));

const P = '/projects/1';

const PATHS: Readonly<Record<string, string>> = {
  award_emoji: `${P}/merge_requests/1/notes/1/award_emoji`,
  branch: `${P}/repository/branches/main`,
  branches: `${P}/repository/branches`,
  commit: `${P}/repository/commits/main`,
  compare: `${P}/repository/compare`,
  get_branch: `${P}/repository/branches/main`,
  get_commit: `${P}/repository/commits/main`,
  get_merge_request: `${P}/merge_requests/1`,
  get_merge_requests: `${P}/merge_requests`,
  get_user: '/user',
  hooks: `${P}/hooks`,
  list_branches: `${P}/repository/branches`,
  merge: `${P}/merge_requests/1`,
  merge_note: `${P}/merge_requests/1/notes/1`,
  merge_notes: `${P}/merge_requests/1/notes`,
  merge_with_diffrefs: `${P}/merge_requests/1`,
  merges: `${P}/merge_requests`,
  repo: P,
  statuses: `${P}/repository/commits/main/statuses`,
  user: '/user',
  user_search: '/users',
};

const NOW = new Date('2026-03-01T12:00:00Z');

const every = (body: unknown, isRead: (one: unknown) => boolean): Reading =>
  (Array.isArray(body) ? body : [body]).every(isRead) ? 'read' : 'unreadable';

function readAnswer(name: string, body: unknown): Reading {
  if (/^(get_merge_requests?|merges?)$/.test(name)) return every(body, (one) => mergeRequestIn(one, NOW) !== null);
  if (/^merge_notes?$/.test(name))
    return every(body, (one) => at(one, 'system') === true || gitLabCommentIn(one, 1, []) !== null);
  if (name === 'repo')
    return every(body, (one) => numberAt(one, 'id') !== null && textAt(one, 'path_with_namespace') !== null);
  if (/^(get_user|user|user_search)$/.test(name))
    return every(body, (one) => numberAt(one, 'id') !== null && textAt(one, 'username') !== null);
  return 'no_concern';
}

/**
 * The expected event by file name. The name shows how the collector understood the payload. Two files are left out: a
 * group's merge request without a number, and an action that its collector invented.
 */
const EXPECTED: readonly (readonly [RegExp, HostEvent['type']])[] = [
  [/^(merge_request_comment_(create|subgroup)|note_merge_request|review_comment_create)$/, 'comment_made'],
  [/^HookPullRequestLabels(Added|Updated)$/, 'label_set'],
  [
    /^(merge_request(_subgroup)?|pull_request_(close|create|merge|reopen|review_ready)|service_merge_request)$|^HookPullRequest(?!UnsupportedAction)/,
    'pull_request_changed',
  ],
  [/^(push(_merge|_subgroup)?|branch_(create|delete)(_subgroup)?|HookPush)$/, 'branch_changed'],
];

function readDelivery(name: string, body: unknown): Reading {
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1];
  if (expected !== undefined)
    return gitLabEventsIn(body, 'repository', []).some(({ type }) => type === expected) ? 'read' : 'unreadable';
  if (!/^(pipeline(_hook|_subgroup)?|build|job)$/.test(name)) return 'no_concern';
  const status = textAt(body, 'object_attributes', 'status') ?? textAt(body, 'build_status');
  if (status !== 'success' && status !== 'failed') return 'no_concern';
  return endedCommitIn(body) === null ? 'unreadable' : 'read';
}

export const GITLAB_PAYLOADS: PayloadKind = {
  kind: 'gitlab',
  contract: GITLAB_CONTRACT,
  pathOf: (name) => PATHS[name] ?? null,
  readAnswer,
  readDelivery,
};
