import type { PrismaService } from '../../../../platform/database/prisma.service';
import { DAY_MS } from '../../rules/days';
import { TOO_MANY_TESTS } from '../../rules/live-tests';

/** A new name is compared with earlier tests for this time. Later, it has a history of its own. */
const NEW_FOR_DAYS = 14;
export const MOST_PAIRS = 500;
/**
 * A test that has not been seen for this time counts as gone, because the time of its last run is known only to the
 * day.
 */
const GONE_FOR_DAYS = 2;
/** The required number of commits of a stable branch on which the new name ran and the earlier name did not. */
const ENOUGH_COMMITS = 2;

export interface FoundMove {
  readonly from: string;
  readonly to: string;
  /** Name and class are the same, and no other test matches. */
  readonly isOnlyCandidate: boolean;
  /** The stable branch on which the test moved; empty: no such branch so far. */
  readonly line: string;
}

/**
 * New tests with the name of an earlier test in another file, class or suite, that never ran on the same commit as the
 * earlier test. Latest first.
 *
 * `line`: a branch on which the new name ran on at least two commits. The earlier name ran on this branch before, in
 * the same job, but not since.
 *
 * For each name, the search considers all tests with the name or no test, so that no candidate is missed. Names with a
 * test that has not been seen for days come first, then the newest names. Names beyond the limit wait until earlier
 * names were moved or are no longer new.
 * @param mostPairs the maximum number of pairs
 */
export function findMovedTests(
  prisma: PrismaService,
  repositoryId: string,
  now: Date,
  mostPairs = MOST_PAIRS,
): Promise<FoundMove[]> {
  const seenFirstAfter = new Date(now.getTime() - NEW_FOR_DAYS * DAY_MS);
  return prisma.$queryRaw<FoundMove[]>`/* find-moved-tests findMovedTests */
    WITH fresh AS MATERIALIZED (
      SELECT * FROM "TestCase" n
      WHERE n."repositoryId" = ${repositoryId}::uuid AND n."lastSeenAt" > ${seenFirstAfter} AND n."firstSeenAt" > ${seenFirstAfter}
        AND NOT n."outsideTests" AND n."name" <> ${TOO_MANY_TESTS.name}
        AND NOT EXISTS (SELECT 1 FROM "TestMove" m WHERE m."testCaseId" = n."id" AND m."undoneAt" IS NULL)
        AND NOT EXISTS (SELECT 1 FROM "TestMove" m WHERE m."movedIds"[1] = n."id" AND m."repositoryId" = ${repositoryId}::uuid)
    ), alike AS (
      SELECT t."name", t."variant", array_agg(t."id") AS ids, array_agg(t."id") FILTER (WHERE f."id" IS NOT NULL) AS fresh,
        count(*) AS tests, count(f."id") AS news, min(t."lastSeenAt") AS seen, max(f."lastSeenAt") AS fresh_seen, max(f."firstSeenAt") AS at
      FROM "TestCase" t LEFT JOIN fresh f ON f."id" = t."id"
      WHERE t."repositoryId" = ${repositoryId}::uuid AND NOT t."outsideTests"
        AND (t."name", t."variant") IN (SELECT "name", "variant" FROM fresh)
      GROUP BY 1, 2
    ), named AS (
      SELECT a.ids, a.fresh, sum(of.pairs) OVER (
        ORDER BY a.seen > a.fresh_seen - make_interval(days => ${GONE_FOR_DAYS}::int), a.at DESC, a."name", a."variant") AS pairs
      FROM alike a CROSS JOIN LATERAL (SELECT a.news * (a.tests - a.news) + a.news * (a.news - 1) / 2 AS pairs) of
      WHERE of.pairs BETWEEN 1 AND ${mostPairs}::int
    ), pair AS MATERIALIZED (
      SELECT o."id" AS o, n."id" AS n, n."firstSeenAt" AS at,
        o."classname" = n."classname" AND (n."classname" <> '' OR (n."parent" <> '' AND o."parent" = n."parent")) AS same
      FROM named CROSS JOIN LATERAL unnest(named.fresh) AS f(id) CROSS JOIN LATERAL unnest(named.ids) AS k(id)
      JOIN "TestCase" n ON n."id" = f.id JOIN "TestCase" o ON o."id" = k.id
      WHERE named.pairs <= ${mostPairs}::int AND o."id" <> n."id" AND o."firstSeenAt" < n."firstSeenAt"
    ), ran AS MATERIALIZED (
      SELECT r.test_case_id AS id, u."id" AS upload, u."commit", u."job", u."part", u."line",
        u."branchClass" = 'stable' AND u."line" <> '' AS stable
      FROM (SELECT o AS id FROM pair UNION SELECT n FROM pair) t JOIN test_results.result r ON r.test_case_id = t.id
      JOIN "TestUpload" u ON u."id" = r.upload_id WHERE r.outcome <> 2
    ), together AS (
      SELECT DISTINCT p.o, p.n FROM pair p JOIN ran a ON a.id = p.n JOIN ran b ON b.id = p.o AND b."commit" = a."commit"
    ), apart AS MATERIALIZED (
      SELECT p.* FROM pair p LEFT JOIN together t ON t.o = p.o AND t.n = p.n
      WHERE t.o IS NULL AND p.n IN (SELECT id FROM ran)
    ), before AS (
      SELECT DISTINCT r.id, r."line", r."job", r."part", max(r.upload) OVER (PARTITION BY r.id, r."line") AS last
      FROM ran r WHERE r.stable AND r.id IN (SELECT o FROM apart)
    ), landed AS (
      SELECT DISTINCT ON (p.o, p.n) p.o, p.n, a."line" FROM apart p JOIN ran a ON a.id = p.n AND a.stable AND a."job" <> ''
      JOIN before b ON b.id = p.o AND b."line" = a."line" AND b."job" = a."job" AND b."part" = a."part"
      GROUP BY p.o, p.n, a."line", a."job", a."part", b.last
      HAVING count(DISTINCT a."commit") >= ${ENOUGH_COMMITS} AND b.last <= min(a.upload)
      ORDER BY p.o, p.n, a."line"
    )
    SELECT p.o AS "from", p.n AS "to", coalesce(l."line", '') AS "line",
      p.same AND count(*) OVER (PARTITION BY p.o) = 1 AND count(*) OVER (PARTITION BY p.n) = 1 AS "isOnlyCandidate"
    FROM apart p LEFT JOIN landed l ON l.o = p.o AND l.n = p.n
    ORDER BY p.at DESC, p.n, p.o`;
}

/** Automatic moves that later uploads disprove: both names ran on one commit, or the earlier name has run again. */
export async function mistakenMoves(prisma: PrismaService, repositoryId: string): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`/* find-moved-tests mistakenMoves */
    WITH mine AS MATERIALIZED (
      SELECT * FROM "TestMove" WHERE "repositoryId" = ${repositoryId}::uuid AND "undoneAt" IS NULL AND "line" <> ''
    ), noted AS (
      SELECT m."id", b."uploadId", b."hasBoth", v."commit" FROM mine m JOIN "TestMoveUpload" b ON b."moveId" = m."id"
      JOIN "TestUpload" v ON v."id" = b."uploadId"
    ), earlier AS MATERIALIZED (
      SELECT m."id", u."commit", u."branchClass" = 'stable' AND u."line" = m."line" AND u."receivedAt" > m."at" AS "isBack", m."at"
      FROM mine m JOIN test_results.result r ON r.test_case_id = m."testCaseId" JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.outcome <> 2
        AND NOT EXISTS (SELECT 1 FROM "TestMoveUpload" b WHERE b."moveId" = m."id" AND b."uploadId" = r.upload_id)
    ), mistaken AS (
      SELECT "id" FROM noted WHERE "hasBoth"
      UNION SELECT e."id" FROM earlier e JOIN noted n ON n."id" = e."id" AND n."commit" = e."commit"
      UNION SELECT e."id" FROM earlier e WHERE e."isBack" AND NOT EXISTS (
        SELECT 1 FROM "TestUpload" w WHERE w."repositoryId" = ${repositoryId}::uuid AND w."commit" = e."commit" AND w."receivedAt" <= e."at")
    )
    SELECT "id"::text AS id FROM mistaken ORDER BY mistaken."id" DESC`;
  return rows.map(({ id }) => id);
}
