import type { Entry, QueueSnapshot, UnreadableConfig } from '../model';
import { isAssumedToPass } from './assumed-to-pass';
import { lineOf, queuedHeadsOf } from './line';
import { inOrderOfNeeds } from './needs';
import { isHeadUnclear, isStackLanding } from './stacks';
import { URGENT, type Instant } from '../vocabulary';

/** Urgent entries, then those back from a bisection, then by priority, then by submission. */
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
 * The entries that wait outside the line, in order. Entries whose test cannot start yet are left out: the host or a
 * configuration file prevents it, or a dependency can be neither ahead of it nor in its batch.
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

/** Outside the line and all bisections. */
export function isWaitingOutside({ state, place, search }: Entry): boolean {
  return state === 'pending' && place === null && search === null;
}

/** Somebody asked for a new test, which has not started yet. */
export function wasRestarted({ stateReason }: Entry): boolean {
  return stateReason === 'tests_restarted_by_api_request' || stateReason === 'tests_restarted_by_user';
}

/**
 * False until the next request to the host, while the configuration file is unreadable, while the head is unclear, and
 * while a part of its stack is being landed.
 */
export function mayBeTried(queue: QueueSnapshot, entry: Entry, now: Instant): boolean {
  if (isHeadUnclear(entry) || isStackLanding(queue, entry)) return false;
  return (entry.askAgainAt === null || entry.askAgainAt <= now) && configWaitedFor(queue, entry) === null;
}

/**
 * The configuration error that keeps the test from starting until the target has another tip, or statuses are set
 * manually; null: none.
 */
export function configWaitedFor(queue: QueueSnapshot, { unreadableConfig }: Entry): UnreadableConfig | null {
  if (unreadableConfig?.commit !== queue.tip?.commit) return null;
  return unreadableConfig?.isByHand === areStatusesByHand(queue) ? unreadableConfig : null;
}

export function areStatusesByHand({ settings }: QueueSnapshot): boolean {
  return settings.requiredStatuses.length > 0;
}
