import type { PrismaService } from '../platform/database/prisma.service';

// Each statement (ARRAY and MATERIALIZED: its limit holds under every plan) deletes at most `batch` rows of before `before`, finds them by an index, and answers how many it
// deleted: fewer than `batch` when no more are left. Keys and sequences are never used a second time, so that nothing
// comes back when the row that remembered it is gone.

/** Orders that are settled and taken in. */
export function deleteOrders(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM "OutboxOrder" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OutboxOrder"
      WHERE "consumedAt" < ${before} AND "settledAt" < ${before} AND "state" IN ('done', 'dead')
      LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** News that was read. */
export function deleteDeliveries(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM "InboxDelivery" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "InboxDelivery" WHERE "processedAt" < ${before} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`;
}

/** The log, without the lines of entries that have not concluded or concluded since: a timeline goes as a whole. */
export function deleteLog(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT line."queueId", line."seq" FROM "Queue" q CROSS JOIN LATERAL (
        SELECT l."queueId", l."seq" FROM "QueueLog" l
        WHERE l."queueId" = q."id" AND l."at" < ${before} AND NOT EXISTS (
          SELECT 1 FROM "Entry" e
          WHERE e."id" = l."entryId" AND (e."concludedAt" IS NULL OR e."concludedAt" >= ${before}))
        LIMIT ${batch}) line
      LIMIT ${batch}
    )
    DELETE FROM "QueueLog" l USING expired WHERE l."queueId" = expired."queueId" AND l."seq" = expired."seq"`;
}

/**
 * All statuses of a commit once the newest is too old, without commits that are being tested and heads that are in a
 * queue.
 */
export function deleteStatuses(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`
    WITH needed AS MATERIALIZED (
      SELECT q."repositoryId", r."commit" AS "sha" FROM "Queue" q JOIN "TestRun" r ON r."queueId" = q."id" AND r."live"
      UNION
      SELECT q."repositoryId", e."head" FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id"
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
    ), expired AS MATERIALIZED (
      SELECT s."repositoryId", s."sha", s."kind", s."name" FROM "CommitStatus" s
      WHERE s."receivedAt" < ${before}
        AND NOT EXISTS (
          SELECT 1 FROM "CommitStatus" newer
          WHERE newer."repositoryId" = s."repositoryId" AND newer."sha" = s."sha" AND newer."receivedAt" >= ${before})
        AND NOT EXISTS (SELECT 1 FROM needed n WHERE n."repositoryId" = s."repositoryId" AND n."sha" = s."sha")
      LIMIT ${batch} FOR UPDATE OF s SKIP LOCKED
    )
    DELETE FROM "CommitStatus" s USING expired x
    WHERE s."repositoryId" = x."repositoryId" AND s."sha" = x."sha" AND s."kind" = x."kind" AND s."name" = x."name"
      AND s."receivedAt" < ${before}`;
}

/** Check runs that ended, with their logs, unless their test run is still under way. */
export function deleteCheckRuns(prisma: PrismaService, before: Date, batch: number): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM "CheckRun" WHERE "id" = ANY(ARRAY(
      SELECT c."id" FROM "CheckRun" c
      WHERE c."state" IN ('success', 'failure', 'timed_out', 'cancelled') AND c."createdAt" < ${before}
        AND c."endedAt" < ${before}
        AND NOT EXISTS (SELECT 1 FROM "TestRun" r WHERE r."id" = c."testRunId" AND r."live")
      LIMIT ${batch} FOR UPDATE OF c SKIP LOCKED))`;
}
