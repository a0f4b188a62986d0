import type { PullRequest, RepositoryRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { reactionCounts } from './comment';
import { labelShape } from './label';
import { associationOf } from './pull-request';
import { timeOrNull, timeShape } from './time';

/** A pull request in the form of an issue. */
export function issueShape(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
): Record<string, unknown> {
  const { id, number, author } = pull;
  const api = state.api(`/repos/${fullName(repository)}`);
  const self = `${api}/issues/${number}`;
  const html = state.html(`/${fullName(repository)}/pull/${number}`);
  return {
    id,
    node_id: nodeId('PR', id),
    number,
    url: self,
    repository_url: api,
    labels_url: `${self}/labels{/name}`,
    comments_url: `${self}/comments`,
    events_url: `${self}/events`,
    html_url: html,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    locked: false,
    active_lock_reason: null,
    user: accountShape(state, author),
    author_association: associationOf(repository, author),
    assignee: null,
    assignees: [],
    labels: pull.labels.map((label) => labelShape(state, repository, label)),
    milestone: null,
    comments: repository.comments.filter((comment) => comment.number === number).length,
    reactions: reactionCounts(`${self}/reactions`, []),
    created_at: timeShape(pull.createdAt),
    updated_at: timeShape(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    pull_request: {
      url: `${api}/pulls/${number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: timeOrNull(pull.merged?.at),
    },
  };
}
