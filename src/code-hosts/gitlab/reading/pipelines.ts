import type { CiProgress, CommitState, HostRepository, StatusReport } from '../../../domain/code-host.port';
import { cancelledByCi } from '../../counting-jobs';
import { at, numberAt, textAt, timeAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';

/** The name of the report for a pipeline as a whole. */
export const WHOLE_PIPELINE = 'pipeline';
const BEFORE_EVERYTHING = new Date(0);
/**
 * Only pipelines of these sources count. The first source takes precedence. Anybody who may push can report external
 * statuses under any name, and start pipelines manually with custom variables.
 */
const SOURCES = ['merge_request_event', 'push'];

/** A skipped job did not run because an earlier one failed, so it is no success. A manual job waits for a person. */
const STATES: Readonly<Record<string, CommitState>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  canceling: 'cancelled',
  skipped: 'failure',
};
const ENDED = ['success', 'failed', 'canceled', 'skipped'];

/** The progress of CI on the commit, by its pipelines; null if the service may not read pipelines. */
export async function readPipelineProgress(
  api: GitLabApi,
  repository: HostRepository,
  commit: string,
  names: readonly string[],
): Promise<CiProgress | null> {
  const pipelines = await api.readAll(repository, 'pipelines', { sha: commit });
  if (pipelines === null) return null;
  const isDone = pipelines.every((pipeline) => ENDED.includes(wordOf(pipeline)));
  return { isDone, runs: pipelines.length, namesOfJobs: names.filter((name) => name === WHOLE_PIPELINE) };
}

/** The pipeline that counts for a commit; null if there is none yet. */
export function decidingPipeline(pipelines: readonly unknown[]): unknown {
  const newest = pipelines.toSorted((a, b) => (numberAt(b, 'id') ?? 0) - (numberAt(a, 'id') ?? 0));
  for (const source of SOURCES) {
    const found = newest.find((one) => textAt(one, 'source') === source);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * A report for each job name, and a report for the whole pipeline. `jobs`: the jobs without earlier attempts of retried
 * jobs.
 */
export function reportsOf(
  pipeline: unknown,
  jobs: readonly unknown[],
  repositoryId: string,
  sha: string,
): readonly StatusReport[] {
  const mandatory = jobs.filter((job) => at(job, 'allow_failure') !== true);
  const failed = mandatory.filter((job) => wordOf(job) === 'failed');
  const byName = new Map<string, StatusReport>();
  for (const job of jobs.toSorted((a, b) => (numberAt(a, 'id') ?? 0) - (numberAt(b, 'id') ?? 0))) {
    const report = reportIn(job, textAt(job, 'name'), repositoryId, sha);
    if (report === null) continue;
    const state = stateOfJob(job, jobs, failed);
    const description =
      state === 'cancelled' ? cancelledByCi(null) : (textAt(job, 'failure_reason') ?? report.description);
    byName.set(report.name, { ...report, state, description });
  }
  const whole = reportIn(pipeline, WHOLE_PIPELINE, repositoryId, sha);
  if (whole === null) return [...byName.values()];
  // A pipeline without jobs has a broken configuration.
  const state =
    jobs.length === 0 && whole.state === 'success' ? 'failure' : stateOfWhole(whole.state, mandatory, failed);
  return [...[...byName.values()].filter(({ name }) => name !== WHOLE_PIPELINE), { ...whole, state }];
}

/** `failed`: the failed jobs of the pipeline, except those that are allowed to fail. */
function stateOfJob(job: unknown, jobs: readonly unknown[], failed: readonly unknown[]): CommitState {
  const word = wordOf(job);
  const state = STATES[word] ?? 'pending';
  if (word === 'failed') return wasLost(job) ? 'runner_lost' : state;
  const hasFailed = failed.some((one) => one !== job);
  // A job may be cancelled because another job failed, if the pipeline is configured so.
  if (state === 'cancelled') return hasFailed ? 'failure' : state;
  const isSkippedByCancelling =
    word === 'skipped' && !hasFailed && jobs.some((one) => STATES[wordOf(one)] === 'cancelled');
  return isSkippedByCancelling ? 'cancelled' : state;
}

function stateOfWhole(told: CommitState, mandatory: readonly unknown[], failed: readonly unknown[]): CommitState {
  if (told === 'success') return stateByJobs(mandatory);
  if (told === 'cancelled') return failed.some((job) => !wasLost(job)) ? 'failure' : told;
  return told === 'failure' && failed.length > 0 && failed.every(wasLost) ? 'runner_lost' : told;
}

/** Whether the job failed because of GitLab or the runner, and not because of its script. */
function wasLost(job: unknown): boolean {
  return textAt(job, 'failure_reason') === 'runner_system_failure';
}

/**
 * The state of the pipeline by its own jobs. GitLab's own state is not enough, because an external status can make the
 * pipeline pass although a job has failed or waits for a person. Skipped jobs of a passed pipeline do not count,
 * because they were meant for another result.
 */
function stateByJobs(mandatory: readonly unknown[]): CommitState {
  const states = mandatory
    .map(wordOf)
    .filter((word) => word !== 'skipped')
    .map((word) => STATES[word] ?? 'pending');
  if (states.includes('failure')) return 'failure';
  if (states.includes('cancelled')) return 'cancelled';
  return states.includes('pending') ? 'pending' : 'success';
}

function reportIn(body: unknown, name: string | null, repositoryId: string, sha: string): StatusReport | null {
  const id = numberAt(body, 'id');
  if (id === null || name === null) return null;
  const times = ['updated_at', 'finished_at', 'started_at', 'created_at'];
  return {
    ...{ repositoryId, sha, name, state: stateOf(body), kind: 'status', hostId: String(id), reporter: 'job' },
    hostTime: times.map((field) => timeAt(body, field)).find((time) => time !== null) ?? BEFORE_EVERYTHING,
    url: textAt(body, 'web_url'),
    description: textAt(body, 'status'),
  };
}

function stateOf(body: unknown): CommitState {
  return STATES[wordOf(body)] ?? 'pending';
}

function wordOf(body: unknown): string {
  return textAt(body, 'status') ?? '';
}
