import type { PrismaService } from '../../../../platform/database/prisma.service';
import { lastDays, type TimeRange } from '../../rules/days';
import { type OutcomeCounts, outcomesOf, type TestOutcomes } from './outcome-counts';

/** Failures ÷ (failures + passes); skipped results do not count. */
export interface FailureRates {
  readonly last7Days: number;
  readonly last24Hours: number;
}

/** The rates by test id; no entry: the test did not run in the last 7 days. */
export async function failureRates(
  prisma: PrismaService,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, FailureRates>> {
  const [week, day] = await Promise.all([
    outcomesOf(prisma, ids, lastDays(now, 7)),
    outcomesOf(prisma, ids, lastDays(now, 1)),
  ]);
  const lately = new Map(day.map((row) => [row.testCaseId, row]));
  const ratesOf = (row: TestOutcomes): FailureRates => ({
    last7Days: failureRate(row),
    last24Hours: failureRate(lately.get(row.testCaseId)),
  });
  return new Map(week.map((row) => [row.testCaseId, ratesOf(row)]));
}

function failureRate(counts: OutcomeCounts | undefined): number {
  if (counts === undefined || counts.failed === 0) return 0;
  return counts.failed / (counts.failed + counts.passed);
}

interface ImpactedRow {
  readonly testCaseId: string;
  readonly pullRequests: number;
}

/** The number of pull requests on which each test failed in the last 7 days; no entry: no pull request. */
export async function impactedPullRequests(
  prisma: PrismaService,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const { start, end }: TimeRange = lastDays(now, 7);
  const rows = await prisma.$queryRaw<ImpactedRow[]>`/* recent-results impactedPullRequests */
    SELECT r.test_case_id AS "testCaseId", count(DISTINCT r.pr_number)::int AS "pullRequests"
    FROM test_results.result r
    WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome = 1 AND r.counted
      AND r.occurred_at >= ${start} AND r.occurred_at < ${end}
    GROUP BY r.test_case_id`;
  return new Map(rows.map((row) => [row.testCaseId, row.pullRequests]));
}
