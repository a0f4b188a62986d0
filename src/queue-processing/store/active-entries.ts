import type { QueueLock } from '../queue-lock';

const ACTIVE = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];

/** Counted under the lock: whatever is submitted later finds the queue deleted. */
export function countActiveEntries({ tx, row }: QueueLock): Promise<number> {
  return tx.entry.count({ where: { queueId: row.id, state: { in: ACTIVE } } });
}
