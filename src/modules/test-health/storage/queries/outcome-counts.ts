import { Prisma } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { daysOf, type TimeRange, wholeDaysOf } from '../../rules/days';

export interface OutcomeCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface TestOutcomes extends OutcomeCounts {
  readonly testCaseId: string;
}

interface DayOutcomes extends TestOutcomes {
  /** `2026-11-21` */
  readonly day: string;
}

/** How often each test passed, failed and was skipped in the range; no row: the test had no result. */
export function outcomesOf(
  prisma: PrismaService,
  ids: readonly string[],
  range: TimeRange,
): Promise<readonly TestOutcomes[]> {
  return prisma.$queryRaw<TestOutcomes[]>`/* outcome-counts outcomesOf */
    ${outcomesByDay(ids, range)}
    SELECT test_case_id AS "testCaseId", ${SUMS} FROM by_day GROUP BY test_case_id`;
}

/** How often each test passed, failed and was skipped on each day of the range; days without results have no row. */
export function outcomesByDayOf(
  prisma: PrismaService,
  ids: readonly string[],
  range: TimeRange,
): Promise<readonly DayOutcomes[]> {
  return prisma.$queryRaw<DayOutcomes[]>`/* outcome-counts outcomesByDayOf */
    ${outcomesByDay(ids, range)}
    SELECT test_case_id AS "testCaseId", day::text AS "day", ${SUMS} FROM by_day GROUP BY test_case_id, day ORDER BY day`;
}

const SUMS = Prisma.sql`
  sum(passed)::int AS "passed", sum(failed)::int AS "failed", sum(skipped)::int AS "skipped"`;

/**
 * Reads sums for summed days that are completely in the range, and single results for all other days. Results are found
 * by index, so the cost depends on how often the given tests ran on these days. OFFSET 0 keeps the planner from joining
 * the days: a join would read all days of the range.
 */
function outcomesByDay(ids: readonly string[], range: TimeRange): Prisma.Sql {
  const { start, end } = range;
  return Prisma.sql`/* outcome-counts outcomesByDay */
    WITH summed AS MATERIALIZED (
      SELECT day FROM test_results.summed_day WHERE day = ANY(${wholeDaysOf(range)}::date[])
    ), unsummed AS MATERIALIZED (
      SELECT d.day, greatest(d.day::timestamp AT TIME ZONE 'UTC', ${start}) AS start_at,
        least((d.day + 1)::timestamp AT TIME ZONE 'UTC', ${end}) AS end_at
      FROM unnest(${daysOf(range)}::date[]) AS d(day) WHERE NOT EXISTS (SELECT 1 FROM summed s WHERE s.day = d.day)
    ), by_day AS (
      SELECT t.test_case_id, t.day, t.passed, t.failed, t.skipped FROM test_results.day_total t
      WHERE t.test_case_id = ANY(${ids}::uuid[]) AND t.day = ANY(ARRAY(SELECT day FROM summed))
      UNION ALL
      SELECT r.test_case_id, u.day, (r.outcome = 0)::int, (r.outcome = 1)::int, (r.outcome = 2)::int
      FROM unsummed u CROSS JOIN LATERAL (
        SELECT o.test_case_id, o.outcome FROM test_results.result o
        WHERE o.test_case_id = ANY(${ids}::uuid[]) AND o.counted
          AND o.occurred_at >= u.start_at AND o.occurred_at < u.end_at
        OFFSET 0
      ) r
    )`;
}
