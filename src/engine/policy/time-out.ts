import type { QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';

/** When a run times out. Time in which no process of the service ran is no test time. Null before its branch is pushed. */
export function timesOutAt({ downtimes }: QueueSnapshot, { pushedAt, deadline }: TestRun): Instant | null {
  if (pushedAt === null || deadline === null) return null;
  return downtimes.reduce((at, { from, to }) => {
    const isTestTime = from < at && to > pushedAt;
    return isTestTime ? at + to - Math.max(from, pushedAt) : at;
  }, deadline);
}

/** While the host does not answer, and until its statuses were read after a start, reports may only be late. */
export function maySomethingTimeOut({ hostUnreachableSince, statusesUnread }: QueueSnapshot): boolean {
  return hostUnreachableSince === null && !statusesUnread;
}
