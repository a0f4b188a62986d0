import { giteaCommentIn } from '../../../src/code-hosts/gitea/conversation/people';
import { giteaPullRequestIn } from '../../../src/code-hosts/gitea/reading/pull-request';
import { giteaStatusIn } from '../../../src/code-hosts/gitea/reading/statuses';
import { giteaEventsIn } from '../../../src/code-hosts/gitea/webhooks/delivered-events';
import type { HostEvent } from '../../../src/domain/code-host.port';
import { at } from '../../../src/code-hosts/reading';
import { GITEA_CONTRACT } from '../gitea-host';
import type { PayloadKind, Reading } from './payloads';

const R = '/repos/acme/widgets';

const PATHS: Readonly<Record<string, string>> = {
  branch: `${R}/branches/main`,
  branches: `${R}/branches`,
  branchesResponse: `${R}/branches`,
  comments: `${R}/issues/1/comments`,
  hooks: `${R}/hooks`,
  hooksResponse: `${R}/hooks`,
  issue_labels: `${R}/issues/1/labels`,
  permissions: `${R}/collaborators/ada/permission`,
  pr: `${R}/pulls/1`,
  prs: `${R}/pulls`,
  pullRequestsResponse: `${R}/pulls`,
  repo: R,
  repoResponse: R,
  reviews: `${R}/pulls/1/reviews`,
  statuses: `${R}/commits/main/statuses`,
  user: '/user',
  version: '/version',
};

const every = (body: unknown, isRead: (one: unknown) => boolean): Reading =>
  (Array.isArray(body) ? body : [body]).every(isRead) ? 'read' : 'unreadable';

/**
 * Whether the example was generated from the description: such an example has the word `string` in every text field.
 */
function isGenerated(body: unknown): boolean {
  return JSON.stringify(body).includes('"login":"string"');
}

function readAnswer(name: string, body: unknown): Reading {
  if (isGenerated(body)) return 'no_concern';
  if (/^(prs?|pullRequestsResponse)$/.test(name)) return every(body, (one) => giteaPullRequestIn(one, NOW) !== null);
  if (/^(status(es)?|commitStatusResponse)$/.test(name))
    return every(body, (one) => giteaStatusIn(one, '', '') !== null);
  if (/^comments?$/.test(name)) return every(body, (one) => !isOfPullRequest(one) || giteaCommentIn(one, []) !== null);
  return 'no_concern';
}

const NOW = new Date('2026-03-01T12:00:00Z');

function isOfPullRequest(comment: unknown): boolean {
  return Boolean(at(comment, 'pull_request_url'));
}

/** The expected event by file name. The name shows how the collector understood the payload. */
const EXPECTED: readonly (readonly [RegExp, HostEvent['type']])[] = [
  [/^pull_request_comment_created/, 'comment_made'],
  [/^HookPullRequest(AddLabel|ChangeLabel|LabelAdded|LabelsUpdated)$/, 'label_set'],
  [
    /^(pull_request_(opened|closed|reopened|edited|merged|synchronized)|review_approved)$|^HookPullRequest(Closed|Merged|Reopened|Updated|Edited|ChangeTitle|ChangeBody|Review(Ack|Comment|Deny))?$/,
    'pull_request_changed',
  ],
  [/^(push|branch_create|branch_delete|HookPush(Branch|Multi)?)$/, 'branch_changed'],
];

function readDelivery(name: string, body: unknown): Reading {
  // The pull request to which the comment belongs, stored next to the delivery under the same name.
  if (name.endsWith('_pr')) return readAnswer('pr', body);
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1];
  if (expected === undefined) return 'no_concern';
  return giteaEventsIn(body, 'repository', []).some(({ type }) => type === expected) ? 'read' : 'unreadable';
}

export const GITEA_PAYLOADS: PayloadKind = {
  kind: 'gitea',
  contract: GITEA_CONTRACT,
  pathOf: (name) => PATHS[name] ?? null,
  readAnswer,
  readDelivery,
};
