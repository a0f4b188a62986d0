import type { PrismaService } from '../../platform/database/prisma.service';

export interface KnownResultQuestion {
  readonly repositoryId: string;
  readonly tree: string;
  readonly requiredStatuses: readonly string[];
  readonly since: Date;
}

/** The required statuses that failed in a test of a tree; none: it passed. */
export interface KnownResult {
  readonly red: readonly string[];
}

/**
 * What the newest test of that very tree with those very required statuses said, in any queue of the repository. Only a
 * run that was pushed was tested itself; its verdict is its failure, or that it has none, whatever became of it later:
 * one that failed may have landed on the proof of another. A time-out says nothing about a tree.
 */
export async function knownResultOf(prisma: PrismaService, question: KnownResultQuestion): Promise<KnownResult | null> {
  const { repositoryId, tree, since } = question;
  const names = [...question.requiredStatuses];
  const rows = await prisma.$queryRaw<{ red: string[] | null }[]>`
    SELECT r."failure" -> 'names' AS "red"
    FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
    WHERE r."tree" = ${tree} AND r."resultAt" >= ${since} AND r."pushedAt" IS NOT NULL
      AND q."repositoryId" = ${repositoryId}::uuid
      AND r."requiredStatuses" @> ${names}::text[] AND r."requiredStatuses" <@ ${names}::text[]
      AND (r."failure" IS NULL OR r."failure" ->> 'type' = 'status')
    ORDER BY r."resultAt" DESC, r."createdAt" DESC LIMIT 1`;
  const [newest] = rows;
  return newest === undefined ? null : { red: newest.red ?? [] };
}
