import { Prisma } from '../../../../generated/prisma/client';
import { retiredBefore } from '../../rules/live-tests';
import type { PrismaService } from '../../../../platform/database/prisma.service';

/** A position between two tests of a list: after the test with this id, even if that test is no longer in the list. */
export interface ListPosition {
  /** `after`: the page begins at this position. `before`: the page ends at this position. */
  readonly side: 'after' | 'before';
  readonly id: string;
}

/** The position before every test: lists are ordered by id, and no test has this id. */
export const BEGINNING: ListPosition = { side: 'after', id: '00000000-0000-0000-0000-000000000000' };

export interface WantedPage {
  readonly position: ListPosition;
  readonly size: number;
}

/** A page of a list in its current state. */
export interface ListedPage {
  /** The number of tests in the whole list. */
  readonly total: number;
  /** The number of tests before the page. */
  readonly start: number;
  readonly ids: readonly string[];
  /** The test before the page; null: the page is the first. */
  readonly idBefore: string | null;
  /** The test before the last page, if pages are counted from this page; null: no test. */
  readonly idBeforeLast: string | null;
}

/**
 * A page of the list whose ids `listed` selects. The order of ids never changes, so tests that enter or leave other
 * parts of the list do not move a page. A client that follows pages sees no test twice, and sees every test that stays
 * in the list meanwhile.
 */
export async function listedPage(prisma: PrismaService, listed: Prisma.Sql, wanted: WantedPage): Promise<ListedPage> {
  const { position, size } = wanted;
  const rows = await prisma.$queryRaw<ListedPage[]>`/* listed-page listedPage */
    WITH numbered AS MATERIALIZED (
      SELECT l.id, row_number() OVER (ORDER BY l.id)::int AS number FROM (${listed}) l
    ), place AS MATERIALIZED (
      SELECT count(*)::int AS total, (count(*) FILTER (WHERE id <= ${position.id}::uuid))::int AS number FROM numbered
    ), page AS MATERIALIZED (
      SELECT total, ${boundsOf(wanted)} FROM place
    )
    SELECT p.total AS "total", p.start AS "start",
      ARRAY(SELECT n.id::text FROM numbered n WHERE n.number > p.start AND n.number <= p.stop ORDER BY n.number) AS "ids",
      (SELECT n.id::text FROM numbered n WHERE n.number = p.start) AS "idBefore",
      (SELECT n.id::text FROM numbered n
       WHERE p.stop % ${size}::int < p.total
         AND n.number = p.stop % ${size}::int + (p.total - 1 - p.stop % ${size}::int) / ${size}::int * ${size}::int
      ) AS "idBeforeLast"
    FROM page p`;
  return rows[0]!;
}

function boundsOf({ position, size }: WantedPage): Prisma.Sql {
  if (position.side === 'after') return Prisma.sql`number AS start, number + ${size}::int AS stop`;
  return Prisma.sql`greatest(number - ${size}::int, 0) AS start, number AS stop`;
}

/** The condition for a test in a list, on the row of the test. */
export type TestFilter = { readonly status: string } | { readonly quarantined: true };

/** `now`: retired tests are not listed. */
export function testsPage(
  prisma: PrismaService,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: Date },
  filter: TestFilter,
  wanted: WantedPage,
): Promise<ListedPage> {
  const isListed = 'status' in filter ? Prisma.sql`"status" = ${filter.status}` : Prisma.sql`"quarantined"`;
  const listed = Prisma.sql`/* listed-page testsPage */
    SELECT "id" FROM "TestCase"
    WHERE "repositoryId" = ${repositoryId}::uuid AND ${isListed} AND "lastSeenAt" > ${retiredBefore(now)}`;
  return listedPage(prisma, listed, wanted);
}
