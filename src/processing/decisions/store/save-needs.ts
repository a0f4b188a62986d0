import type { Entry, QueueSnapshot } from '../../../engine/model';
import type { EntryNeed } from '../../../generated/prisma/client';
import { type BulkTable, insertRows } from '../../../platform/database/bulk';
import type { QueueLock } from '../queue-lock';

const NEEDS: BulkTable<EntryNeed> = {
  name: 'EntryNeed',
  columns: { queueId: 'uuid', number: 'int', needed: 'int', head: 'text', base: 'text' },
};

/** Replaces the stored needs of entries whose needs the decision changed. A concluded entry has no needs. */
export async function saveNeeds({ tx, row }: QueueLock, before: QueueSnapshot, after: QueueSnapshot): Promise<void> {
  const known = new Map(before.entries.map((entry) => [entry.id, entry.needs]));
  const changed = after.entries.filter(({ id, needs }) => known.get(id) !== needs);
  if (changed.length === 0) return;
  const isKnown = ({ id }: Entry): boolean => known.get(id) !== undefined;
  const numbers = changed.filter(isKnown).map(({ number }) => number);
  if (numbers.length > 0)
    await tx.execute`/* save-needs saveNeeds */ DELETE FROM "EntryNeed" WHERE "queueId" = ${row.id}::uuid AND "number" = ANY(${numbers}::int[])`;
  const rows = changed.flatMap(({ number, needs = [] }) =>
    needs.map((need) => ({
      queueId: row.id,
      number,
      needed: need.number,
      head: need.head ?? '',
      base: need.base ?? null,
    })),
  );
  await insertRows(tx, NEEDS, rows);
}
