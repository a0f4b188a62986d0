import type { PrismaService } from '../platform/database/prisma.service';
import type { OpenPage } from './paging';

const MAX_FAILURES = 5;
const DAY_MS = 24 * 3_600_000;

export interface Range {
  readonly repositoryId: string;
  readonly start: Date;
  readonly end: Date;
}

export async function countFailing(prisma: PrismaService, { repositoryId, start, end }: Range): Promise<number> {
  const [row] = await prisma.$queryRaw<{ total: number }[]>`
    SELECT count(DISTINCT t."id")::int AS "total"
    FROM "TestCase" t JOIN test_results.result r ON r.test_case_id = t."id"
    WHERE t."repositoryId" = ${repositoryId}::uuid
      AND r.outcome = 1 AND r.counted AND r.occurred_at >= ${start} AND r.occurred_at < ${end}`;
  return row?.total ?? 0;
}

/** By id: the order stays the same from page to page. */
export async function failingIds(prisma: PrismaService, range: Range, page: OpenPage): Promise<string[]> {
  const { repositoryId, start, end } = range;
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT t."id"
    FROM "TestCase" t JOIN test_results.result r ON r.test_case_id = t."id"
    WHERE t."repositoryId" = ${repositoryId}::uuid
      AND r.outcome = 1 AND r.counted AND r.occurred_at >= ${start} AND r.occurred_at < ${end}
    ORDER BY t."id" LIMIT ${page.size} OFFSET ${page.index * page.size}`;
  return rows.map((row) => row.id);
}

export interface FailureRow {
  readonly testCaseId: string;
  readonly summary: string;
  readonly times: number;
  readonly last: Date;
}

/** The most common failures of each test in the range, most common first. */
export function commonFailures(
  prisma: PrismaService,
  ids: readonly string[],
  { start, end }: Range,
): Promise<FailureRow[]> {
  return prisma.$queryRaw<FailureRow[]>`
    SELECT * FROM (
      SELECT f.*, row_number() OVER (
        PARTITION BY f."testCaseId" ORDER BY f."times" DESC, f."last" DESC, f."summary"
      ) AS "rank"
      FROM (
        SELECT r.test_case_id AS "testCaseId", g.summary AS "summary", count(*)::int AS "times",
          max(r.occurred_at) AS "last"
        FROM test_results.result r JOIN test_results.failure_group g
          ON g.test_case_id = r.test_case_id AND g.summary_id = r.summary_id
          AND g.day = (r.occurred_at AT TIME ZONE 'UTC')::date
        WHERE r.test_case_id = ANY(${ids}::uuid[])
          AND r.outcome = 1 AND r.counted AND r.occurred_at >= ${start} AND r.occurred_at < ${end}
        GROUP BY 1, 2
      ) f
    ) ranked
    WHERE "rank" <= ${MAX_FAILURES} ORDER BY "testCaseId", "rank"`;
}

export interface RecentRow {
  readonly testCaseId: string;
  readonly rate7d: number;
  readonly rate24h: number;
  readonly pullRequests7d: number;
}

/** Failures ÷ (failures + passes); what was skipped does not count. */
export function recentResults(prisma: PrismaService, ids: readonly string[], now: Date): Promise<RecentRow[]> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const weekAgo = new Date(now.getTime() - 7 * DAY_MS);
  return prisma.$queryRaw<RecentRow[]>`
    SELECT r.test_case_id AS "testCaseId",
      coalesce(avg((r.outcome = 1)::int) FILTER (WHERE r.outcome <> 2), 0)::float8 AS "rate7d",
      coalesce(avg((r.outcome = 1)::int)
        FILTER (WHERE r.outcome <> 2 AND r.occurred_at > ${dayAgo}), 0)::float8 AS "rate24h",
      count(DISTINCT r.pr_number) FILTER (WHERE r.outcome = 1)::int AS "pullRequests7d"
    FROM test_results.result r
    WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.counted
      AND r.occurred_at > ${weekAgo} AND r.occurred_at <= ${now}
    GROUP BY 1`;
}
