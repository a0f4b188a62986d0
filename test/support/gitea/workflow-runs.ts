import type { Happenings } from './happenings';
import {
  fullNameOf,
  type JobRecord,
  type JobState,
  type Repository,
  type StatusState,
  type WorkflowRunRecord,
} from './state';

const TOLD: Readonly<Record<JobState, readonly [StatusState, string]>> = {
  queued: ['pending', 'Waiting to run'],
  in_progress: ['pending', 'In progress'],
  success: ['success', 'Successful in 1s'],
  failure: ['failure', 'Failing after 1s'],
  cancelled: ['failure', 'Canceled after 5s'],
  skipped: ['skipped', 'Skipped'],
};

/** A run of a workflow file. The server reports its jobs as statuses of the commit, without a creator. */
export class WorkflowRunDouble {
  constructor(
    private readonly happenings: Happenings,
    private readonly repository: Repository,
    readonly record: WorkflowRunRecord,
  ) {}

  /**
   * Adds a job to the newest attempt. Several jobs may have the same name. Servers report a job before it can begin.
   */
  addJob(name: string, to: JobState = 'queued'): JobRecord {
    const { attempt, jobs } = this.record;
    const job: JobRecord = { id: this.happenings.state.nextId(), name, attempt, state: 'queued', log: null };
    jobs.push(job);
    this.tell(job);
    if (to !== 'queued') this.changeJob(job, to);
    return job;
  }

  changeJob(job: JobRecord, to: JobState): void {
    job.state = to;
    if (to === 'success') job.log = 'Run make\nJob succeeded\n';
    if (to === 'failure')
      job.log = `Run make\n##[error]Process completed with exit code 1.\nJob failed\nJob '${job.name}' failed\n`;
    this.tell(job);
    const ends = this.record.jobs.map(({ state }) => state);
    const isOver = ends.every((state) => state !== 'queued' && state !== 'in_progress');
    const isGood = ends.every((state) => state === 'success' || state === 'skipped');
    if (isOver) this.happenings.tellEndOfRun(this.repository, this.record, isGood);
  }

  cancel(): void {
    for (const job of this.record.jobs)
      if (job.state === 'queued' || job.state === 'in_progress') this.changeJob(job, 'cancelled');
  }

  /**
   * Ends a job as the server does when it notices, after some minutes, that the job's runner is gone. `log` is the
   * output until then; null if the runner never began.
   */
  loseRunner(job: JobRecord, log: string | null = 'Run make\n'): void {
    this.changeJob(job, 'failure');
    job.log = log;
  }

  /**
   * Restarts the failed jobs. Every job gets a new id. A passed job keeps its result, and no new status is reported for
   * it.
   */
  restartFailed(): readonly JobRecord[] {
    this.record.attempt++;
    this.record.jobs = this.record.jobs.map((job) => {
      const isDone = job.state === 'success';
      const { attempt } = this.record;
      return { ...job, id: this.happenings.state.nextId(), attempt, ...(!isDone && { state: 'queued', log: null }) };
    });
    const again = this.record.jobs.filter(({ state }) => state === 'queued');
    for (const job of again) this.tell(job);
    return again;
  }

  /** The URL path of a job. Gitea puts the job's id into it, and Forgejo the job's position. */
  addressOf(job: JobRecord): string {
    return addressOfJob(this.happenings.state.isForgejo, this.repository, this.record, job);
  }

  private tell(job: JobRecord): void {
    const { name, event, sha } = this.record;
    const [status, description] = TOLD[job.state];
    const context = `${name} / ${job.name} (${event})`;
    const facts = { sha, context, status, description, targetUrl: this.addressOf(job), creator: null };
    this.happenings.addStatus(this.repository, facts);
  }
}

export function addressOfRun(isForgejo: boolean, repository: Repository, { id, index }: WorkflowRunRecord): string {
  return `/${fullNameOf(repository)}/actions/runs/${isForgejo ? index : id}`;
}

export function addressOfJob(
  isForgejo: boolean,
  repository: Repository,
  run: WorkflowRunRecord,
  job: JobRecord,
): string {
  const place = run.jobs.findIndex(({ id }) => id === job.id);
  return `${addressOfRun(isForgejo, repository, run)}/jobs/${isForgejo ? place : job.id}`;
}
