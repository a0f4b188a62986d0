import type { Entry, Need } from '../../engine/model';
import type { Tx } from '../../platform/database/prisma.service';
import type { QueueRow } from '../queue-lock';
import type { EntryRow } from './read-rows';

/** Entries that need others may stand first among those that wait and not be able to start. So many more are loaded at most. */
const MOST_WITH_NEEDS = 500;
/** Entries that are loaded because they need one that is loaded. What those need is loaded, too, so that nothing seems to lack it. */
const MOST_RELATED = 1_000;

export async function countWithNeeds(tx: Tx, queueId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM (
      SELECT DISTINCT "number" FROM "EntryNeed" WHERE "queueId" = ${queueId}::uuid LIMIT ${MOST_WITH_NEEDS}) AS few`;
  return row?.count ?? 0;
}

/** Numbers of the open entries that have one of these commits as their head. */
export async function readContained(tx: Tx, queueId: string, commits: readonly string[]): Promise<readonly number[]> {
  if (commits.length === 0) return [];
  const rows = await tx.$queryRaw<{ number: number }[]>`
    SELECT e."number" FROM unnest(${commits}::text[]) AS c("commit")
    CROSS JOIN LATERAL (SELECT "number", "state" FROM "Entry"
      WHERE "queueId" = ${queueId}::uuid AND "head" = c."commit" LIMIT ${MOST_RELATED}) e
    WHERE e."state" NOT IN ('merged', 'failed', 'cancelled') LIMIT ${MOST_RELATED}`;
  return rows.map(({ number }) => number);
}

/** With what they need, what needs them, and so on. */
export async function withRelated(
  tx: Tx,
  { id: queueId }: QueueRow,
  withNeeds: number,
  rows: readonly EntryRow[],
  read: (numbers: readonly number[]) => Promise<readonly EntryRow[]>,
): Promise<readonly EntryRow[]> {
  if (withNeeds === 0) return rows;
  const known = rows.map(({ number }) => number);
  const related = await tx.$queryRaw<{ number: number }[]>`
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
  const more = related.map(({ number }) => number).filter((number) => !known.includes(number));
  if (more.length === 0) return rows;
  const there = new Set(rows.map(({ id }) => id));
  return [...rows, ...(await read(more)).filter(({ id }) => !there.has(id))];
}

interface NeedRow {
  readonly number: number;
  readonly needed: number;
  readonly head: string;
}

export async function withStoredNeeds(
  tx: Tx,
  queueId: string,
  withNeeds: number,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  if (withNeeds === 0) return entries;
  const numbers = entries.map(({ number }) => number);
  const rows = await tx.$queryRaw<NeedRow[]>`
    SELECT "number", "needed", "head" FROM "EntryNeed"
    WHERE "queueId" = ${queueId}::uuid AND "number" = ANY(${numbers}::int[]) ORDER BY "number", "needed", "head"`;
  const needs = new Map<number, Need[]>();
  for (const { number, needed, head } of rows)
    needs.set(number, [...(needs.get(number) ?? []), { number: needed, head: head === '' ? null : head }]);
  return entries.map((entry) => {
    const found = needs.get(entry.number);
    return found ? { ...entry, needs: found } : entry;
  });
}
