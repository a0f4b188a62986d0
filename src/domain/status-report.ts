import type { StatusReporter } from './status-reporter';

export interface StatusReport {
  readonly repositoryId: string;
  readonly sha: string;
  readonly kind: 'status' | 'check_run';
  readonly name: string;
  readonly state: CommitState;
  /** The host's own id of the app that reported the status. Null or absent: no app did, or the host does not say. */
  readonly app?: string | null;
  /** Absent: the host does not say. */
  readonly reporter?: StatusReporter;
  /**
   * The host's id of the job. Several jobs of an app may have the same name. Absent: the newest report of a name
   * replaces the others.
   */
  readonly job?: string;
  /**
   * Reported by a webhook. Its result is known only from the jobs, which `readStatuses` reads; until then it is
   * pending.
   */
  readonly isUnconfirmed?: true;
  /**
   * The host's own time and id of the report. They order the reports of one name, because reports may arrive out of
   * order.
   */
  readonly hostTime: Date;
  readonly hostId: string;
  readonly url: string | null;
  readonly description: string | null;
}

/** The progress of CI on a commit that the queue tests. */
export interface CiProgress {
  /** Everything that CI started for the commit has ended. */
  readonly isDone: boolean;
  /** The number of workflow runs, or pipelines, for the commit. */
  readonly runs: number;
  /** Those `names` whose form only jobs report. */
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
