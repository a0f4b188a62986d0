import type { PrismaService } from '../../src/platform/database/prisma.service';

interface Place {
  readonly queueId: string;
  readonly now: Date;
  /** The number of a submitted pull request. The new pull requests are copies of it. */
  readonly like: number;
}

/**
 * Adds rows of waiting pull requests as if they had been submitted one after another; one in ten is a draft. Submitting
 * ten thousand would take minutes. The new pull requests share the data that the queue's mode needs: in parallel mode
 * all of them have the same area.
 */
export async function addWaiting(
  prisma: PrismaService,
  { queueId, now, like }: Place,
  from: number,
  to: number,
): Promise<void> {
  const { mode, repositoryId } = await prisma.queue.findUniqueOrThrow({ where: { id: queueId } });
  await prisma.$executeRaw`
    INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "headSha", "baseBranch", "state",
      "draft", "mergeability", "observedAt")
    SELECT gen_random_uuid(), p."repositoryId", n, 'Move the banner of page ' || n || ' into the layout', '', p."author",
      p."headSha", p."baseBranch", p."state", n % 10 = 1, p."mergeability", p."observedAt"
    FROM "PullRequest" p, generate_series(${from}::int, ${to}::int) n
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = ${like}`;
  await prisma.$executeRaw`
    INSERT INTO "Entry" ("id", "queueId", "pullRequestId", "number", "attempt", "state", "stateChangedAt", "head",
      "priority", "usedDefaultPriority", "noBatch", "pendingRank", "returnedOrder", "submittedOrder", "placeIndex",
      "urgentInLine", "submittedAt", "evaluatedMode", "timesAsked", "pendingSince", "notReadySince")
    SELECT gen_random_uuid(), ${queueId}::uuid, p."id", p."number", 1,
      CASE WHEN p."draft" THEN 'not_ready' ELSE 'pending' END, ${now}, p."headSha", 100, true, false, 2, 0,
      p."number", 0, false, ${now}, ${mode}, 0,
      CASE WHEN p."draft" THEN NULL ELSE ${now}::timestamptz END,
      CASE WHEN p."draft" THEN ${now}::timestamptz END
    FROM "PullRequest" p WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" BETWEEN ${from} AND ${to}`;
  await prisma.$executeRaw`
    INSERT INTO "ImpactedTargets" ("repositoryId", "number", "sha", "all", "targetCount", "names", "hashes", "updatedAt")
    SELECT "repositoryId", "number", "headSha", false, 2, '{}', CASE WHEN ${mode} = 'parallel' THEN ARRAY["number", 1000000]::bigint[]
      ELSE ARRAY["number"]::bigint[] END, ${now}
    FROM "PullRequest" WHERE "repositoryId" = ${repositoryId}::uuid AND "number" BETWEEN ${from} AND ${to}`;
  await prisma.$executeRaw`ANALYZE`;
}
