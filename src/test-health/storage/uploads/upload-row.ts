import type { BranchClass } from '../../rules/branches';

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
  readonly tree: string | null;
  readonly line: string;
  readonly changes: readonly string[];
}
