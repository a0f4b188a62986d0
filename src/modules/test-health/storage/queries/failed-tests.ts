import { Prisma } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { HealthStatus } from '../../rules/settings';
import type { TestIdentity } from '../../rules/test-identity';

/** The maximum number of tests for each testing branch. */
const MOST_TESTS = 10;

interface UploadedRow {
  readonly branch: string;
  readonly areMachinesLikely: boolean;
}

interface FailedTestRow extends TestIdentity {
  readonly branch: string;
  readonly total: number;
  readonly id: string;
  readonly status: HealthStatus;
  readonly quarantined: boolean;
  readonly since: Date;
  readonly owners: readonly string[];
  /**
   * The message of the failure, without secrets. Empty: the failure has no message, or a later upload had the same
   * message.
   */
  readonly message: string;
  readonly stack: string;
}

interface PushedRun {
  readonly branch: string;
  readonly tree: string;
}

/** Testing branches for which CI uploaded reports. */
export function uploadedRuns(
  prisma: PrismaService,
  repositoryId: string,
  runs: readonly PushedRun[],
): Promise<UploadedRow[]> {
  return prisma.$queryRaw<UploadedRow[]>`/* queries/failed-tests uploadedRuns */
    SELECT u."branch", bool_or(NOT u."counted") AS "areMachinesLikely" FROM "TestUpload" u
    WHERE ${ofRuns(repositoryId, runs)}
    GROUP BY u."branch"`;
}

/** The failed tests of the given runs: tests that are not known to fail come first, and quarantined tests last. */
export function failedTestsOf(
  prisma: PrismaService,
  repositoryId: string,
  runs: readonly PushedRun[],
): Promise<FailedTestRow[]> {
  return prisma.$queryRaw<FailedTestRow[]>`/* queries/failed-tests failedTestsOf */
    WITH failed AS MATERIALIZED (
      SELECT DISTINCT u."branch", f.test_case_id AS id
      FROM "TestUpload" u JOIN test_results.upload_failure f ON f.upload_id = u."id"
      WHERE ${ofRuns(repositoryId, runs)} AND u."failed" > 0
    ), ranked AS (
      SELECT f."branch", t."id", t."name", t."classname", t."parent", t."filePath" AS "file", t."variant", t."status",
        t."quarantined", coalesce(t."quarantinedAt", t."statusChangedAt") AS "since", t."codeowners" AS "owners",
        (count(*) OVER (PARTITION BY f."branch"))::int AS "total",
        row_number() OVER (PARTITION BY f."branch" ORDER BY t."quarantined",
          array_position(ARRAY['healthy', 'broken', 'flaky'], t."status"), t."name" COLLATE "C", t."id") AS place
      FROM failed f JOIN "TestCase" t ON t."id" = f.id
    )
    SELECT ranked.*, coalesce(m.message, '') AS "message", coalesce(m.stack, '') AS "stack"
    FROM ranked LEFT JOIN LATERAL (
      SELECT f.message, f.stack FROM test_results.failure_message f JOIN "TestUpload" u ON u."id" = f.upload_id
      WHERE f.test_case_id = ranked."id" AND u."branch" = ranked."branch" AND ${ofRuns(repositoryId, runs)}
      ORDER BY f.failed_at DESC LIMIT 1
    ) m ON true
    WHERE place <= ${MOST_TESTS} ORDER BY ranked."branch", place`;
}

/**
 * A condition on `TestUpload` with the alias u, which finds uploads of the given runs. It uses the tree, because trees
 * have an index and branches have none.
 */
function ofRuns(repositoryId: string, runs: readonly PushedRun[]): Prisma.Sql {
  const trees = runs.map(({ tree }) => tree);
  const branches = runs.map(({ branch }) => branch);
  return Prisma.sql`u."repositoryId" = ${repositoryId}::uuid AND u."branchClass" = 'queue'
    AND u."tree" = ANY(${trees}) AND u."branch" = ANY(${branches})`;
}
