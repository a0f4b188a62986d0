import { latestStatuses } from '../commit-results';
import { ACTIONS_APP, fullName, type GitHubState } from '../state';
import type { AppFacts, CheckRunRecord, RepositoryRecord, StatusRecord } from '../records';
import { accountShape, nodeId } from './account';
import { minimalRepositoryShape } from './repository';
import { timeOrNull, timeShape } from './time';

export function statusShape(
  state: GitHubState,
  repository: RepositoryRecord,
  status: StatusRecord,
): Record<string, unknown> {
  return { ...simpleStatusShape(state, repository, status), creator: accountShape(state, status.creator) };
}

function simpleStatusShape(
  state: GitHubState,
  repository: RepositoryRecord,
  status: StatusRecord,
): Record<string, unknown> {
  const at = timeShape(status.createdAt);
  return {
    url: state.api(`/repos/${fullName(repository)}/statuses/${status.sha}`),
    avatar_url: state.html(status.appId === null ? `/avatars/u/${status.creator.id}` : `/avatars/in/${status.appId}`),
    id: status.id,
    node_id: nodeId('SC', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: at,
    updated_at: at,
  };
}

export function combinedStatusShape(
  state: GitHubState,
  repository: RepositoryRecord,
  sha: string,
  page: (all: readonly StatusRecord[]) => readonly StatusRecord[],
): Record<string, unknown> {
  const latest = latestStatuses(repository, sha);
  const commit = state.api(`/repos/${fullName(repository)}/commits/${sha}`);
  const states = new Set(latest.map((status) => status.state));
  const isBad = states.has('failure') || states.has('error');
  return {
    state: isBad ? 'failure' : latest.length === 0 || states.has('pending') ? 'pending' : 'success',
    statuses: page(latest).map((status) => simpleStatusShape(state, repository, status)),
    sha,
    total_count: latest.length,
    repository: minimalRepositoryShape(state, repository),
    commit_url: commit,
    url: `${commit}/status`,
  };
}

export function checkRunShape(
  state: GitHubState,
  repository: RepositoryRecord,
  run: CheckRunRecord,
): Record<string, unknown> {
  const self = state.api(`/repos/${fullName(repository)}/check-runs/${run.id}`);
  const html = state.html(`/${fullName(repository)}/runs/${run.id}`);
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CR', run.id),
    head_sha: run.sha,
    external_id: run.externalId ?? '',
    url: self,
    html_url: html,
    details_url: run.detailsUrl ?? html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: timeOrNull(run.startedAt),
    completed_at: timeOrNull(run.completedAt),
    output: { ...run.output, annotations_count: 0, annotations_url: `${self}/annotations` },
    check_suite: { id: run.suiteId },
    app: appShape(state, run.app),
    pull_requests: pullsWithHead(state, repository, run.sha),
  };
}

export function appShape(state: GitHubState, { id, slug, name }: AppFacts): Record<string, unknown> {
  const owner = id === ACTIONS_APP.id ? 'github' : 'acme-tools';
  return {
    id,
    slug,
    node_id: nodeId('A', id),
    owner: accountShape(state, state.accounts.of(owner, 'Organization')),
    name,
    description: null,
    external_url: state.html(`/apps/${slug}`),
    html_url: state.html(`/apps/${slug}`),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    permissions: { metadata: 'read', contents: 'write', checks: 'write' },
    events: ['push', 'pull_request'],
  };
}

function pullsWithHead(state: GitHubState, repository: RepositoryRecord, sha: string): Record<string, unknown>[] {
  const repo = { id: repository.id, url: state.api(`/repos/${fullName(repository)}`), name: repository.name };
  return [...repository.pulls.values()]
    .filter((pull) => pull.state === 'open' && pull.head.sha === sha && pull.head.repository === repository)
    .map(({ id, number, head, base }) => ({
      id,
      number,
      url: `${repo.url}/pulls/${number}`,
      head: { ref: head.ref, sha: head.sha, repo },
      base: { ref: base.ref, sha: base.sha, repo },
    }));
}
