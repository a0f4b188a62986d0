import type { StatusPin } from '../../../domain/code-host.port';
import type { Sql } from '../../../platform/database/sql';

interface KnownResultQuestion {
  readonly repositoryId: string;
  readonly tree: string;
  readonly requiredStatuses: readonly string[];
  readonly pins: readonly StatusPin[];
  readonly since: Date;
}

/**
 * The required statuses that failed in the newest test of that tree with the same required statuses, from the same
 * apps, in any queue of the repository. Empty if all passed, null if there is no such test. Only pushed runs count,
 * because the other runs were not tested themselves. The result is read from the run's `failure`, not from its last
 * phase, because a failed run may have landed by another run's proof. Time-outs are left out, because they say nothing
 * about a tree.
 */
export async function knownFailuresOf(sql: Sql, question: KnownResultQuestion): Promise<readonly string[] | null> {
  const { repositoryId, tree, since } = question;
  const names = [...question.requiredStatuses];
  const pins = JSON.stringify(question.pins);
  const rows = await sql.rows<{ red: string[] | null }>`/* known-results knownFailuresOf */
    SELECT r."failure" -> 'names' AS "red"
    FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
    WHERE r."tree" = ${tree} AND r."resultAt" >= ${since} AND r."pushedAt" IS NOT NULL
      AND q."repositoryId" = ${repositoryId}::uuid
      AND r."requiredStatuses" @> ${names}::text[] AND r."requiredStatuses" <@ ${names}::text[]
      AND r."pins" @> ${pins}::jsonb AND r."pins" <@ ${pins}::jsonb
      AND (r."failure" IS NULL OR r."failure" ->> 'type' = 'status')
    ORDER BY r."resultAt" DESC, r."createdAt" DESC LIMIT 1`;
  const [newest] = rows;
  return newest === undefined ? null : (newest.red ?? []);
}

/** The commit whose passed tests a run reused; null if the earlier run is no longer stored. */
export async function testedCommitBehind(sql: Sql, runId: string): Promise<string | null> {
  const [row] = await sql.rows<{ commit: string }>`/* known-results testedCommitBehind */
    SELECT t."commit"
    FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      JOIN "TestRun" t ON t."tree" = r."tree" AND t."resultAt" <= r."resultAt"
      JOIN "Queue" o ON o."id" = t."queueId"
    WHERE r."id" = ${runId}::uuid AND o."repositoryId" = q."repositoryId" AND t."pushedAt" IS NOT NULL
      AND t."requiredStatuses" @> r."requiredStatuses" AND t."requiredStatuses" <@ r."requiredStatuses"
      AND t."pins" @> r."pins" AND t."pins" <@ r."pins" AND t."failure" IS NULL
    ORDER BY t."resultAt" DESC, t."createdAt" DESC LIMIT 1`;
  return row?.commit ?? null;
}
