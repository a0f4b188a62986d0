import type { Account } from '../../forge/accounts';
import { changesBetween, countCommits } from '../../forge/git';
import { readMergeability } from '../mergeability';
import type { PullRequest, RepositoryRecord } from '../records';
import { fullName, stackHolding, type GitHubState } from '../state';
import { accountShape, nodeId } from './account';
import { labelShape } from './label';
import { repositoryShape } from './repository';
import { timeOrNull, timeShape } from './time';

export function simplePullShape(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
): Record<string, unknown> {
  const { number, id } = pull;
  const api = state.api(`/repos/${fullName(repository)}`);
  const self = `${api}/pulls/${number}`;
  const html = state.html(`/${fullName(repository)}/pull/${number}`);
  return {
    url: self,
    id,
    node_id: nodeId('PR', id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: `${api}/issues/${number}`,
    number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: accountShape(state, pull.author),
    body: pull.body,
    created_at: timeShape(pull.createdAt),
    updated_at: timeShape(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    merged_at: timeOrNull(pull.merged?.at),
    merge_commit_sha: pull.merged?.commit ?? pull.tried?.mergeCommit ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: pull.labels.map((label) => labelShape(state, repository, label)),
    milestone: null,
    draft: pull.draft,
    commits_url: `${self}/commits`,
    review_comments_url: `${self}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${api}/issues/${number}/comments`,
    statuses_url: `${api}/statuses/${pull.head.sha}`,
    head: endShape(state, pull.head.repository, pull.head),
    base: endShape(state, repository, pull.base),
    _links: linksOf(api, html, pull),
    author_association: associationOf(repository, pull.author),
    auto_merge: null,
    active_lock_reason: null,
    stack: placeShape(repository, pull),
  };
}

function placeShape(repository: RepositoryRecord, pull: PullRequest): Record<string, unknown> | null {
  const stack = stackHolding(repository, pull);
  if (stack === undefined) return null;
  const { id, number, base, baseSha, layers } = stack;
  const position = layers.indexOf(pull.number) + 1;
  return { id, number, position, size: layers.length, base: { ref: base, sha: baseSha } };
}

/** A pull request as the answer to a read shows it. A read starts GitHub's check of mergeability. */
export function pullShape(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
): Record<string, unknown> {
  const { mergeable, state: mergeableState, rebaseable } = readMergeability(repository, pull, state.now());
  return {
    ...simplePullShape(state, repository, pull),
    ...pullDetails(state, repository, pull),
    mergeable,
    rebaseable,
    mergeable_state: mergeableState,
  };
}

/** A pull request as webhooks show it. A webhook does not start a check of mergeability. */
export function announcedPullShape(
  state: GitHubState,
  repository: RepositoryRecord,
  pull: PullRequest,
): Record<string, unknown> {
  return {
    ...simplePullShape(state, repository, pull),
    ...pullDetails(state, repository, pull),
    mergeable: null,
    mergeable_state: 'unknown',
  };
}

function pullDetails(state: GitHubState, repository: RepositoryRecord, pull: PullRequest): Record<string, unknown> {
  const { world, comments } = repository;
  const counts = changesBetween(world.bare, pull.base.sha, pull.head.sha);
  return {
    merged: pull.merged !== null,
    merged_by: pull.merged === null ? null : accountShape(state, pull.merged.by),
    rebaseable: null,
    comments: comments.filter((comment) => comment.number === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: pull.head.repository !== repository,
    commits: countCommits(world.bare, pull.base.sha, pull.head.sha),
    additions: counts.reduce((sum, [added = 0]) => sum + added, 0),
    deletions: counts.reduce((sum, [, deleted = 0]) => sum + deleted, 0),
    changed_files: counts.length,
  };
}

function endShape(
  state: GitHubState,
  repository: RepositoryRecord,
  { ref, sha }: { readonly ref: string; readonly sha: string },
): Record<string, unknown> {
  const { owner } = repository;
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: accountShape(state, owner),
    repo: repositoryShape(state, repository),
  };
}

function linksOf(api: string, html: string, { number, head }: PullRequest): Record<string, unknown> {
  const link = (href: string): { href: string } => ({ href });
  return {
    self: link(`${api}/pulls/${number}`),
    html: link(html),
    issue: link(`${api}/issues/${number}`),
    comments: link(`${api}/issues/${number}/comments`),
    review_comments: link(`${api}/pulls/${number}/comments`),
    review_comment: link(`${api}/pulls/comments{/number}`),
    commits: link(`${api}/pulls/${number}/commits`),
    statuses: link(`${api}/statuses/${head.sha}`),
  };
}

export function associationOf(repository: RepositoryRecord, { login }: Account): string {
  const permission = repository.permissions.get(login.toLowerCase()) ?? 'none';
  if (repository.owner.login === login) return 'OWNER';
  return permission === 'none' ? 'NONE' : 'COLLABORATOR';
}
