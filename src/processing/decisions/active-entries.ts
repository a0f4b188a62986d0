import type { QueueLock } from './queue-lock';

const ACTIVE_STATES = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];

/** Counts under the lock: a later submission finds the queue deleted. */
export function countActiveEntries({ tx, row }: QueueLock): Promise<number> {
  return tx.entry.count({ where: { queueId: row.id, state: { in: ACTIVE_STATES } } });
}
