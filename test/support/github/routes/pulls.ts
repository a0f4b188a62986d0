import { created, GitHubRefusal, invalid, notFound, ok, type Answer } from '../answers';
import { askToMerge, mergeResult } from '../background-merges';
import { mergePull } from '../landing';
import { closePull, editPull, openPull, reopenPull } from '../pulls';
import type { PullRequest, RepositoryRecord } from '../records';
import { pageOf, requiredTextOf, textOf, wordOf, type RepositoryRequest, type RepositoryRoute } from '../router';
import { reviewShape } from '../shapes/comment';
import { pullShape, simplePullShape } from '../shapes/pull-request';
import { stackShape } from '../shapes/stack';
import { pullOf, type GitHubState } from '../state';

const METHODS = ['merge', 'squash', 'rebase'] as const;
const ACTIONS = ['default', 'direct_merge', 'merge_queue'] as const;
const ON_PULL = '/repos/{owner}/{repo}/pulls/{pull_number}';
const READING = { for: 'repository', permissions: ['pull_requests'], level: 'read' } as const;
const WRITING = { for: 'repository', permissions: ['pull_requests'], level: 'write' } as const;

export const PULL_ROUTES: readonly RepositoryRoute[] = [
  { operation: 'pulls/list', method: 'GET', path: '/repos/{owner}/{repo}/pulls', ...READING, handle: listPulls },
  {
    operation: 'pulls/create',
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls',
    ...WRITING,
    isForReaders: true,
    handle: createPull,
  },
  {
    operation: 'pulls/get',
    method: 'GET',
    path: ON_PULL,
    ...READING,
    handle: (request) => ok(pullShape(request.state, request.repository, wantedPull(request))),
  },
  { operation: 'pulls/update', method: 'PATCH', path: ON_PULL, ...WRITING, handle: updatePull },
  {
    operation: 'pulls/merge',
    method: 'PUT',
    path: `${ON_PULL}/merge`,
    for: 'repository',
    permissions: ['contents'],
    level: 'write',
    handle: merge,
  },
  {
    operation: 'pulls/merge-async',
    method: 'PUT',
    path: `${ON_PULL}/merge-async`,
    for: 'repository',
    permissions: ['contents'],
    level: 'write',
    handle: mergeInBackground,
  },
  {
    operation: 'pulls/get-merge-async-result',
    method: 'GET',
    path: `${ON_PULL}/merge-async/{uuid}`,
    ...READING,
    handle: ({ state, repository, parameters }) => {
      if (!state.mergesInBackground) throw notFound();
      return mergeResult(state, repository, Number(parameters.pull_number), parameters.uuid ?? '');
    },
  },
  {
    operation: 'pull-request-stacks/get',
    method: 'GET',
    path: '/repos/{owner}/{repo}/stacks/{stack_number}',
    ...READING,
    handle: readStack,
  },
  {
    operation: 'pulls/list-reviews',
    method: 'GET',
    path: `${ON_PULL}/reviews`,
    ...READING,
    handle: (request) => {
      const { state, repository } = request;
      const { number } = wantedPull(request);
      const { items, headers } = pageOf(
        request,
        repository.reviews.filter((review) => review.number === number),
      );
      return ok(
        items.map((review) => reviewShape(state, repository, review)),
        headers,
      );
    },
  },
];

function readStack({ state, repository, parameters }: RepositoryRequest): Answer {
  const stack = repository.stacks.find(({ number }) => number === Number(parameters.stack_number));
  if (stack === undefined) throw notFound();
  return ok(stackShape(state, repository, stack));
}

function listPulls(request: RepositoryRequest): Answer {
  const { state, repository, query } = request;
  const wanted = query.get('state') ?? 'open';
  const base = query.get('base');
  const head = query.get('head');
  const found = [...repository.pulls.values()].filter(
    (pull) =>
      (wanted === 'all' || pull.state === wanted) &&
      (base === null || pull.base.ref === base) &&
      (head === null || head === labelOf(pull)),
  );
  const time = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  found.sort((a, b) => b[time].getTime() - a[time].getTime() || b.id - a.id);
  const isAscending = (query.get('direction') ?? (query.has('sort') ? 'asc' : 'desc')) === 'asc';
  const { items, headers } = pageOf(request, isAscending ? found.reverse() : found);
  return ok(
    items.map((pull) => simplePullShape(state, repository, pull)),
    headers,
  );
}

function createPull({ state, repository, account, body }: RepositoryRequest): Answer {
  const draft = body.draft === true;
  const head = headOf(state, repository, requiredTextOf(body, 'head'));
  const pull = openPull(state, repository, {
    title: requiredTextOf(body, 'title'),
    body: textOf(body, 'body') ?? null,
    author: account,
    head,
    base: requiredTextOf(body, 'base'),
    draft,
  });
  return created(pullShape(state, repository, pull));
}

function headOf(
  state: GitHubState,
  repository: RepositoryRecord,
  text: string,
): { repository: RepositoryRecord; ref: string } {
  const [owner = '', ref] = text.split(':');
  if (ref === undefined) return { repository, ref: text };
  if (owner.toLowerCase() === repository.owner.login.toLowerCase()) return { repository, ref };
  const fork = [...state.repositories.values()].find(
    (one) => one.parent === repository && one.owner.login.toLowerCase() === owner.toLowerCase(),
  );
  if (fork === undefined) throw invalid('PullRequest', 'head', { code: 'invalid' });
  return { repository: fork, ref };
}

function updatePull(request: RepositoryRequest): Answer {
  const { state, repository, account, body } = request;
  const pull = wantedPull(request);
  editPull(
    state,
    repository,
    pull,
    { title: textOf(body, 'title'), body: textOf(body, 'body'), base: textOf(body, 'base') },
    account,
  );
  const wanted = wordOf(body, 'state', ['open', 'closed']);
  if (wanted === 'closed') closePull(state, repository, pull, account);
  if (wanted === 'open') reopenPull(state, repository, pull, account);
  return ok(pullShape(state, repository, pull));
}

function merge(request: RepositoryRequest): Answer {
  const { state, repository, account, body } = request;
  const sha = mergePull(state, repository, wantedPull(request), {
    method: wordOf(body, 'merge_method', METHODS) ?? 'merge',
    by: account,
    title: textOf(body, 'commit_title'),
    message: textOf(body, 'commit_message'),
    sha: textOf(body, 'sha'),
  });
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

function mergeInBackground(request: RepositoryRequest): Answer {
  const { state, repository, account, body } = request;
  if (!state.mergesInBackground) throw notFound();
  const pull = wantedPull(request);
  return askToMerge(state, repository, pull, {
    method: wordOf(body, 'merge_method', METHODS),
    action: wordOf(body, 'merge_action', ACTIONS) ?? 'default',
    by: account,
    title: textOf(body, 'commit_title'),
    message: textOf(body, 'commit_message'),
    expectedHead: textOf(body, 'sha') ?? pull.head.sha,
  });
}

export function wantedPull({ repository, parameters }: RepositoryRequest): PullRequest {
  const number = Number(parameters.pull_number ?? parameters.issue_number);
  if (!Number.isInteger(number)) throw new GitHubRefusal(404, 'Not Found');
  return pullOf(repository, number);
}

function labelOf({ head }: PullRequest): string {
  return `${head.repository.owner.login}:${head.ref}`;
}
