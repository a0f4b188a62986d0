import type { Statements } from '../../platform/database/statements';

/** A run that was pushed: what CI reported is on its commit. */
export interface TestedRun {
  readonly id: string;
  readonly commit: string;
  readonly branch: string;
  readonly tree: string;
}

/**
 * The run in which the tests of a failed run ran: itself, or the newest earlier one of the same tree and required statuses,
 * from the same apps, in the repository, when it took over that one's result. Null when no such run is stored any more.
 */
export async function testedRunOf(sql: Statements, runId: string): Promise<TestedRun | null> {
  const [row] = await sql.rows<TestedRun>`/* tested-run testedRunOf */
    SELECT t."id", t."commit", t."branch", t."tree"
    FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      JOIN "TestRun" t ON t."id" = r."id" OR (r."reused" AND t."tree" = r."tree" AND t."resultAt" <= r."resultAt")
      JOIN "Queue" o ON o."id" = t."queueId"
    WHERE r."id" = ${runId}::uuid AND o."repositoryId" = q."repositoryId" AND t."pushedAt" IS NOT NULL
      AND t."failure" IS NOT NULL
      AND t."requiredStatuses" @> r."requiredStatuses" AND t."requiredStatuses" <@ r."requiredStatuses"
      AND t."pins" @> r."pins" AND t."pins" <@ r."pins"
    ORDER BY t."resultAt" DESC, t."createdAt" DESC LIMIT 1`;
  return row ?? null;
}
