import { announceCheckRun } from './events';
import type { CheckConclusion, CheckRunRecord, RepositoryRecord, WorkflowRunRecord } from './records';
import { addCheckRun, changeCheckRun } from './reports';
import type { GitHubState } from './state';

export type JobState = CheckConclusion | 'queued' | 'in_progress';

/**
 * A run of a workflow file, with the results of its jobs. A person may restart the run, and its concurrency group may
 * cancel it.
 */
export class WorkflowRunDouble {
  constructor(
    private readonly state: GitHubState,
    private readonly repository: RepositoryRecord,
    readonly record: WorkflowRunRecord,
  ) {}

  /** Adds a job to the newest attempt. Several jobs may have the same name. */
  addJob(name: string, to: JobState = 'queued'): CheckRunRecord {
    const { sha } = this.record;
    return addCheckRun(this.state, this.repository, { sha, name, by: this.record }, changeTo(to));
  }

  changeJob(job: CheckRunRecord, to: JobState): void {
    changeCheckRun(this.state, this.repository, job, changeTo(to));
  }

  /** Ends the job with a conclusion. An annotation by GitHub gives the reason. */
  endJob(job: CheckRunRecord, conclusion: CheckConclusion, why: string): void {
    job.annotations = [why];
    this.changeJob(job, conclusion);
  }

  /** Starts another attempt, to which the next jobs belong. */
  restart(): void {
    this.record.attempt++;
  }

  /** Makes GitHub send the event of the job again. */
  announce(job: CheckRunRecord): void {
    announceCheckRun(this.state, this.repository, job, 'completed');
  }
}

export function startWorkflow(
  state: GitHubState,
  repository: RepositoryRecord,
  of: Pick<WorkflowRunRecord, 'sha' | 'path' | 'event'>,
): WorkflowRunRecord {
  const branch = [...repository.branches].find(([, tip]) => tip === of.sha)?.[0] ?? null;
  const run = { ...of, id: state.nextId(), suiteId: state.nextId(), branch, attempt: 1, createdAt: state.now() };
  repository.workflowRuns.push(run);
  return run;
}

function changeTo(to: JobState) {
  const isOpen = to === 'queued' || to === 'in_progress';
  return isOpen ? { status: to } : { status: 'completed' as const, conclusion: to };
}
