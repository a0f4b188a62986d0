import { Prisma } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { lastDays, type TimeRange } from '../../rules/days';
import { retiredBefore } from '../../rules/live-tests';

export const TEST_CHOICES = ['unhealthy', 'failing', 'quarantined', 'all'] as const;
/**
 * The tests in a list. unhealthy: broken or flaky; failing: failed in the last 7 days; all: every test that is not
 * retired.
 */
export type TestChoice = (typeof TEST_CHOICES)[number];

export const TEST_ORDERS = ['pull_requests_impacted', 'since', 'name'] as const;
/** pull_requests_impacted: most first; since: latest status change first. */
export type TestOrder = (typeof TEST_ORDERS)[number];

export interface WantedTests {
  readonly choice: TestChoice;
  /** Parts of a name, a suite, a file or an owner, in any letter case; every part must match. */
  readonly words: readonly string[];
  readonly order: TestOrder;
  /** The number of tests before the page. */
  readonly start: number;
  readonly size: number;
}

export interface SortedTests {
  /** The number of chosen tests on all pages. */
  readonly total: number;
  /** The number of pull requests on which any of the chosen tests failed in the last 7 days. */
  readonly pullRequestsImpacted: number;
  readonly ids: readonly string[];
}

interface Place {
  readonly repositoryId: string;
  readonly now: Date;
}

/** A page of chosen tests. Results are read only for tests that failed in the last 7 days. */
export async function sortedTests(
  prisma: PrismaService,
  { repositoryId, now }: Place,
  { choice, words, order, start, size }: WantedTests,
): Promise<SortedTests> {
  const week = lastDays(now, 7);
  const rows = await prisma.$queryRaw<SortedTests[]>`/* sorted-tests sortedTests */
    WITH chosen AS MATERIALIZED (
      SELECT t."id", t."name", t."parent", t."statusChangedAt" AS since, t."lastFailedAt" AS failed_at FROM "TestCase" t
      WHERE t."repositoryId" = ${repositoryId}::uuid AND t."lastSeenAt" > ${retiredBefore(now)}
        AND ${isChosen(choice, week)}
        AND NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS w(word) WHERE strpos(lower(
          concat_ws(' ', t."name", t."parent", t."classname", t."filePath", array_to_string(t."codeowners", ' '))
        ), lower(w.word)) = 0)
    ), impacted AS MATERIALIZED (
      SELECT c."id", r.pr_number FROM chosen c CROSS JOIN LATERAL (
        SELECT DISTINCT o.pr_number FROM test_results.result o
        WHERE o.test_case_id = c."id" AND o.outcome = 1 AND o.counted AND o.pr_number IS NOT NULL
          AND o.occurred_at >= ${week.start} AND o.occurred_at < ${week.end}
        OFFSET 0
      ) r
      WHERE c.failed_at >= ${week.start}
    ), numbered AS MATERIALIZED (
      SELECT c."id", row_number() OVER (ORDER BY ${ORDERS[order]}, c."id") AS number
      FROM chosen c LEFT JOIN (SELECT i."id", count(*) AS times FROM impacted i GROUP BY i."id") i ON i."id" = c."id"
    )
    SELECT (SELECT count(*)::int FROM chosen) AS "total",
      (SELECT count(DISTINCT pr_number)::int FROM impacted) AS "pullRequestsImpacted",
      ARRAY(SELECT n."id"::text FROM numbered n
            WHERE n.number > ${start}::int AND n.number <= ${start}::int + ${size}::int ORDER BY n.number) AS "ids"`;
  return rows[0]!;
}

function isChosen(choice: TestChoice, week: TimeRange): Prisma.Sql {
  switch (choice) {
    case 'unhealthy':
      return Prisma.sql`t."status" IN ('flaky', 'broken')`;
    case 'failing':
      return failedSince(week);
    case 'quarantined':
      return Prisma.sql`t."quarantined"`;
    case 'all':
      return Prisma.sql`true`;
  }
}

function failedSince({ start }: TimeRange): Prisma.Sql {
  return Prisma.sql`t."lastFailedAt" >= ${start}`;
}

const ORDERS: Readonly<Record<TestOrder, Prisma.Sql>> = {
  pull_requests_impacted: Prisma.sql`coalesce(i.times, 0) DESC, c.failed_at DESC NULLS LAST`,
  since: Prisma.sql`c.since DESC`,
  name: Prisma.sql`c."parent", c."name"`,
};

/** The number of tests of a repository that are not retired, by kind. */
export interface TestTotals {
  readonly known: number;
  readonly broken: number;
  readonly flaky: number;
  readonly failing: number;
  readonly quarantined: number;
}

export async function testTotals(prisma: PrismaService, { repositoryId, now }: Place): Promise<TestTotals> {
  const rows = await prisma.$queryRaw<TestTotals[]>`/* sorted-tests testTotals */
    SELECT count(*)::int AS "known", (count(*) FILTER (WHERE t."status" = 'broken'))::int AS "broken",
      (count(*) FILTER (WHERE t."status" = 'flaky'))::int AS "flaky",
      (count(*) FILTER (WHERE ${failedSince(lastDays(now, 7))}))::int AS "failing",
      (count(*) FILTER (WHERE t."quarantined"))::int AS "quarantined"
    FROM "TestCase" t WHERE t."repositoryId" = ${repositoryId}::uuid AND t."lastSeenAt" > ${retiredBefore(now)}`;
  return rows[0]!;
}
