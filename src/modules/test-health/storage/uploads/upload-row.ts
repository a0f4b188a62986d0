import type { BranchClass } from '../../rules/branches';
import type { RunnerCounts } from '../../rules/runner-counts';

/** What an upload says of itself, and what was found out about its commit. */
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
  /** Which share of the tests of the job it holds, such as `2/4`; '' when it holds all. */
  readonly shard: string;
  /** Tells uploads of one job apart that hold different tests. */
  readonly part: string;
  /** Which try of the job it is from, the same for all uploads of one try; '' when unknown. */
  readonly attempt: string;
  /** Properties of the machine that ran the job, such as `node 22.13`; '' when unknown. */
  readonly conditions: string;
  /** How the test command ended; null when the upload does not say it. */
  readonly testExitCode: number | null;
  /** What the runners counted in their last lines. */
  readonly runnerCounts: readonly RunnerCounts[];
  /** The job ignores failures of quarantined tests. */
  readonly ignoresQuarantined: boolean;
  readonly tree: string | null;
  readonly line: string;
  readonly changes: readonly string[];
}
