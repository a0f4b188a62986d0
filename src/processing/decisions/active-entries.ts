import type { QueueLock } from './queue-lock';

const ACTIVE_STATES = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];

/** Counts under the lock: a later submission finds the queue deleted. */
export async function countActiveEntries({ tx, row }: QueueLock): Promise<number> {
  const [active] = await tx.rows<{ count: number }>`/* active-entries countActiveEntries */
    SELECT count(*)::int AS "count" FROM "Entry" WHERE "queueId" = ${row.id}::uuid AND "state" = ANY(${ACTIVE_STATES}::text[])`;
  return active!.count;
}
