import type { TestRun } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/** The counts of a queue in a list. */
export interface QueueCounts {
  readonly inProgress: number;
  readonly waiting: number;
  readonly notReady: number;
  /** The submission time of the oldest entry that is in progress or waits. */
  readonly oldest: Date | null;
  readonly suspects: number;
  readonly merged: number;
  readonly failed: number;
  /**
   * Half of the merged pull requests were in the queue for at most this time, in milliseconds; null: no pull request
   * merged.
   */
  readonly waitedP50Ms: number | null;
  /** The number of merges in each hour, oldest hour first. */
  readonly mergedByHour: readonly number[];
  readonly lastLandedAt: Date | null;
}

interface Row extends QueueCounts {
  readonly queueId: string;
}

export type LiveRunRow = Pick<TestRun, 'queueId' | 'number' | 'kind' | 'phase' | 'pushedAt'>;

/** The counts by queue id. Each queue costs a few index look-ups; waiting entries are counted one by one. */
export async function readCounts(
  tx: Statements,
  queueIds: readonly string[],
  since: Date,
  hours: number,
): Promise<ReadonlyMap<string, QueueCounts>> {
  const rows = await tx.rows<Row>`/* views/queue-counts readCounts */
    SELECT q."id" AS "queueId", active.*, ended.*, hourly.*,
      (SELECT l."landedAt" FROM "LandedChange" l WHERE l."queueId" = q."id" ORDER BY l."seq" DESC LIMIT 1) AS "lastLandedAt"
    FROM "Queue" q
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE e."state" = 'not_ready')::int AS "notReady",
        count(*) FILTER (WHERE e."state" = 'pending' AND e."place" IS NULL AND e."search" IS NULL AND e."standing" IS NULL)::int
          AS "waiting",
        count(*) FILTER (WHERE e."state" <> 'not_ready'
          AND (e."state" <> 'pending' OR coalesce(e."place", e."search") IS NOT NULL OR e."standing" IS NOT NULL))::int AS "inProgress",
        count(*) FILTER (WHERE e."standing" = 'suspect')::int AS "suspects",
        min(e."submittedAt") FILTER (WHERE e."state" <> 'not_ready') AS "oldest"
      FROM "Entry" e WHERE e."queueId" = q."id"
        AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')) active
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE e."state" = 'merged')::int AS "merged",
        count(*) FILTER (WHERE e."state" = 'failed')::int AS "failed",
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM e."concludedAt" - e."submittedAt") * 1000)
          FILTER (WHERE e."state" = 'merged'))::float8 AS "waitedP50Ms"
      FROM "Entry" e WHERE e."queueId" = q."id" AND e."concludedAt" >= ${since}) ended
    CROSS JOIN LATERAL (
      SELECT array_agg(coalesce(h."merged", 0) ORDER BY nth) AS "mergedByHour"
      FROM generate_series(0, ${hours - 1}::int) nth
      LEFT JOIN (
        SELECT least(${hours - 1}::int, floor(extract(epoch FROM e."concludedAt" - ${since}::timestamptz) / 3600)::int) AS "hour",
          count(*)::int AS "merged"
        FROM "Entry" e WHERE e."queueId" = q."id" AND e."concludedAt" >= ${since} AND e."state" = 'merged'
        GROUP BY 1) h ON h."hour" = nth) hourly
    WHERE q."id" = ANY(${[...queueIds]}::uuid[])`;
  return new Map(rows.map(({ queueId, ...counts }) => [queueId, counts]));
}

/** The number of entries by this author in each of these queues, in any letter case. */
export async function readCountsOfAuthor(
  tx: Statements,
  queueIds: readonly string[],
  author: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ queueId: string; count: number }>`/* views/queue-counts readCountsOfAuthor */
    SELECT e."queueId", count(*)::int AS "count" FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
    WHERE e."queueId" = ANY(${[...queueIds]}::uuid[]) AND lower(p."author") = lower(${author})
      AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
    GROUP BY e."queueId"`;
  return new Map(rows.map(({ queueId, count }) => [queueId, count]));
}

/**
 * Running test runs. The condition has no parameters, because a cached plan would otherwise not use the index of
 * running test runs.
 */
export function readRunPhases(tx: Statements, queueIds: readonly string[]): Promise<LiveRunRow[]> {
  return tx.rows<LiveRunRow>`/* views/queue-counts readRunPhases */
    SELECT "queueId", "number", "kind", "phase", "pushedAt" FROM "TestRun"
    WHERE "queueId" = ANY(${[...queueIds]}::uuid[]) AND "live" ORDER BY "number"`;
}

/** The usual duration of a run, in milliseconds, by queue: as in `readExpectedDurations`. */
export async function readUsualRuns(tx: Statements, queueIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ queueId: string; median: number }>`/* views/queue-counts readUsualRuns */
    SELECT q."id" AS "queueId", m."median" FROM "Queue" q
    CROSS JOIN LATERAL (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM "resultAt" - "pushedAt") * 1000)::float8 AS "median",
        count(*) AS "runs"
      FROM (
        SELECT "pushedAt", "resultAt" FROM (
          SELECT * FROM "TestRun" r WHERE r."queueId" = q."id" ORDER BY r."number" DESC LIMIT 200) r
        WHERE "pushedAt" IS NOT NULL AND NOT "reused" AND "result" IN ('succeeded', 'failed')
        ORDER BY "number" DESC LIMIT 20) "last") m
    WHERE q."id" = ANY(${[...queueIds]}::uuid[]) AND m."runs" >= 5`;
  return new Map(rows.map(({ queueId, median }) => [queueId, median]));
}
