import type { CommentRecord, ReactionRecord, RepositoryRecord, ReviewRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { associationOf } from './pull-request';
import { timeShape } from './time';

export function commentShape(
  state: GitHubState,
  repository: RepositoryRecord,
  comment: CommentRecord,
): Record<string, unknown> {
  const { id, number, author, body, createdAt, updatedAt } = comment;
  const api = state.api(`/repos/${fullName(repository)}`);
  return {
    id,
    node_id: nodeId('IC', id),
    url: `${api}/issues/comments/${id}`,
    html_url: state.html(`/${fullName(repository)}/pull/${number}#issuecomment-${id}`),
    issue_url: `${api}/issues/${number}`,
    body,
    user: accountShape(state, author),
    created_at: timeShape(createdAt),
    updated_at: timeShape(updatedAt),
    author_association: associationOf(repository, author),
    reactions: reactionCounts(`${api}/issues/comments/${id}/reactions`, comment.reactions),
  };
}

export function reactionShape(state: GitHubState, reaction: ReactionRecord): Record<string, unknown> {
  const { id, user, content, createdAt } = reaction;
  return {
    id,
    node_id: nodeId('REA', id),
    user: accountShape(state, user),
    content,
    created_at: timeShape(createdAt),
  };
}

export function reviewShape(
  state: GitHubState,
  repository: RepositoryRecord,
  review: ReviewRecord,
): Record<string, unknown> {
  const { id, number, author, body, commit, submittedAt } = review;
  const html = state.html(`/${fullName(repository)}/pull/${number}#pullrequestreview-${id}`);
  const pull = state.api(`/repos/${fullName(repository)}/pulls/${number}`);
  return {
    id,
    node_id: nodeId('PRR', id),
    user: accountShape(state, author),
    body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: associationOf(repository, author),
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: timeShape(submittedAt),
    commit_id: commit,
  };
}

const COUNTED = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];

/** The number of reactions of each kind. */
export function reactionCounts(url: string, reactions: readonly ReactionRecord[]): Record<string, unknown> {
  const counts = COUNTED.map((kind) => [kind, reactions.filter(({ content }) => content === kind).length]);
  return { url, total_count: reactions.length, ...(Object.fromEntries(counts) as Record<string, number>) };
}
