import type { Entry, QueueSnapshot, UnreadableConfig } from '../model';
import { isAssumedToPass } from './assumed-to-pass';
import { lineOf, queuedHeadsOf } from './line';
import { inOrderOfNeeds } from './needs';
import { isHeadUnclear, isStackLanding } from './stacks';
import { URGENT, type Instant } from '../vocabulary';

/**
 * The order of waiting entries: urgent entries, then entries that returned from a bisection, then by priority, then by
 * submission.
 */
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

/**
 * The entries that wait outside the line, in order. An entry whose test cannot start yet is left out: it waits for the
 * host or for a configuration file, or a dependency would not be ahead of it.
 */
export function waitingOutside(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  const waiting = queue.entries
    .filter((entry) => isWaitingOutside(entry) && mayBeTried(queue, entry, now))
    .sort(comparePending);
  return inOrderOfNeeds(queue, waiting, () =>
    lineOf(queue)
      .filter((group) => isAssumedToPass(queue, group))
      .flatMap(queuedHeadsOf),
  );
}

/** Whether the entry waits outside the line and all bisections. */
export function isWaitingOutside({ state, place, search }: Entry): boolean {
  return state === 'pending' && place === null && search === null;
}

/** Whether somebody asked for a new test that has not started yet. */
export function wasRestarted({ stateReason }: Entry): boolean {
  return stateReason === 'tests_restarted_by_api_request' || stateReason === 'tests_restarted_by_user';
}

/**
 * Whether a test of the entry may start. False while the entry waits to ask the host again, while the configuration
 * file is unreadable, while the entry's head is unclear, and while a part of its stack is being landed.
 */
export function mayBeTried(queue: QueueSnapshot, entry: Entry, now: Instant): boolean {
  if (isHeadUnclear(entry) || isStackLanding(queue, entry)) return false;
  return (entry.askAgainAt === null || entry.askAgainAt <= now) && configWaitedFor(queue, entry) === null;
}

/**
 * The error in the configuration file that keeps the test of the entry from starting, until the target has another tip
 * or required statuses are set manually. Null if there is none.
 */
export function configWaitedFor(queue: QueueSnapshot, { unreadableConfig }: Entry): UnreadableConfig | null {
  if (unreadableConfig?.commit !== queue.tip?.commit) return null;
  return unreadableConfig?.isByHand === areStatusesByHand(queue) ? unreadableConfig : null;
}

export function areStatusesByHand({ settings }: QueueSnapshot): boolean {
  return settings.requiredStatuses.length > 0;
}
