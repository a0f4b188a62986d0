import type { BranchClass } from '../../rules/branches';
import type { RunnerCounts } from '../../rules/runner-counts';

/** The metadata of an upload, and the facts about its commit. */
export interface UploadRow {
  readonly repositoryId: string;
  readonly uploadId: string;
  readonly receivedAt: Date;
  readonly actor: string;
  readonly commit: string;
  readonly branch: string | null;
  readonly branchClass: BranchClass;
  readonly prNumber: number | null;
  readonly variant: string;
  readonly jobUrl: string | null;
  /** Name of the CI job, the same in each of its runs; '' when unknown. */
  readonly job: string;
  /** The share of the job's tests in the upload, such as `2/4`; '': all tests of the job. */
  readonly shard: string;
  /** The name that distinguishes uploads of one job with different tests. */
  readonly part: string;
  /** The attempt of the job, the same for all uploads of one attempt; '' when unknown. */
  readonly attempt: string;
  /** Properties of the machine that ran the job, such as `node 22.13`; '' when unknown. */
  readonly conditions: string;
  /** The exit code of the test command; null: unknown. */
  readonly testExitCode: number | null;
  /** The counts in the last lines of the runners. */
  readonly runnerCounts: readonly RunnerCounts[];
  /** The job ignores failures of quarantined tests. */
  readonly ignoresQuarantined: boolean;
  readonly tree: string | null;
  readonly line: string;
  readonly changes: readonly string[];
}
