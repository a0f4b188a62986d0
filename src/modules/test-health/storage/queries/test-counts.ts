import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { BranchClass } from '../../rules/branches';
import type { OutcomeCounts } from './outcome-counts';

export interface CountedRow {
  readonly repositoryId: string;
  readonly times: number;
}

export interface StatusCountRow extends CountedRow {
  readonly status: string;
}

/** Counts tests seen after `seenAfter`. Most tests are healthy: their number is counted with an index of all tests. */
export function countTests(
  prisma: PrismaService,
  repositoryIds: readonly string[],
  seenAfter: Date,
): Promise<StatusCountRow[]> {
  return prisma.$queryRaw<StatusCountRow[]>`/* test-counts countTests */
    WITH unhealthy AS MATERIALIZED (
      SELECT t."repositoryId", t."status", count(*)::int AS times FROM "TestCase" t
      WHERE t."repositoryId" = ANY(${repositoryIds}::uuid[]) AND t."status" IN ('flaky', 'broken')
        AND t."lastSeenAt" > ${seenAfter}
      GROUP BY 1, 2
    )
    SELECT "repositoryId", "status", times AS "times" FROM unhealthy
    UNION ALL
    SELECT t."repositoryId", 'healthy',
      (count(*) - coalesce((SELECT sum(u.times) FROM unhealthy u WHERE u."repositoryId" = t."repositoryId"), 0))::int
    FROM "TestCase" t WHERE t."repositoryId" = ANY(${repositoryIds}::uuid[]) AND t."lastSeenAt" > ${seenAfter}
    GROUP BY 1`;
}

export interface QuarantineCountRow extends CountedRow {
  /** The manual setting of the tests. */
  readonly setting: string;
}

/** Quarantined tests seen after `seenAfter`. */
export function countQuarantined(
  prisma: PrismaService,
  repositoryIds: readonly string[],
  seenAfter: Date,
): Promise<QuarantineCountRow[]> {
  return prisma.$queryRaw<QuarantineCountRow[]>`/* test-counts countQuarantined */
    SELECT t."repositoryId", t."quarantineSetting" AS "setting", count(*)::int AS "times" FROM "TestCase" t
    WHERE t."repositoryId" = ANY(${repositoryIds}::uuid[]) AND t."quarantined" AND t."lastSeenAt" > ${seenAfter}
    GROUP BY 1, 2`;
}

export interface UploadCountRow extends CountedRow, OutcomeCounts {
  readonly branchClass: BranchClass;
  /** False: monitors ignore these uploads. */
  readonly counted: boolean;
}

/** Counts the uploads that were stored after a time, with the sums of their results. */
export function countUploads(
  prisma: PrismaService,
  repositoryIds: readonly string[],
  since: Date,
): Promise<UploadCountRow[]> {
  return prisma.$queryRaw<UploadCountRow[]>`/* test-counts countUploads */
    SELECT u."repositoryId", u."branchClass", u."counted", count(*)::int AS "times",
      sum(u."passed")::float8 AS "passed", sum(u."failed")::float8 AS "failed", sum(u."skipped")::float8 AS "skipped"
    FROM "TestUpload" u
    WHERE u."repositoryId" = ANY(${repositoryIds}::uuid[]) AND u."receivedAt" > ${since}
    GROUP BY 1, 2, 3`;
}

/** Counts one refused upload in the row of its minute, so that a flood of refusals makes one row a minute. */
export async function addRefusedUpload(prisma: PrismaService, repositoryId: string, at: Date): Promise<void> {
  await prisma.$executeRaw`/* test-counts addRefusedUpload */
    INSERT INTO test_results.refused_upload AS r (repository_id, minute, uploads)
    VALUES (${repositoryId}::uuid, date_trunc('minute', ${at}::timestamptz), 1)
    ON CONFLICT (repository_id, minute) DO UPDATE SET uploads = r.uploads + 1`;
}

/** Counts the uploads that were refused after a time. */
export function countRefusedUploads(
  prisma: PrismaService,
  repositoryIds: readonly string[],
  since: Date,
): Promise<CountedRow[]> {
  return prisma.$queryRaw<CountedRow[]>`/* test-counts countRefusedUploads */
    SELECT r.repository_id AS "repositoryId", sum(r.uploads)::int AS "times" FROM test_results.refused_upload r
    WHERE r.repository_id = ANY(${repositoryIds}::uuid[]) AND r.minute > ${since}
    GROUP BY 1`;
}
