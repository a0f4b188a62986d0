import type { Entry, Need } from '../../../engine/model';
import { type EntryNeed, Prisma } from '../../../generated/prisma/client';
import type { Statements } from '../../../platform/database/statements';

/**
 * The next waiting entries may be unable to start because of their needs. At most this many more entries are loaded
 * because of that.
 */
const MOST_WITH_NEEDS = 500;
/**
 * The maximum number of entries that are loaded because they need a loaded entry. The needs of these entries are
 * loaded, too, so that no needed entry seems to be missing.
 */
const MOST_RELATED = 1_000;

/** The number of entries that have needs. */
export function withNeedsCounted(queueId: string): Prisma.Sql {
  return Prisma.sql`/* read-needs withNeedsCounted */
    SELECT count(*)::int AS "count" FROM (
      SELECT DISTINCT "number" FROM "EntryNeed" WHERE "queueId" = ${queueId}::uuid LIMIT ${MOST_WITH_NEEDS}) AS few`;
}

/**
 * The numbers of the pull requests that the given pull requests need, or that need them, directly or indirectly. The
 * given pull requests are left out.
 */
export async function readRelated(
  tx: Statements,
  queueId: string,
  known: readonly number[],
): Promise<readonly number[]> {
  const related = await tx.rows<{ number: number }>`/* read-needs readRelated */
    WITH RECURSIVE needing AS (
      SELECT unnest(${known}::int[]) AS "number"
      UNION
      SELECT n."number" FROM needing r
      JOIN "EntryNeed" n ON n."queueId" = ${queueId}::uuid AND n."needed" = r."number"
    ), needed AS (
      (SELECT "number" FROM needing LIMIT ${known.length + MOST_RELATED})
      UNION
      SELECT n."needed" FROM needed r
      JOIN "EntryNeed" n ON n."queueId" = ${queueId}::uuid AND n."number" = r."number"
    )
    SELECT "number" FROM needed`;
  return related.map(({ number }) => number).filter((number) => !known.includes(number));
}

type NeedRow = Pick<EntryNeed, 'number' | 'needed' | 'head' | 'base'>;

export async function withStoredNeeds(
  tx: Statements,
  queueId: string,
  withNeeds: number,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  if (withNeeds === 0) return entries;
  const numbers = entries.map(({ number }) => number);
  const rows = await tx.rows<NeedRow>`/* read-needs withStoredNeeds */
    SELECT "number", "needed", "head", "base" FROM "EntryNeed"
    WHERE "queueId" = ${queueId}::uuid AND "number" = ANY(${numbers}::int[]) ORDER BY "number", "needed", "head"`;
  const needs = new Map<number, Need[]>();
  for (const row of rows) needs.set(row.number, [...(needs.get(row.number) ?? []), needOf(row)]);
  return entries.map((entry) => {
    const found = needs.get(entry.number);
    return found ? { ...entry, needs: found } : entry;
  });
}

function needOf({ needed, head, base }: NeedRow): Need {
  return { number: needed, head: head === '' ? null : head, ...(base !== null && { base }) };
}
