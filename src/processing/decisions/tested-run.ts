import type { Statements } from '../../platform/database/statements';

/** A run whose commit was pushed, so that CI reported on it. */
export interface TestedRun {
  readonly id: string;
  readonly commit: string;
  readonly branch: string;
  readonly tree: string;
}

/**
 * The run that tested the tree of a failed run: the run itself, or an earlier run whose result it reused. The earlier
 * run is the newest run of the repository with the same tree, required statuses and apps. Null if no such run is stored
 * any more.
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
