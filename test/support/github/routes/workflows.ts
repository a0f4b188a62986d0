import { notFound, ok, type Answer } from '../answers';
import type { CheckRunRecord } from '../records';
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
];

function listRuns(request: RepositoryRequest): Answer {
  const { state, repository, query } = request;
  const sha = query.get('head_sha');
  const found = repository.workflowRuns.filter((run) => sha === null || run.sha === sha).reverse();
  const { items, headers } = pageOf(request, found);
  const runs = items.map((run) => workflowRunShape(state, repository, run));
  return ok({ total_count: found.length, workflow_runs: runs }, headers);
}

/** Of a restart of some jobs the others are listed only with the attempt that they ran in. */
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
