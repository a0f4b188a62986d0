import type { RunnerCounts } from '../../rules/runner-counts';
import type { ReportedRun } from '../../rules/tested-run';

/** The metadata of an upload, and the facts about its commit. */
export interface UploadRow extends ReportedRun {
  readonly repositoryId: string;
  readonly uploadId: string;
  readonly receivedAt: Date;
  readonly actor: string;
  readonly variant: string;
  /** The share of the job's tests in the upload, such as `2/4`; '': all tests of the job. */
  readonly shard: string;
  /** The name that distinguishes uploads of one job with different tests. */
  readonly part: string;
  /** The attempt of the job, the same for all uploads of one attempt; '' when unknown. */
  readonly attempt: string;
  /** The exit code of the test command; null: unknown. */
  readonly testExitCode: number | null;
  /** The counts in the last lines of the runners. */
  readonly runnerCounts: readonly RunnerCounts[];
  /** The job ignores failures of quarantined tests. */
  readonly ignoresQuarantined: boolean;
}
