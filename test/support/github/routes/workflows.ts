import { notFound, ok, type Answer } from '../answers';
import type { CheckRunRecord } from '../records';
import { changeCheckRun } from '../reports';
import { pageOf, type RepositoryRequest, type RepositoryRoute } from '../router';
import { jobShape, workflowRunShape } from '../shapes/workflows';

const ACTIONS_READ = { for: 'repository', permissions: ['actions'], level: 'read' } as const;

export const WORKFLOW_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'actions/list-workflow-runs-for-repo',
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs',
    ...ACTIONS_READ,
    handle: listRuns,
  },
  {
    operation: 'actions/list-jobs-for-workflow-run',
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
    ...ACTIONS_READ,
    handle: listJobs,
  },
  {
    operation: 'actions/cancel-workflow-run',
    method: 'POST',
    path: '/repos/{owner}/{repo}/actions/runs/{run_id}/cancel',
    for: 'repository',
    permissions: ['actions'],
    level: 'write',
    handle: cancelRun,
  },
  {
    operation: 'checks/list-annotations',
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
    for: 'repository',
    permissions: ['checks'],
    level: 'read',
    handle: listAnnotations,
  },
];

function cancelRun({ state, repository, parameters }: RepositoryRequest): Answer {
  const run = repository.workflowRuns.find(({ id }) => id === Number(parameters.run_id));
  if (run === undefined) throw notFound();
  const open = repository.checkRuns.filter(({ suiteId, status }) => suiteId === run.suiteId && status !== 'completed');
  for (const job of open) changeCheckRun(state, repository, job, { status: 'completed', conclusion: 'cancelled' });
  return { status: 202, body: {} };
}

function listAnnotations(request: RepositoryRequest): Answer {
  const { repository, parameters } = request;
  const run = repository.checkRuns.find(({ id }) => id === Number(parameters.check_run_id));
  if (run === undefined) throw notFound();
  const { items, headers } = pageOf(request, run.annotations);
  return ok(items.map(annotationShape), headers);
}

function annotationShape(message: string): object {
  const place = { path: '.github', blob_href: '', start_line: 1, end_line: 1, start_column: null, end_column: null };
  return { ...place, annotation_level: 'failure', title: null, message, raw_details: null };
}

function listRuns(request: RepositoryRequest): Answer {
  const { state, repository, query } = request;
  const sha = query.get('head_sha');
  const found = repository.workflowRuns.filter((run) => sha === null || run.sha === sha).reverse();
  const { items, headers } = pageOf(request, found);
  const runs = items.map((run) => workflowRunShape(state, repository, run));
  return ok({ total_count: found.length, workflow_runs: runs }, headers);
}

/**
 * Lists the jobs of a run. After a restart of some jobs, the other jobs are listed only with the attempt in which they
 * ran.
 */
function listJobs(request: RepositoryRequest): Answer {
  const { state, repository, query, parameters } = request;
  const run = repository.workflowRuns.find(({ id }) => id === Number(parameters.run_id));
  if (run === undefined) throw notFound();
  const isListed = ({ suiteId, attempt }: CheckRunRecord): boolean =>
    suiteId === run.suiteId && (query.get('filter') === 'all' || attempt === run.attempt);
  const found = repository.checkRuns.filter(isListed);
  const { items, headers } = pageOf(request, found);
  return ok({ total_count: found.length, jobs: items.map((job) => jobShape(state, repository, run, job)) }, headers);
}
