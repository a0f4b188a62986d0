import type { PrismaService } from '../../platform/database/prisma.service';

interface KnownResultQuestion {
  readonly repositoryId: string;
  readonly tree: string;
  readonly requiredStatuses: readonly string[];
  readonly since: Date;
}

/** The required statuses that failed on a tree. Empty: all passed. */
interface KnownResult {
  readonly red: readonly string[];
}

/**
 * The result of the newest test of that tree with the same set of required statuses, in any queue of the repository. Only
 * runs that were pushed count: others were not tested themselves. The run's `failure` is its result, not its last phase,
 * because a failed run may have landed on another run's proof. Time-outs say nothing about a tree.
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
