import type { StatusReport } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import type { Sql } from '../../platform/database/sql';
import { hasNamesake } from './newest-status';

/** The queues and pull requests that statuses of a commit concern. */
export interface StatusConcerns {
  /** The ids of the queues. */
  readonly queues: readonly string[];
  /** Whether any pull request of the repository waits for statuses that its host demands. */
  readonly areDemandsUnmet: boolean;
  /** Whether another job of the same app reported a status with the same name as one of the reports. */
  readonly hasNamesake: boolean;
}

/**
 * The columns of `StatusConcerns` for reports on one commit. The columns include queues with a run that is being built,
 * because the branch of the run may be pushed and tested before the queue knows the commit.
 */
export function statusConcerns(reports: readonly StatusReport[]): Prisma.Sql {
  const { repositoryId, sha: commit } = reports[0]!;
  return Prisma.sql`
    ARRAY(
      SELECT r."queueId" FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      WHERE r."commit" = ${commit} AND r."live" AND q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
      UNION
      SELECT q."id" FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL AND r."live" AND r."phase" = 'building'
    ) AS "queues",
    EXISTS (SELECT 1 FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "unmet" <> '[]') AS "areDemandsUnmet",
    ${Prisma.join(reports.map(hasNamesake), ' OR ')} AS "hasNamesake"`;
}

/**
 * Whether a queue may test the commit. A run that is being built counts, because CI may test a pushed branch before the
 * queue knows its commit.
 */
export async function mayBeTested(sql: Sql, repositoryId: string, commit: string): Promise<boolean> {
  const found = await sql.rows`/* status-concerns mayBeTested */
    SELECT 1 FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
    WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
      AND (r."commit" = ${commit} OR r."phase" = 'building') LIMIT 1`;
  return found.length > 0;
}
