import type { AskedEntry } from '../../engine/decision';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isOutsideFlow } from '../../engine/flow-facts/scheduling';
import { comparePending, pendingRank } from '../../engine/policy/order';
import { isConcluded } from '../../engine/states';
import type { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { DomainError } from '../../platform/errors/domain-error';
import type { QueueView } from './queue-input';
import { readQueue } from './queue-lock';
import type { SnapshotLoader } from './store/snapshot-loader';

/**
 * The highest number of waiting entries that is counted: more would slow down every reader, and nobody needs the exact
 * number.
 */
const COUNTED_AT_MOST = 10_000;

/** Reads the bounded snapshot and the requested entries in one consistent transaction, without a lock. */
export function viewQueue(
  sql: Sql,
  loader: SnapshotLoader,
  queueId: string,
  numbers: readonly number[],
  now: Date,
): Promise<QueueView> {
  return sql.snapshot(async (tx) => {
    const row = await readQueue(tx, queueId);
    if (!row) throw new DomainError('MERGE_QUEUE_NOT_FOUND', 'There is no such merge queue.');
    const snapshot = await loader.load(tx, row, { numbers, commits: [] }, now);
    const entries = snapshot.entries.filter((entry) => numbers.includes(entry.number));
    const asked: AskedEntry[] = [];
    for (const entry of entries) asked.push({ entryId: entry.id, ahead: await countAhead(tx, snapshot, entry) });
    return { snapshot, asked, readAt: now };
  });
}

/**
 * Counts the entries ahead of this one: in the sequence, which the snapshot has completely, then waiting entries.
 * Entries in a bisection do not count, because the bisection runs in parallel to the sequence. Entries in a run or
 * suspect set of flow scheduling do not count, either.
 */
export async function countAhead(tx: Statements, { id, entries }: QueueSnapshot, entry: Entry): Promise<number> {
  if (isConcluded(entry.state) || entry.state === 'not_ready') return 0;
  const inLine = entries.filter((other) => other.place !== null);
  if (entry.place !== null) return inLine.filter((other) => comparePlace(other, entry) < 0).length;
  if (entry.state !== 'pending' || entry.search !== null || !isOutsideFlow(entry)) return 0;
  const { returnedOrder, priority, submittedOrder } = entry;
  const [waiting] = await tx.rows<{ count: number }>`/* queue-view countAhead */
    SELECT count(*)::int AS "count" FROM (
      SELECT 1 FROM "Entry"
      WHERE "queueId" = ${id}::uuid AND "state" = 'pending' AND "place" IS NULL AND "search" IS NULL
        AND "standing" IS NULL
        AND ("pendingRank", "returnedOrder", "priority", "submittedOrder")
          < (${pendingRank(entry)}, ${returnedOrder}, ${priority}, ${submittedOrder})
      LIMIT ${COUNTED_AT_MOST}) AS ahead`;
  return inLine.length + waiting!.count;
}

function comparePlace(a: Entry, b: Entry): number {
  return (a.place ?? 0) - (b.place ?? 0) || a.placeIndex - b.placeIndex || comparePending(a, b);
}
