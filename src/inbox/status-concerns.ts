import { Prisma } from '../generated/prisma/client';

/** Whom a status on a commit concerns. */
export interface StatusConcerns {
  /** Ids of queues. */
  readonly queues: readonly string[];
  /** Whether any pull request of the repository waits for what its host demands of it. */
  readonly areDemandsUnmet: boolean;
}

/** As columns. Includes queues with a building run: its branch may be pushed and tested before the queue knows the commit. */
export function statusConcerns(repositoryId: string, commit: string): Prisma.Sql {
  return Prisma.sql`
    ARRAY(
      SELECT r."queueId" FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      WHERE r."commit" = ${commit} AND r."live" AND q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
      UNION
      SELECT q."id" FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id"
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL AND r."live" AND r."phase" = 'building'
    ) AS "queues",
    EXISTS (SELECT 1 FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "unmet" <> '[]') AS "areDemandsUnmet"`;
}
