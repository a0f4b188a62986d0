import type { PrismaService } from '../../platform/database/prisma.service';

export interface EntryCount {
  readonly state: string;
  readonly count: number;
  readonly oldestSubmittedAt: Date;
}

/** Entries of all organizations that have not concluded, by state. */
export function countEntries(prisma: PrismaService): Promise<EntryCount[]> {
  return prisma.$queryRaw<EntryCount[]>`/* service-counts countEntries */
    SELECT e."state", sum(e."count")::int AS "count", min(e."oldest") AS "oldestSubmittedAt"
    FROM "Queue" q CROSS JOIN LATERAL (
      SELECT "state", count(*) AS "count", min("submittedAt") AS "oldest" FROM "Entry"
      WHERE "queueId" = q."id" AND "state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
      GROUP BY "state"
    ) e
    WHERE q."deletedAt" IS NULL
    GROUP BY 1`;
}

export interface QueueStateCount {
  readonly state: string;
  readonly count: number;
  readonly failing: number;
}

/** Existing queues by state, and the number of queues whose last decision failed. */
export function countQueues(prisma: PrismaService): Promise<QueueStateCount[]> {
  return prisma.$queryRaw<QueueStateCount[]>`/* service-counts countQueues */
    SELECT "state", count(*)::int AS "count", count(*) FILTER (WHERE "failures" > 0)::int AS "failing"
    FROM "Queue" WHERE "deletedAt" IS NULL GROUP BY 1`;
}

/**
 * The earliest time at which a queue became due for a decision, by a deadline or the end of a task, and has not decided
 * since. Null: no queue waits.
 */
export async function dueSince(prisma: PrismaService, now: Date): Promise<Date | null> {
  const [row] = await prisma.$queryRaw<{ since: Date | null }[]>`/* service-counts dueSince */
    SELECT min("since") AS "since" FROM (
      SELECT GREATEST("wakeAt", "retryAt") AS "since" FROM "Queue"
      WHERE "wakeAt" <= ${now} AND ("retryAt" IS NULL OR "retryAt" <= ${now})
      UNION ALL
      SELECT GREATEST(o."settledAt", q."retryAt") FROM "OutboxTask" o JOIN "Queue" q ON q."id" = o."queueId"
      WHERE o."consumedAt" IS NULL AND o."settledAt" IS NOT NULL AND (q."retryAt" IS NULL OR q."retryAt" <= ${now})
    ) due`;
  return row?.since ?? null;
}

interface StoreBacklog {
  readonly store: 'inbox' | 'outbox' | 'webhooks' | 'checks';
  readonly waiting: number;
  readonly oldest: Date | null;
  readonly givenUp: number;
}

/** Backlogs of the workers: events from code hosts, tasks, webhook deliveries, commands of the check runner. */
export function countBacklogs(prisma: PrismaService): Promise<StoreBacklog[]> {
  return prisma.$queryRaw<StoreBacklog[]>`/* service-counts countBacklogs */
    SELECT 'inbox' AS "store", count(*)::int AS "waiting", min("receivedAt") AS "oldest", 0 AS "givenUp"
    FROM "InboxDelivery" WHERE "processedAt" IS NULL
    UNION ALL
    SELECT 'outbox', count(*)::int, min("createdAt"), (SELECT count(*)::int FROM "OutboxTask" WHERE "state" = 'dead')
    FROM "OutboxTask" WHERE "state" IN ('waiting', 'leased')
    UNION ALL
    SELECT 'webhooks', count(*)::int, min("createdAt"), 0 FROM "WebhookDelivery" WHERE "state" IN ('waiting', 'leased')
    UNION ALL
    SELECT 'checks', count(*)::int, min("createdAt"), 0 FROM "CheckRun" WHERE "state" IN ('queued', 'running')`;
}

export interface HostCount {
  readonly host: string;
  readonly repositories: number;
  readonly unreachable: number;
  readonly unreachableSince: Date | null;
}

/** Code hosts, and the number of their repositories that do not answer. */
export function countHosts(prisma: PrismaService): Promise<HostCount[]> {
  return prisma.$queryRaw<HostCount[]>`/* service-counts countHosts */
    SELECT "host", count(*)::int AS "repositories", count("unreachableSince")::int AS "unreachable",
      min("unreachableSince") AS "unreachableSince"
    FROM "Repository" GROUP BY 1`;
}
