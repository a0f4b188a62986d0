import type { Downtime, QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';

/**
 * When a run times out. Time in which no process of the service ran does not count. Null before its branch is pushed.
 */
export function timesOutAt({ downtimes }: QueueSnapshot, { pushedAt, deadline }: TestRun): Instant | null {
  if (pushedAt === null || deadline === null) return null;
  return putOffByDowntimes(downtimes, pushedAt, deadline);
}

/** Moves `until` to a later time, by the time after `since` in which no process of the service ran. */
export function putOffByDowntimes(downtimes: readonly Downtime[], since: Instant, until: Instant): Instant {
  return downtimes.reduce((at, { from, to }) => {
    const isLost = from < at && to > since;
    return isLost ? at + to - Math.max(from, since) : at;
  }, until);
}

/**
 * Whether time-outs apply. Reports may only be late while the host does not answer, and after a start of the service
 * until the statuses have been read, so no time-out applies then.
 */
export function maySomethingTimeOut({ hostUnreachableSince, statusesUnread }: QueueSnapshot): boolean {
  return hostUnreachableSince === null && !statusesUnread;
}
