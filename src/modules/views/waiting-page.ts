import { type Entry, Prisma } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';

/** Counting more entries would cost every reader time, and nobody needs the exact number. */
const COUNTED_AT_MOST = 10_000;

/**
 * The condition for waiting entries: they are not in the sequence, not in a bisection, and not in progress in flow
 * scheduling. The queue starts the next entry by the same condition.
 */
const WAITS = Prisma.sql`"state" = 'pending' AND "place" IS NULL AND "search" IS NULL AND "standing" IS NULL`;
const NOT_READY = Prisma.sql`"state" = 'not_ready' AND "place" IS NULL AND "search" IS NULL`;
const TURN = Prisma.sql`"pendingRank", "returnedOrder", "priority", "submittedOrder"`;

/** A position among the waiting entries: the section (0 waiting, 1 not ready), then the sort keys of the section. */
type Turn = readonly [section: number, rank: number, returned: number, priority: number, submitted: number];

type TurnRow = Pick<Entry, 'number' | 'pendingRank' | 'returnedOrder' | 'priority' | 'submittedOrder'>;

export interface WaitingPage {
  /** The numbers of the page in order: first waiting entries, then entries that are not ready. */
  readonly numbers: readonly number[];
  /** The number of entries before the page. */
  readonly before: number;
  readonly waitingCount: number;
  readonly notReadyCount: number;
  readonly nextCursor: string | null;
}

/**
 * `cursor`: from an earlier page. A cursor is a position in the order, so entries that have moved since are shown at
 * their current position.
 */
export async function readWaitingPage(
  tx: Statements,
  queueId: string,
  { cursor, take }: { readonly cursor?: string; readonly take: number },
): Promise<WaitingPage> {
  const after = cursor === undefined ? null : turnIn(cursor);
  const waiting = after?.[0] === 1 ? [] : await readTurns(tx, queueId, 0, after, take + 1);
  const rest = take + 1 - waiting.length;
  const notReady = rest === 0 ? [] : await readTurns(tx, queueId, 1, after?.[0] === 1 ? after : null, rest);
  const turns = [...waiting, ...notReady];
  const last = turns.length > take && take > 0 ? turns[take - 1] : undefined;
  const before = after?.[0] === 0 ? await countUpTo(tx, queueId, after) : 0;
  return {
    numbers: turns.slice(0, take).map(({ number }) => number),
    before,
    ...(await countAll(tx, queueId)),
    nextCursor: last === undefined ? null : last.cursor,
  };
}

async function readTurns(tx: Statements, queueId: string, section: 0 | 1, after: Turn | null, atMost: number) {
  const [, ...turn] = after ?? [];
  const beyond =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(${TURN}) > (${Prisma.join(turn.map((part) => Prisma.sql`${BigInt(part)}::bigint`))})`;
  const rows = await tx.rows<TurnRow>`/* waiting-page readTurns */
    SELECT "number", ${TURN} FROM "Entry"
    WHERE "queueId" = ${queueId}::uuid AND ${section === 0 ? WAITS : NOT_READY} AND ${beyond}
    ORDER BY ${TURN} LIMIT ${atMost}`;
  return rows.map(({ number, pendingRank, returnedOrder, priority, submittedOrder }) => ({
    number,
    cursor: [section, pendingRank, returnedOrder, priority, submittedOrder].join('.'),
  }));
}

async function countUpTo(tx: Statements, queueId: string, [, ...turn]: Turn): Promise<number> {
  const place = Prisma.join(turn.map((part) => Prisma.sql`${BigInt(part)}::bigint`));
  const [row] = await tx.rows<{ count: number }>`/* waiting-page countUpTo */
    SELECT count(*)::int AS "count" FROM (
      SELECT 1 FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND ${WAITS} AND (${TURN}) <= (${place})
      LIMIT ${COUNTED_AT_MOST}) AS "before"`;
  return row!.count;
}

async function countAll(tx: Statements, queueId: string): Promise<Pick<WaitingPage, 'waitingCount' | 'notReadyCount'>> {
  const [row] = await tx.rows<{ waitingCount: number; notReadyCount: number }>`/* waiting-page countAll */
    SELECT
      (SELECT count(*)::int FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND ${WAITS}) AS "waitingCount",
      (SELECT count(*)::int FROM "Entry" WHERE "queueId" = ${queueId}::uuid AND ${NOT_READY}) AS "notReadyCount"`;
  return row!;
}

function turnIn(cursor: string): Turn {
  return cursor.split('.').map(Number) as unknown as Turn;
}
