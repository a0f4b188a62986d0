import type { CiProgress, CommitState } from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import { at, numberAt, textAt } from '../../reading';
import { type RepositoryPath, repositoryKey } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';
import type { WorkflowRun } from '../../counting-jobs';
import type { JobAddress } from './job-address';

/** A workflow run of a commit, with the jobs of its newest attempt. */
export interface ListedRun extends WorkflowRun {
  /** The end of the job URLs of the run: see `JobAddress`. */
  readonly address: string;
  readonly jobs: readonly ListedJob[];
}

export interface ListedJob {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  readonly state: CommitState;
  readonly address: JobAddress;
  /** Whether a runner took the job; null if the server does not say. */
  readonly wasTaken: boolean | null;
  /** Whether the log of the job can be read on the server. */
  readonly hasLog: boolean;
}

const ENDS: readonly CommitState[] = ['success', 'failure', 'cancelled', 'skipped'];
/** The form of a job's status name: `<workflow> / <job> (<event>)`. */
const OF_A_JOB = /^.+ \/ .+ \([a-z_]+\)$/;
/** Matches the line that a runner writes at the end of a log. */
const END_OF_LOG = /\bJob (succeeded|failed)\b/;
const END_BYTES = 4_096;
const MOST_LOGS = 1_000;

/** The workflow runs of commits, from Gitea 1.25 on and from Forgejo. */
export class WorkflowRuns {
  /** Whether the log of a job was cut off, by repository and job. The log of an ended job does not change. */
  private readonly cutOff = new BoundedMap<boolean>(MOST_LOGS);

  constructor(private readonly api: GiteaApi) {}

  /** The workflow runs of a commit; null if the server does not list them, or not for this service. */
  async of(repository: RepositoryPath, commit: string): Promise<readonly ListedRun[] | null> {
    const listed = (await listRuns(this.api, repository, commit))?.map(runIn).filter((run) => run !== null);
    if (listed === undefined) return null;
    const runs: ListedRun[] = [];
    for (const run of listed) {
      const isOld = listed.some(({ id, file, event }) => id > run.id && file === run.file && event === run.event);
      const jobs = isOld ? [] : await this.jobsOf(repository, run);
      if (jobs === null) return null;
      runs.push({ ...run, jobs });
    }
    return runs;
  }

  private async jobsOf(repository: RepositoryPath, run: Omit<ListedRun, 'jobs'>): Promise<readonly ListedJob[] | null> {
    const answer = await this.api.askAll(repository, `actions/runs/${run.id}/jobs`, {}, 'jobs');
    if (answer.type === 'refused') return null;
    const listed = (answer.body as unknown[]).toSorted((a, b) => (numberAt(a, 'id') ?? 0) - (numberAt(b, 'id') ?? 0));
    const jobs: ListedJob[] = [];
    for (const job of listed.flatMap((body, place) => jobIn(body, run.address, place))) {
      const isLost = job.state === 'failure' && (await this.wasLost(repository, job));
      jobs.push(isLost ? { ...job, state: 'runner_lost' } : job);
    }
    return jobs;
  }

  /**
   * Whether the runner of a job was lost: no runner took the job, or its log lacks the line that a runner writes last.
   */
  private async wasLost(repository: RepositoryPath, job: ListedJob): Promise<boolean> {
    if (job.wasTaken === false) return true;
    if (!job.hasLog) return false;
    const key = `${repositoryKey(repository)} ${job.id}`;
    const known = this.cutOff.get(key);
    if (known !== undefined) return known;
    const log = await this.api.ask(repository, 'GET', `actions/jobs/${job.id}/logs`, { lastBytes: END_BYTES });
    const isCutOff = log.type === 'answered' ? !END_OF_LOG.test(String(log.body)) : log.status === 404;
    this.cutOff.set(key, isCutOff);
    return isCutOff;
  }
}

/** The workflow runs of a commit, as the server lists them; null if it does not list them, or not for this service. */
export async function listRuns(
  api: GiteaApi,
  repository: RepositoryPath,
  commit: string,
): Promise<readonly unknown[] | null> {
  const answer = await api.askAll(repository, 'actions/runs', { head_sha: commit }, 'workflow_runs');
  return answer.type === 'refused' ? null : (answer.body as readonly unknown[]);
}

/** Whether a workflow run has ended. Forgejo uses one field for the progress of a run and its result. */
export function hasRunEnded(run: unknown): boolean {
  return ['completed', ...ENDS].some((end) => end === textAt(run, 'status'));
}

/**
 * The progress of CI, read from the workflow runs that Gitea from 1.25 on and Forgejo list. Null if the server does not
 * list them, or not for this service.
 */
export async function readWorkflowProgress(
  api: GiteaApi,
  repository: RepositoryPath,
  commit: string,
  names: readonly string[],
): Promise<CiProgress | null> {
  const runs = await listRuns(api, repository, commit);
  if (runs === null) return null;
  const namesOfJobs = names.filter((name) => OF_A_JOB.test(name));
  return { isDone: runs.every(hasRunEnded), runs: runs.length, namesOfJobs };
}

function runIn(body: unknown): Omit<ListedRun, 'jobs'> | null {
  const id = numberAt(body, 'id');
  const file = textAt(body, 'path') ?? textAt(body, 'workflow_id');
  const event = textAt(body, 'trigger_event') || textAt(body, 'event');
  const address = /\/actions\/runs\/(\d+)/.exec(textAt(body, 'html_url') ?? '')?.[1];
  if (id === null || file === null || event === null || address === undefined) return null;
  // Gitea appends `@` and the ref to the file. Only the ref is removed, because a file name may contain `@`, too.
  return { id, suite: id, file: file.replace(/(\.ya?ml)@.*$/, '$1'), event, address };
}

/** A job of a run. Forgejo gives no URL for a job, so its position in the run identifies it. */
function jobIn(body: unknown, run: string, place: number): readonly ListedJob[] {
  const id = numberAt(body, 'id');
  const name = textAt(body, 'name');
  if (id === null || name === null) return [];
  const shown = /\/jobs\/(\d+)$/.exec(textAt(body, 'html_url') ?? '')?.[1];
  const task = numberAt(body, 'task_id');
  // Forgejo uses one field for the progress and the result of a job.
  const end = textAt(body, 'conclusion') || textAt(body, 'status');
  return [
    {
      ...{ id, name, attempt: numberAt(body, 'run_attempt') ?? numberAt(body, 'attempt') ?? 1 },
      state: ENDS.find((known) => known === end) ?? 'pending',
      address: `${run}/${shown ?? place}`,
      wasTaken: task === null ? null : task > 0,
      hasLog: Array.isArray(at(body, 'steps')),
    },
  ];
}
