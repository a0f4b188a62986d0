import { created, GitHubRefusal, notFound, ok, type Answer } from '../answers';
import { latestCheckRuns } from '../commit-results';
import { resolveCommit } from '../../forge/git';
import { addCheckRun, addStatus, changeCheckRun, type CheckRunChange } from '../reports';
import type { CheckConclusion, CheckRunRecord, StatusState } from '../records';
import { pageOf, requiredTextOf, textOf, wordOf, type RepositoryRequest, type RepositoryRoute } from '../router';
import { commitShape } from '../shapes/commit';
import { checkRunShape, combinedStatusShape, statusShape } from '../shapes/results';

const STATES: readonly StatusState[] = ['error', 'failure', 'pending', 'success'];
const STATUSES = ['queued', 'in_progress', 'completed'] as const;
const CONCLUSIONS: readonly CheckConclusion[] = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
];
const LONGEST_DESCRIPTION = 140;
const STATUSES_READ = { for: 'repository', permissions: ['statuses'], level: 'read' } as const;
const CHECKS_READ = { for: 'repository', permissions: ['checks'], level: 'read' } as const;
const CHECKS_WRITE = { for: 'repository', permissions: ['checks'], level: 'write' } as const;

export const RESULT_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'repos/get-combined-status-for-ref',
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/status',
    ...STATUSES_READ,
    handle: (request) => {
      const { state, repository } = request;
      let headers = {};
      const body = combinedStatusShape(state, repository, commitOf(request), (all) => {
        const page = pageOf(request, all);
        headers = page.headers;
        return page.items;
      });
      return ok(body, headers);
    },
  },
  {
    operation: 'repos/list-commit-statuses-for-ref',
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/statuses',
    ...STATUSES_READ,
    handle: (request) => {
      const { state, repository } = request;
      const sha = commitOf(request);
      const { items, headers } = pageOf(request, repository.statuses.filter((one) => one.sha === sha).reverse());
      return ok(
        items.map((status) => statusShape(state, repository, status)),
        headers,
      );
    },
  },
  {
    operation: 'checks/list-for-ref',
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-runs',
    ...CHECKS_READ,
    handle: listCheckRuns,
  },
  {
    operation: 'repos/create-commit-status',
    method: 'POST',
    path: '/repos/{owner}/{repo}/statuses/{sha}',
    for: 'repository',
    permissions: ['statuses'],
    level: 'write',
    handle: createStatus,
  },
  {
    operation: 'checks/create',
    method: 'POST',
    path: '/repos/{owner}/{repo}/check-runs',
    ...CHECKS_WRITE,
    handle: createCheckRun,
  },
  {
    operation: 'checks/update',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    ...CHECKS_WRITE,
    handle: updateCheckRun,
  },
  // This route comes last. A ref may contain slashes, so the path of this route may match the paths above.
  {
    operation: 'repos/get-commit',
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}',
    for: 'repository',
    permissions: ['contents'],
    level: 'read',
    handle: (request) => ok(commitShape(request.state, request.repository, commitOf(request))),
  },
];

function commitOf({ repository, parameters }: RepositoryRequest): string {
  const sha = resolveCommit(repository.world.bare, parameters.ref ?? '');
  if (sha === null) throw new GitHubRefusal(422, `No commit found for SHA: ${parameters.ref ?? ''}`);
  return sha;
}

function listCheckRuns(request: RepositoryRequest): Answer {
  const { state, repository, query } = request;
  const sha = commitOf(request);
  const all = repository.checkRuns.filter((run) => run.sha === sha).reverse();
  const [name, status, app] = [query.get('check_name'), query.get('status'), query.get('app_id')];
  const found = (query.get('filter') === 'all' ? all : latestCheckRuns(repository, sha)).filter(
    (run) =>
      (name === null || run.name === name) &&
      (status === null || run.status === status) &&
      (app === null || run.app.id === Number(app)),
  );
  const { items, headers } = pageOf(request, found);
  const runs = items.map((run) => checkRunShape(state, repository, run));
  return ok({ total_count: found.length, check_runs: runs }, headers);
}

function createStatus({ state, repository, account, parameters, body }: RepositoryRequest): Answer {
  const sha = resolveCommit(repository.world.bare, parameters.sha ?? '');
  if (sha === null) throw new GitHubRefusal(422, `No commit found for SHA: ${parameters.sha ?? ''}`);
  const word = wordOf(body, 'state', STATES);
  if (word === undefined) throw new GitHubRefusal(422, 'Invalid request.\n\n"state" wasn\'t supplied.');
  const description = textOf(body, 'description') ?? null;
  if (description !== null && description.length > LONGEST_DESCRIPTION) {
    const why = {
      resource: 'Status',
      code: 'custom',
      field: 'description',
      message: 'description is too long (maximum is 140 characters)',
    };
    throw new GitHubRefusal(422, 'Validation Failed', [why]);
  }
  const context = textOf(body, 'context') ?? 'default';
  const targetUrl = textOf(body, 'target_url') ?? null;
  const status = addStatus(state, repository, { sha, context, state: word, description, targetUrl }, account);
  return created(statusShape(state, repository, status));
}

function createCheckRun(request: RepositoryRequest): Answer {
  const { state, repository, caller, body } = request;
  requireApp(caller.type);
  const sha = resolveCommit(repository.world.bare, requiredTextOf(body, 'head_sha'));
  if (sha === null) throw new GitHubRefusal(422, `No commit found for SHA: ${textOf(body, 'head_sha') ?? ''}`);
  const run = addCheckRun(
    state,
    repository,
    { sha, name: requiredTextOf(body, 'name'), by: state.app },
    queuedHeadOf(body),
  );
  return created(checkRunShape(state, repository, run));
}

function updateCheckRun({ state, repository, caller, parameters, body }: RepositoryRequest): Answer {
  requireApp(caller.type);
  const run = repository.checkRuns.find((one) => one.id === Number(parameters.check_run_id));
  if (run === undefined) throw notFound();
  if (run.app.id !== state.app.id) {
    throw new GitHubRefusal(
      403,
      `Invalid app_id \`${state.app.id}\` - check run can only be modified by the GitHub App that created it.`,
    );
  }
  changeCheckRun(state, repository, run, queuedHeadOf(body));
  return ok(checkRunShape(state, repository, run));
}

function requireApp(caller: string): void {
  if (caller !== 'installation') throw new GitHubRefusal(403, 'You must authenticate via a GitHub App.');
}

function queuedHeadOf(body: RepositoryRequest['body']): CheckRunChange {
  return {
    name: textOf(body, 'name'),
    status: wordOf(body, 'status', STATUSES),
    conclusion: wordOf(body, 'conclusion', CONCLUSIONS),
    detailsUrl: textOf(body, 'details_url'),
    externalId: textOf(body, 'external_id'),
    startedAt: dateOf(body, 'started_at'),
    completedAt: dateOf(body, 'completed_at'),
    output: outputOf(body),
  };
}

function dateOf(body: RepositoryRequest['body'], field: string): Date | undefined {
  const text = textOf(body, field);
  return text === undefined ? undefined : new Date(text);
}

function outputOf({ output }: RepositoryRequest['body']): CheckRunRecord['output'] | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const fields = output as Record<string, unknown>;
  return {
    title: textOf(fields, 'title') ?? null,
    summary: requiredTextOf(fields, 'summary'),
    text: textOf(fields, 'text') ?? null,
  };
}
