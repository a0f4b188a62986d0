import type { PullRequest, RepositoryRecord, StackRecord } from '../records';
import { fullName, type GitHubState, pullOf } from '../state';
import { accountShape, nodeId } from './account';
import { timeOrNull, timeShape } from './time';

export function stackShape(
  state: GitHubState,
  repository: RepositoryRecord,
  { id, number, base, layers, at }: StackRecord,
): Record<string, unknown> {
  const pulls = layers.map((layer) => pullOf(repository, layer));
  return {
    id,
    number,
    node_id: nodeId('PRS', id),
    url: state.api(`/repos/${fullName(repository)}/stacks/${number}`),
    base: { ref: base },
    open: pulls.some((pull) => pull.state === 'open'),
    created_at: timeShape(at),
    pull_requests: pulls.map((pull) => layerShape(state, repository, pull)),
  };
}

function layerShape(state: GitHubState, repository: RepositoryRecord, pull: PullRequest): Record<string, unknown> {
  const { id, number, title, draft, head, base, author, merged } = pull;
  const place = `/${fullName(repository)}`;
  return {
    ...{ id, number, title, draft },
    node_id: nodeId('PR', id),
    url: state.api(`/repos${place}/pulls/${number}`),
    html_url: state.html(`${place}/pull/${number}`),
    state: pull.state,
    merged_at: timeOrNull(merged?.at),
    head: { ref: head.ref, sha: head.sha, repo: placeShape(state, head.repository) },
    base: { ref: base.ref, sha: base.sha, repo: placeShape(state, repository) },
    user: accountShape(state, author),
  };
}

function placeShape(state: GitHubState, repository: RepositoryRecord): Record<string, unknown> {
  const { id, name } = repository;
  return { id, name, url: state.api(`/repos/${fullName(repository)}`) };
}
