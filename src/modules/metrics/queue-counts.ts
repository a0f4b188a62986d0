import type { PrismaService } from '../../platform/database/prisma.service';

type QueueType = 'main' | 'bisection';
export const QUEUE_TYPES: readonly QueueType[] = ['main', 'bisection'];
type Conclusion = 'merged' | 'failed' | 'cancelled';
export const CONCLUSIONS: readonly Conclusion[] = ['merged', 'failed', 'cancelled'];

/** The last hour by the timestamps in the log, not by the clock of the database. */
interface Window {
  readonly since: Date;
  readonly until: Date;
}

export interface NowRow {
  readonly queueId: string;
  readonly queueType: QueueType;
  readonly depth: number;
  readonly notReady: number;
  readonly testing: number;
}

/** Entries in each queue now. Entries in a bisection are counted separately. */
export function countNow(prisma: PrismaService, queueIds: readonly string[]): Promise<NowRow[]> {
  return prisma.$queryRaw<NowRow[]>`/* metrics/queue-counts countNow */
    SELECT e."queueId",
      CASE WHEN e."search" IS NOT NULL THEN 'bisection' ELSE 'main' END AS "queueType",
      count(*) FILTER (WHERE e."state" <> 'not_ready')::int AS "depth",
      count(*) FILTER (WHERE e."state" = 'not_ready')::int AS "notReady",
      count(*) FILTER (WHERE e."state" = 'testing')::int AS "testing"
    FROM "Entry" e
    WHERE e."queueId" = ANY(${queueIds}::uuid[])
      AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')
    GROUP BY 1, 2`;
}

export interface MovedRow {
  readonly queueId: string;
  readonly queueType: QueueType;
  readonly toState: Conclusion | 'pending';
  readonly times: number;
}

/** How often entries concluded, or returned from testing to pending. */
export function countMoves(prisma: PrismaService, queueIds: readonly string[], window: Window): Promise<MovedRow[]> {
  return prisma.$queryRaw<MovedRow[]>`/* metrics/queue-counts countMoves */
    SELECT l."queueId", l."queueType", l."toState", count(*)::int AS "times"
    FROM "QueueLog" l
    WHERE l."queueId" = ANY(${queueIds}::uuid[]) AND l."at" > ${window.since} AND l."at" <= ${window.until}
      AND (l."toState" IN ('merged', 'failed', 'cancelled') OR (l."fromState" = 'testing' AND l."toState" = 'pending'))
    GROUP BY 1, 2, 3`;
}

export interface DurationRow {
  readonly queueId: string;
  readonly queueType: QueueType;
  readonly seconds: number;
}

/** The time from the last change to pending until the test, for tests started in the window. */
export function waitDurations(
  prisma: PrismaService,
  queueIds: readonly string[],
  window: Window,
): Promise<DurationRow[]> {
  return prisma.$queryRaw<DurationRow[]>`/* metrics/queue-counts waitDurations */
    SELECT l."queueId", l."queueType", EXTRACT(EPOCH FROM l."at" - began."at")::float8 AS "seconds"
    FROM "QueueLog" l
    CROSS JOIN LATERAL (
      SELECT p."at" FROM "QueueLog" p
      WHERE p."entryId" = l."entryId" AND p."seq" < l."seq" AND p."toState" = 'pending'
      ORDER BY p."seq" DESC LIMIT 1
    ) began
    WHERE l."queueId" = ANY(${queueIds}::uuid[]) AND l."at" > ${window.since} AND l."at" <= ${window.until}
      AND l."fromState" = 'pending' AND l."toState" = 'testing'`;
}

/** The time from the start of a test run to its result, for results in the window. A stopped run has no result. */
export function testDurations(
  prisma: PrismaService,
  queueIds: readonly string[],
  window: Window,
): Promise<DurationRow[]> {
  return prisma.$queryRaw<DurationRow[]>`/* metrics/queue-counts testDurations */
    SELECT l."queueId", l."queueType", EXTRACT(EPOCH FROM l."at" - began."at")::float8 AS "seconds"
    FROM "QueueLog" l
    CROSS JOIN LATERAL (
      SELECT p."at" FROM "QueueLog" p
      WHERE p."entryId" = l."entryId" AND p."seq" < l."seq" AND p."toState" = 'testing'
      ORDER BY p."seq" DESC LIMIT 1
    ) began
    WHERE l."queueId" = ANY(${queueIds}::uuid[]) AND l."at" > ${window.since} AND l."at" <= ${window.until}
      AND l."fromState" = 'testing' AND l."toState" IN ('tests_passed', 'pending_failure', 'failed')`;
}

/**
 * The time from the first change to pending until the conclusion of an attempt. Attempts that never became pending do
 * not count.
 */
export function queueDurations(
  prisma: PrismaService,
  queueIds: readonly string[],
  window: Window,
): Promise<DurationRow[]> {
  return prisma.$queryRaw<DurationRow[]>`/* metrics/queue-counts queueDurations */
    SELECT l."queueId", 'main' AS "queueType", EXTRACT(EPOCH FROM l."at" - began."at")::float8 AS "seconds"
    FROM "QueueLog" l
    CROSS JOIN LATERAL (
      SELECT p."at" FROM "QueueLog" p
      WHERE p."entryId" = l."entryId" AND p."attempt" = l."attempt" AND p."seq" < l."seq" AND p."toState" = 'pending'
      ORDER BY p."seq" LIMIT 1
    ) began
    WHERE l."queueId" = ANY(${queueIds}::uuid[]) AND l."at" > ${window.since} AND l."at" <= ${window.until}
      AND l."toState" IN ('merged', 'failed', 'cancelled')`;
}
