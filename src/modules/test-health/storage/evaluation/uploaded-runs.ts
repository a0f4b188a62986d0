import type { Tx } from '../../../../platform/database/prisma.service';
import type { BranchClass } from '../../rules/branches';
import type { ReportedRun } from '../../rules/tested-run';
import type { UploadOfTest } from '../../rules/retried-commits';

interface RunRow extends ReportedRun {
  readonly id: bigint;
  readonly attempt: string;
  readonly shard: string;
  readonly isOneOfShards: boolean;
  readonly branchClass: BranchClass;
}

/** The tested code of an upload, and the upload's part and attempt of the job: see `UploadOfTest`. */
export type UploadedRun = Pick<UploadOfTest, 'run' | 'attempt' | 'shard' | 'isOneOfShards'>;

/** The runs by upload id. Uploads that do not count for monitors are left out. */
export async function readUploadedRuns(
  tx: Tx,
  uploadIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, UploadedRun>> {
  if (uploadIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<RunRow[]>`/* uploaded-runs readUploadedRuns */
    SELECT u."id", u."commit", u."tree", u."branch", u."branchClass", u."line", u."changes", u."prNumber", u."job", u."conditions",
      u."jobUrl", u."attempt", u."shard", u."shard" <> '' AND u."attempt" <> '' AND EXISTS (
        SELECT 1 FROM "TestUpload" o
        WHERE o."repositoryId" = u."repositoryId" AND o."commit" = u."commit" AND o."job" = u."job"
          AND o."attempt" = u."attempt" AND o."shard" <> u."shard") AS "isOneOfShards"
    FROM "TestUpload" u WHERE u."id" = ANY(${uploadIds}::bigint[]) AND u."counted"`;
  return new Map(
    rows.map(({ id, attempt, shard, isOneOfShards, ...run }) => [id, { run, attempt, shard, isOneOfShards }]),
  );
}
