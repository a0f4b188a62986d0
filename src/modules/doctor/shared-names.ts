import type { PrismaService } from '../../platform/database/prisma.service';

const RUNS_LOOKED_AT = 20;

/** By queue id: the required statuses that several jobs of one app reported on the same commit, in recent runs. */
export async function readSharedNames(prisma: PrismaService): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await prisma.$queryRaw<{ queueId: string; names: string[] }[]>`/* shared-names readSharedNames */
    SELECT shared."queueId", array_agg(DISTINCT shared."name" ORDER BY shared."name") AS "names" FROM (
      SELECT q."id" AS "queueId", s."name" FROM "Queue" q
      CROSS JOIN LATERAL (
        SELECT "commit", "requiredStatuses" FROM "TestRun"
        WHERE "queueId" = q."id" AND "commit" IS NOT NULL ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}) r
      JOIN "CommitStatus" s ON s."repositoryId" = q."repositoryId" AND s."sha" = r."commit" AND s."kind" = 'check_run'
        AND s."name" = ANY(r."requiredStatuses") AND s."state" <> 'superseded'
      WHERE q."liveBranch" IS NOT NULL
      GROUP BY q."id", s."sha", s."name", s."app" HAVING count(*) > 1) shared
    GROUP BY shared."queueId"`;
  return new Map(rows.map(({ queueId, names }) => [queueId, names]));
}
