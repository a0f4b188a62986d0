import type { StatusReporter } from './status-reporter';

export interface StatusReport {
  readonly repositoryId: string;
  readonly sha: string;
  readonly kind: 'status' | 'check_run';
  readonly name: string;
  readonly state: CommitState;
  /** The host's own id of the app that reported it; null or absent: no app did, or the host does not say. */
  readonly app?: string | null;
  /** Absent: the host does not say. */
  readonly reporter?: StatusReporter;
  /** The host's id of the job. Several jobs of an app may have one name. Absent: the newest report of a name replaces the others. */
  readonly job?: string;
  /** Told by a webhook: what it comes to is known only from the jobs, which `readStatuses` reads. Until then it is pending. */
  readonly isUnconfirmed?: true;
  /** The host's own time and id of the report: they order the reports of one name, arrival does not. */
  readonly hostTime: Date;
  readonly hostId: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** How far CI is with a commit that the queue tests. */
export interface CiProgress {
  /** Everything that CI began for the commit has ended. */
  readonly isDone: boolean;
  /** How many workflow runs, or pipelines, there are for it. */
  readonly runs: number;
  /** Of the names asked about, those of a form that only jobs report. */
  readonly namesOfJobs: readonly string[];
}

export type CommitState =
  | 'pending'
  | 'success'
  | 'failure'
  | 'error'
  | 'neutral'
  | 'skipped'
  | 'cancelled'
  | 'stale'
  | 'timed_out'
  | 'action_required'
  | 'startup_failure'
  /** The machine that ran the job was lost, so the job has no result. */
  | 'runner_lost'
  /** A newer run or attempt replaced it, so it does not count. */
  | 'superseded';
