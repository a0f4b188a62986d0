import type { Downtime, QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';

/**
 * When a run times out. Time in which no process of the service ran does not count. Null before its branch is pushed.
 */
export function timesOutAt({ downtimes }: QueueSnapshot, { pushedAt, deadline }: TestRun): Instant | null {
  if (pushedAt === null || deadline === null) return null;
  return putOffByDowntimes(downtimes, pushedAt, deadline);
}

/** Time after `since` in which no process of the service ran does not count. */
export function putOffByDowntimes(downtimes: readonly Downtime[], since: Instant, until: Instant): Instant {
  return downtimes.reduce((at, { from, to }) => {
    const isLost = from < at && to > since;
    return isLost ? at + to - Math.max(from, since) : at;
  }, until);
}

/** While the host does not answer, and until its statuses were read after a start, reports may only be late. */
export function maySomethingTimeOut({ hostUnreachableSince, statusesUnread }: QueueSnapshot): boolean {
  return hostUnreachableSince === null && !statusesUnread;
}
