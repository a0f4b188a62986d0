import type { Answer } from '../forge/answer';
import { GiteaRefusal } from './refusal';
import { pageOf, type RepositoryRequest, route } from './router';
import type { JobRecord, Pull, Repository, WorkflowRunRecord } from './state';
import { addressOfJob, addressOfRun, WorkflowRunDouble } from './workflow-runs';

export const WORKFLOW_ROUTES = [
  route('getWorkflowRuns', 'GET', /^\/actions\/runs$/, (request) => {
    requireListed(request);
    const sha = request.query.get('head_sha');
    const found = request.repository.workflowRuns.filter((run) => sha === null || run.sha === sha).toReversed();
    const { body, ...answer } = pageOf(request, found, (run) => runShape(request, run));
    return { ...answer, body: { workflow_runs: body, total_count: found.length } };
  }),
  route('listWorkflowRunJobs', 'GET', /^\/actions\/runs\/(\d+)\/jobs$/, (request) => {
    requireListed(request);
    const run = request.repository.workflowRuns.find(({ id }) => id === Number(request.parameters[0]));
    if (run === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
    const { body, ...answer } = pageOf(request, run.jobs, (job) => jobShape(request, run, job));
    // Forgejo answers with the list itself, without an object around it.
    return { ...answer, body: request.state.isForgejo ? body : { jobs: body, total_count: run.jobs.length } };
  }),
  route('downloadActionsRunJobLogs', 'GET', /^\/actions\/jobs\/(\d+)\/logs$/, (request): Answer => {
    if (request.state.isForgejo) throw new GiteaRefusal(404, 'Not Found');
    const jobs = request.repository.workflowRuns.flatMap((run) => run.jobs);
    const log = jobs.find(({ id }) => id === Number(request.parameters[0]))?.log ?? null;
    if (log === null) throw new GiteaRefusal(404, "The target couldn't be found.");
    return { status: 200, raw: { content: Buffer.from(log), mediaType: 'text/plain; charset=utf-8' } };
  }),
  route('CancelActionRun', 'POST', /^\/actions\/runs\/(\d+)\/cancel$/, cancelRun),
];

/** Cancels a run. Gitea before 1.28 has no operation that cancels a run. */
function cancelRun(request: RepositoryRequest): Answer {
  const { state, happenings, repository, parameters } = request;
  const run = repository.workflowRuns.find(({ id }) => id === Number(parameters[0]));
  if (!state.isForgejo || run === undefined) throw new GiteaRefusal(404, 'Not Found');
  new WorkflowRunDouble(happenings, repository, run).cancel();
  return { status: 204 };
}

function requireListed({ state }: RepositoryRequest): void {
  if (!state.listsWorkflowRuns) throw new GiteaRefusal(404, 'Not Found');
}

function runShape({ state, repository }: RepositoryRequest, run: WorkflowRunRecord): object {
  const { id, index, sha, file, event, attempt, branch, pull } = run;
  const html_url = `${state.origin}${addressOfRun(state.isForgejo, repository, run)}`;
  if (state.isForgejo) {
    const status = statusOf(run.jobs.map(({ state: one }) => one));
    const prettyref = pull === null ? branch : `#${pull.number}`;
    const named = {
      id,
      index_in_repo: index,
      html_url,
      workflow_id: file,
      commit_sha: sha,
      event,
      trigger_event: event,
    };
    return { ...named, prettyref, status: { queued: 'waiting', in_progress: 'running', completed: 'success' }[status] };
  }
  return {
    ...{
      id,
      html_url,
      run_number: index,
      run_attempt: attempt,
      head_sha: sha,
      event,
      path: `${file}@refs/pull/1/head`,
    },
    ...{ display_title: 'a change', status: statusOf(run.jobs.map(({ state: one }) => one)) },
    ...(pull === null && { head_branch: branch }),
    pull_requests: pull === null ? [] : [{ number: pull.number, ...endsOf(repository, pull) }],
  };
}

function jobShape({ state, repository }: RepositoryRequest, run: WorkflowRunRecord, job: JobRecord): object {
  const { id, name, attempt, state: standing } = job;
  const isOpen = standing === 'queued' || standing === 'in_progress';
  if (state.isForgejo) {
    const status = { queued: 'waiting', in_progress: 'running' }[standing as string] ?? standing;
    return { id, name, attempt, run_id: run.id, status, task_id: standing === 'queued' || job.log === null ? 0 : id };
  }
  return {
    ...{ id, name, run_id: run.id, run_attempt: attempt, head_sha: run.sha, status: statusOf([standing]), steps: [] },
    ...(!isOpen && { conclusion: standing }),
    html_url: `${state.origin}${addressOfJob(false, repository, run, job)}`,
  };
}

function endsOf(repository: Repository, { head, base }: Pull): object {
  return {
    head: { ref: head.branch, sha: head.sha, repo: { id: head.repository.id } },
    base: { ref: base, repo: { id: repository.id } },
  };
}

function statusOf(states: readonly string[]): 'queued' | 'in_progress' | 'completed' {
  if (states.includes('in_progress')) return 'in_progress';
  return states.includes('queued') ? 'queued' : 'completed';
}
