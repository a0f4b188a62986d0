import { Prisma } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { daysOf, type TimeRange } from '../../rules/days';
import { listedPage, type ListedPage, type WantedPage } from './listed-page';

/**
 * Distinct tests that failed in the range. Failure groups know the first and the last failure of a day. On a day that
 * the range covers in part, the first or the last failure is usually in the range. Single results are read only if both
 * are outside.
 */
export function failingPage(
  prisma: PrismaService,
  repositoryId: string,
  range: TimeRange,
  wanted: WantedPage,
): Promise<ListedPage> {
  const { start, end } = range;
  const failing = Prisma.sql`/* failing-tests failingPage */
    SELECT DISTINCT g.test_case_id AS id
    FROM test_results.failure_group g
    WHERE g.repository_id = ${repositoryId}::uuid AND g.day = ANY(${daysOf(range)}::date[])
      AND g.last_at >= ${start} AND g.first_at < ${end}
      AND (g.first_at >= ${start} OR g.last_at < ${end} OR EXISTS (
        SELECT 1 FROM test_results.result r
        WHERE r.test_case_id = g.test_case_id AND r.outcome = 1 AND r.counted
          AND r.occurred_at >= ${start} AND r.occurred_at < ${end}))`;
  return listedPage(prisma, failing, wanted);
}

const MOST_FAILURES = 5;

export interface CommonFailureRow {
  readonly testCaseId: string;
  readonly summary: string;
  readonly times: number;
  readonly last: Date;
}

/**
 * The most common failures of each test in the range, most common first. A failure group completely inside the range
 * gives its count; for all other groups, single results are counted.
 */
export function commonFailures(
  prisma: PrismaService,
  ids: readonly string[],
  range: TimeRange,
): Promise<CommonFailureRow[]> {
  const { start, end } = range;
  return prisma.$queryRaw<CommonFailureRow[]>`/* failing-tests commonFailures */
    WITH touched AS MATERIALIZED (
      SELECT g.*, g.first_at >= ${start} AND g.last_at < ${end} AS is_whole
      FROM test_results.failure_group g
      WHERE g.test_case_id = ANY(${ids}::uuid[]) AND g.day = ANY(${daysOf(range)}::date[])
        AND g.last_at >= ${start} AND g.first_at < ${end}
    ), counted AS (
      SELECT test_case_id, summary_id, summary, failures AS times, last_at AS last FROM touched WHERE is_whole
      UNION ALL
      SELECT t.test_case_id, t.summary_id, t.summary, count(*), max(r.occurred_at)
      FROM touched t JOIN test_results.result r
        ON r.test_case_id = t.test_case_id AND r.summary_id = t.summary_id AND r.outcome = 1 AND r.counted
        AND r.occurred_at >= t.day::timestamp AT TIME ZONE 'UTC'
        AND r.occurred_at < (t.day + 1)::timestamp AT TIME ZONE 'UTC'
      WHERE NOT t.is_whole AND r.occurred_at >= ${start} AND r.occurred_at < ${end}
      GROUP BY 1, 2, 3
    ), ranked AS (
      SELECT c.*, row_number() OVER (
        PARTITION BY c.test_case_id ORDER BY c.times DESC, c.last DESC, c.summary COLLATE "C"
      ) AS rank
      FROM (
        SELECT test_case_id, max(summary) AS summary, sum(times)::int AS times, max(last) AS last
        FROM counted GROUP BY test_case_id, summary_id
      ) c
    )
    SELECT test_case_id AS "testCaseId", summary AS "summary", times AS "times", last AS "last"
    FROM ranked WHERE rank <= ${MOST_FAILURES} ORDER BY test_case_id, rank`;
}

/** For each test, the number of failures in the range from uploads that monitors ignore; no entry: no such failure. */
export async function leftOutFailures(
  prisma: PrismaService,
  repositoryId: string,
  ids: readonly string[],
  { start, end }: TimeRange,
): Promise<ReadonlyMap<string, number>> {
  // The filter is safe, because no result is later than its upload.
  const uploads = await prisma.testUpload.findMany({
    where: { repositoryId, counted: false, receivedAt: { gte: start } },
    select: { id: true },
  });
  if (uploads.length === 0) return new Map();
  const rows = await prisma.$queryRaw<
    { readonly id: string; readonly failures: number }[]
  >`/* failing-tests leftOutFailures */
    SELECT r.test_case_id AS "id", count(*)::int AS "failures"
    FROM test_results.result r
    WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome = 1 AND r.counted
      AND r.occurred_at >= ${start} AND r.occurred_at < ${end}
      AND r.upload_id = ANY(${uploads.map(({ id }) => id)}::bigint[])
    GROUP BY 1`;
  return new Map(rows.map(({ id, failures }) => [id, failures]));
}
