import type { Entry, QueueSnapshot } from '../model';
import { URGENT, type Instant } from '../vocabulary';

/** Urgent, then what came back from a culprit search, then by priority, then by submission. */
export function comparePending(a: Entry, b: Entry): number {
  return (
    pendingRank(a) - pendingRank(b) ||
    a.returnedOrder - b.returnedOrder ||
    a.priority - b.priority ||
    a.submittedOrder - b.submittedOrder
  );
}

export function pendingRank(entry: Pick<Entry, 'priority' | 'returnedOrder'>): 0 | 1 | 2 {
  if (entry.priority === URGENT) return 0;
  return entry.returnedOrder > 0 ? 1 : 2;
}

/** The entries that wait outside the line, in order, without those that the host is asked about again later. */
export function waitingOutside(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  return queue.entries
    .filter(
      (entry) =>
        entry.state === 'pending' &&
        entry.place === null &&
        entry.search === null &&
        (entry.askAgainAt === null || entry.askAgainAt <= now),
    )
    .sort(comparePending);
}
