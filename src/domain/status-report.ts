import type { StatusReporter } from './status-reporter';

export interface StatusReport {
  readonly repositoryId: string;
  readonly sha: string;
  readonly kind: 'status' | 'check_run';
  readonly name: string;
  readonly state: CommitState;
  /**
   * The id, at the host, of the app that reported the status. Null or absent: no app reported it, or the host does not
   * say.
   */
  readonly app?: string | null;
  /** Who reported the status. Absent: the host does not say. */
  readonly reporter?: StatusReporter;
  /**
   * The id of the job at the host, because several jobs of an app may have the same name. Absent: the newest report of
   * a name replaces the others.
   */
  readonly job?: string;
  /**
   * Set if a webhook reported the status, but only the jobs show its result. The status is pending until `readStatuses`
   * has read the jobs.
   */
  readonly isUnconfirmed?: true;
  /**
   * The host's own time and id of the report. The reports of one name are ordered by time and id, because reports may
   * arrive out of order.
   */
  readonly hostTime: Date;
  readonly hostId: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** The progress of CI on a commit that the queue tests. */
export interface CiProgress {
  /** Whether everything that CI started for the commit has ended. */
  readonly isDone: boolean;
  /** The number of workflow runs, or pipelines, for the commit. */
  readonly runs: number;
  /** The names, out of the `names` asked about, whose form shows that only jobs report under them. */
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
  /** The machine that ran the job was lost, so the job has no result of its own. */
  | 'runner_lost'
  /** A newer run or attempt replaced the job, so it does not count. */
  | 'superseded';
