import type { PrismaService } from '../../../platform/database/prisma.service';
import { daysOf, type TimeRange } from '../../rules/days';
import type { OpenPage } from '../../http/lists/paging';

export interface FailingPage {
  /** Distinct tests that failed in the range. */
  readonly total: number;
  /** Those of the page, in the order of their ids: it stays the same from page to page. */
  readonly ids: readonly string[];
}

/**
 * Failures are grouped by day, with the time of the first and the last. On the days that the range cuts these say whether
 * one is in it, unless it begins and ends between the two: only then are results looked at.
 */
export async function failingPage(
  prisma: PrismaService,
  repositoryId: string,
  range: TimeRange,
  page: OpenPage,
): Promise<FailingPage> {
  const { start, end } = range;
  const rows = await prisma.$queryRaw<FailingPage[]>`
    WITH failing AS MATERIALIZED (
      SELECT DISTINCT g.test_case_id AS id
      FROM test_results.failure_group g
      WHERE g.repository_id = ${repositoryId}::uuid AND g.day = ANY(${daysOf(range)}::date[])
        AND g.last_at >= ${start} AND g.first_at < ${end}
        AND (g.first_at >= ${start} OR g.last_at < ${end} OR EXISTS (
          SELECT 1 FROM test_results.result r
          WHERE r.test_case_id = g.test_case_id AND r.outcome = 1 AND r.counted
            AND r.occurred_at >= ${start} AND r.occurred_at < ${end}))
    )
    SELECT (SELECT count(*)::int FROM failing) AS "total",
      ARRAY(SELECT f.id::text FROM failing f ORDER BY f.id LIMIT ${page.size} OFFSET ${page.index * page.size}) AS "ids"`;
  return rows[0]!;
}
