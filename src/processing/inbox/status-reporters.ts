import type { Sql } from '../../platform/database/sql';

const RUNS_LOOKED_AT = 20;

/**
 * Learns from merged test runs who reports the required statuses of a repository's queues. A reporter with a job token
 * is learned only if no other reporter was learned before: otherwise its reports do not count, so no run has merged
 * because of them.
 */
export async function learnReporters(sql: Sql, repositoryId: string, now: Date): Promise<void> {
  await sql.execute`/* status-reporters learnReporters */
    INSERT INTO "StatusReporter" AS known ("queueId", "name", "reporter", "since")
    SELECT DISTINCT ON (q."id", s."name") q."id", s."name", s."reporter", ${now}::timestamptz
    FROM "Queue" q
      CROSS JOIN LATERAL (
        SELECT "number", "commit", "requiredStatuses" FROM "TestRun"
        WHERE "queueId" = q."id" AND "endedBecause" = 'landed' AND "commit" IS NOT NULL ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}::int) r
      JOIN "CommitStatus" s ON s."repositoryId" = q."repositoryId" AND s."sha" = r."commit" AND s."name" = ANY(r."requiredStatuses")
        AND s."reporter" IS NOT NULL AND s."state" IN ('success', 'neutral', 'skipped')
    WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
    ORDER BY q."id", s."name", r."number" DESC
    ON CONFLICT ("queueId", "name") DO UPDATE SET "reporter" = EXCLUDED."reporter", "before" = known."reporter", "since" = EXCLUDED."since"
    WHERE known."reporter" <> EXCLUDED."reporter"`;
}
