import type { CheckRunRecord, RepositoryRecord, WorkflowRunRecord } from '../records';
import { fullName, type GitHubState } from '../state';
import { nodeId } from './account';
import { minimalRepositoryShape } from './repository';
import { timeOrNull, timeShape } from './time';

export function workflowRunShape(
  state: GitHubState,
  repository: RepositoryRecord,
  run: WorkflowRunRecord,
): Record<string, unknown> {
  const place = `/repos/${fullName(repository)}`;
  const url = state.api(`${place}/actions/runs/${run.id}`);
  const jobs = repository.checkRuns.filter(({ suiteId }) => suiteId === run.suiteId);
  const isOver = jobs.length > 0 && jobs.every(({ status }) => status === 'completed');
  const isGood = jobs.every(({ conclusion }) => conclusion === 'success');
  return {
    ...{ id: run.id, node_id: nodeId('WFR', run.id), run_number: run.id, run_attempt: run.attempt, workflow_id: 1 },
    ...{ head_sha: run.sha, head_branch: run.branch, path: run.path, event: run.event, display_title: run.path },
    ...{ status: isOver ? 'completed' : 'in_progress', conclusion: isOver ? (isGood ? 'success' : 'failure') : null },
    ...{ check_suite_id: run.suiteId, check_suite_url: state.api(`${place}/check-suites/${run.suiteId}`) },
    ...{ url, html_url: state.html(`/${fullName(repository)}/actions/runs/${run.id}`) },
    ...{ jobs_url: `${url}/jobs`, logs_url: `${url}/logs`, cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun` },
    ...{ artifacts_url: `${url}/artifacts`, workflow_url: state.api(`${place}/actions/workflows/1`) },
    ...{ created_at: timeShape(run.createdAt), updated_at: timeShape(run.createdAt) },
    ...{ head_commit: null, pull_requests: [] },
    repository: minimalRepositoryShape(state, repository),
    head_repository: minimalRepositoryShape(state, repository),
  };
}

export function jobShape(
  state: GitHubState,
  repository: RepositoryRecord,
  run: WorkflowRunRecord,
  job: CheckRunRecord,
): Record<string, unknown> {
  const place = `/repos/${fullName(repository)}`;
  return {
    ...{ id: job.id, node_id: nodeId('CR', job.id), name: job.name, run_id: run.id, run_attempt: job.attempt },
    ...{ head_sha: run.sha, head_branch: run.branch, workflow_name: run.path, labels: ['ubuntu-latest'] },
    ...{ status: job.status, conclusion: job.conclusion, completed_at: timeOrNull(job.completedAt) },
    ...{ created_at: timeShape(run.createdAt), started_at: timeShape(job.startedAt ?? run.createdAt) },
    ...{ runner_id: null, runner_name: null, runner_group_id: null, runner_group_name: null },
    url: state.api(`${place}/actions/jobs/${job.id}`),
    run_url: state.api(`${place}/actions/runs/${run.id}`),
    html_url: state.html(`/${fullName(repository)}/actions/runs/${run.id}/job/${job.id}`),
    check_run_url: state.api(`${place}/check-runs/${job.id}`),
  };
}
