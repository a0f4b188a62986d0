import type { Entry, QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';
import { assumedAhead, assumedBefore } from './base';
import { type Batch, nextBatches, withItsStack } from './batches';
import { isDistrusted } from './assumed-to-pass';
import { frozenUntil } from './freeze';
import { sharersOf, shareTargets } from './lanes';
import { type Group, isBuiltOn, isDryRun, isUnready, lineOf, queuedHeadsOf } from './line';
import { isWorthATest } from './line-depth';
import { isWaitingOutside, pendingRank, waitingOutside } from './order';
import { lineHasCapacity, slotsOf } from './slots';
import { isHeadUnclear, isStackLanding } from './stacks';

/**
 * The next use of a free slot. Single mode: the first group of the line without a run, then the next waiting entry.
 * Parallel mode: of the groups that are worth a test, the group with the soonest turn. Null if no group can use the
 * slot.
 */
export function nextForSlot(queue: QueueSnapshot, now: Instant): Group | Batch | null {
  const queued = nextInLine(queue, now);
  if (queued !== null && (queue.mode === 'single' || isUrgent(queued))) return queued;
  // Each group of the line is built on all earlier groups: if one group is not worth a test, no later group is.
  if (queue.mode === 'single' && isAnyInLine(queue)) return null;
  const waiting = lineHasCapacity(queue) ? nextOutside(queue, now) : null;
  if (waiting === null || !isWorthATest(queue, assumedBefore(queue, waiting.entries))) return queued;
  return queued !== null && isLater(queue, waiting, queued) ? queued : waiting;
}

function isAnyInLine(queue: QueueSnapshot): boolean {
  return lineOf(queue).some(({ run }) => run === null);
}

function isLater(queue: QueueSnapshot, outside: Batch, inLine: Group): boolean {
  return (
    compareRanks(outside.entries, inLine.entries) > 0 ||
    turnOf(queue, outside.entries, undecidedFor(queue, outside.entries)) >=
      turnOf(queue, inLine.entries, undecidedAhead(queue, inLine))
  );
}

function nextInLine(queue: QueueSnapshot, now: Instant): Group | null {
  const queued = lineOf(queue).filter((group) => group.run === null);
  const isWorth = (group: Group): boolean =>
    !group.entries.some((entry) => isHeadUnclear(entry) || isStackLanding(queue, entry)) &&
    isWorthATest(queue, assumedAhead(queue, group));
  const [first] = queued;
  if (first && (queue.mode === 'single' || isUrgent(first)) && isWorth(first)) return first;
  if (!first || queue.mode === 'single') return null;
  const ready = queued.filter((group) => overtaker(queue, group, now) === null && isWorth(group));
  return soonest(ready, (group) => turnOf(queue, group.entries, undecidedAhead(queue, group)));
}

/**
 * For a distrusted group: the first group behind it that is likely to land before it and so would waste its test. Null
 * if there is none.
 */
export function overtaker(queue: QueueSnapshot, group: Group, now: Instant): Group | null {
  if (!isDistrusted(queue, group)) return null;
  const found = lineOf(queue).find(
    (other) =>
      other.run !== null &&
      other.place > group.place &&
      isOnItsWay(other.run) &&
      !isUnready(other) &&
      !isDryRun(other) &&
      frozenUntil(queue, other.entries, now) === null &&
      shareTargets(queue, group.entries, other.entries) &&
      !isBuiltOn(other.run, queuedHeadsOf(group)),
  );
  return found ?? null;
}

function isOnItsWay({ phase }: TestRun): boolean {
  return phase === 'building' || phase === 'testing' || phase === 'passed' || phase === 'landing';
}

/**
 * Each undecided entry ahead moves the turn of an entry back by the number of slots. Each later entry that waits for
 * the entry moves that turn forward by this share of the number of slots.
 */
const FORWARD = 0.4;

/**
 * The turn at which these entries get a slot. It is their order of submission, made later by undecided entries ahead,
 * because then the test is less likely to count, and sooner by entries that wait for these entries.
 */
function turnOf(queue: QueueSnapshot, entries: readonly Entry[], ahead: number): number {
  const order = Math.min(...entries.map(({ submittedOrder }) => submittedOrder));
  return order + slotsOf(queue) * (ahead - FORWARD * waitingFor(queue, entries));
}

/** The number of later entries that share a target with these entries and have not passed. */
function waitingFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  const order = Math.max(...entries.map(({ submittedOrder }) => submittedOrder));
  const orders = undecidedOrders(queue);
  let waiting = 0;
  for (const id of sharersOf(queue, entries)) if ((orders.get(id) ?? order) > order) waiting++;
  return waiting;
}

const ordersOfUndecided = new WeakMap<QueueSnapshot, ReadonlyMap<string, number>>();

/** The order of submission of all entries that have not passed, by id. */
function undecidedOrders(queue: QueueSnapshot): ReadonlyMap<string, number> {
  const known = ordersOfUndecided.get(queue);
  if (known) return known;
  const open = lineOf(queue).filter(({ run }) => run?.phase !== 'passed' && run?.phase !== 'landing');
  const entries = [...open.flatMap((group) => group.entries), ...queue.entries.filter(isWaitingOutside)];
  const found = new Map(entries.map(({ id, submittedOrder }) => [id, submittedOrder]));
  ordersOfUndecided.set(queue, found);
  return found;
}

function isUrgent({ entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine);
}

/** The number of pull requests in the base of the group that have no passed test. */
function undecidedAhead(queue: QueueSnapshot, group: Group): number {
  return undecidedIn(assumedAhead(queue, group));
}

/** Like `undecidedAhead`, for a group of `entries` that would join the line now, behind all other groups. */
function undecidedFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  return undecidedIn(assumedBefore(queue, entries));
}

function undecidedIn(groups: readonly Group[]): number {
  return groups
    .filter(({ run }) => run?.phase !== 'passed' && run?.phase !== 'landing')
    .reduce((sum, { entries }) => sum + entries.length, 0);
}

/**
 * The next waiting entries to test. In parallel mode without batches: of the startable entries with the best rank and
 * priority, the entry with the soonest turn.
 */
function nextOutside(queue: QueueSnapshot, now: Instant): Batch | null {
  if (queue.mode === 'single' || queue.settings.batch) return nextBatches(queue, now).start;
  const waiting = waitingOutside(queue, now);
  const free = notHeldUp(queue, waiting).filter((entry) => isWorthATest(queue, assumedBefore(queue, [entry])));
  const [first] = free;
  if (!first) return null;
  const rivals = free.filter((entry) => compareRanks([entry], [first]) === 0);
  const next = soonest(rivals, (entry) => turnOf(queue, [entry], undecidedFor(queue, [entry]))) ?? first;
  return { entries: withItsStack(queue, next, waiting), startsAt: now };
}

/** The entries of `inOrder` that share no target with an earlier entry of it. */
function notHeldUp(queue: QueueSnapshot, inOrder: readonly Entry[]): readonly Entry[] {
  const before = new Set<string>();
  return inOrder.filter((entry) => {
    const isHeldUp = [...sharersOf(queue, [entry])].some((id) => before.has(id));
    before.add(entry.id);
    return !isHeldUp;
  });
}

/** Returns a number below 0 if `entries` go before `others` whatever their turns are. */
function compareRanks(entries: readonly Entry[], others: readonly Entry[]): number {
  const ranks = (some: readonly Entry[]): number => Math.min(...some.map(pendingRank));
  const priorities = (some: readonly Entry[]): number => Math.min(...some.map(({ priority }) => priority));
  return ranks(entries) - ranks(others) || priorities(entries) - priorities(others);
}

/** The item with the smallest `figure`; of several, the first. */
function soonest<T>(items: readonly T[], figure: (item: T) => number): T | null {
  let best: { readonly item: T; readonly figure: number } | null = null;
  for (const item of items) {
    const its = figure(item);
    if (best === null || its < best.figure) best = { item, figure: its };
  }
  return best?.item ?? null;
}
