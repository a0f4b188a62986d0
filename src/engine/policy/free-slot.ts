import type { Entry, QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';
import { believedAhead, believedBefore } from './base';
import { type Batch, nextBatches, withItsStack } from './batches';
import { isDoubted } from './believed';
import { frozenUntil } from './freeze';
import { sharersOf, shareTargets } from './lanes';
import { type Group, isBuiltOn, isDryRun, isUnready, lineOf, queuedHeadsOf } from './line';
import { isWorthATest } from './line-depth';
import { isWaitingOutside, pendingRank, waitingOutside } from './order';
import { lineHasCapacity, slotsOf } from './slots';
import { isHeadUnclear, isStackLanding } from './stacks';

/**
 * What a free slot goes to. In the line: what stands there without a run, in order, then the next that waits. In lanes: what has
 * the soonest turn of those that are worth a test. Null: nothing is.
 */
export function nextForSlot(queue: QueueSnapshot, now: Instant): Group | Batch | null {
  const queued = nextInLine(queue, now);
  if (queued !== null && (queue.mode === 'single' || isUrgent(queued))) return queued;
  // What stands behind in the line is built on all that is ahead: where that is not worth a test, nothing behind it is.
  if (queue.mode === 'single' && isAnyInLine(queue)) return null;
  const waiting = lineHasCapacity(queue) ? nextOutside(queue, now) : null;
  if (waiting === null || !isWorthATest(queue, believedBefore(queue, waiting.entries))) return queued;
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
    isWorthATest(queue, believedAhead(queue, group));
  const [first] = queued;
  if (first && (queue.mode === 'single' || isUrgent(first)) && isWorth(first)) return first;
  if (!first || queue.mode === 'single') return null;
  const ready = queued.filter((group) => overtaker(queue, group, now) === null && isWorth(group));
  return soonest(ready, (group) => turnOf(queue, group.entries, undecidedAhead(queue, group)));
}

/**
 * What is behind it goes on without what is doubted, and puts it off its base by landing: then its test comes to nothing. The first
 * of those; null: nothing does.
 */
export function overtaker(queue: QueueSnapshot, group: Group, now: Instant): Group | null {
  if (!isDoubted(queue, group)) return null;
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

/** In places of the order: one undecided ahead puts it back by as many as there are slots, one behind it forward by part of that. */
const FORWARD = 0.4;

/**
 * The place in the order at which a slot goes to it. It is its own, but later the more undecided are ahead, because its test is
 * less likely to count, and sooner the more wait for it.
 */
function turnOf(queue: QueueSnapshot, entries: readonly Entry[], ahead: number): number {
  const order = Math.min(...entries.map(({ submittedOrder }) => submittedOrder));
  return order + slotsOf(queue) * (ahead - FORWARD * waitingFor(queue, entries));
}

/** How many were submitted later, share a target with it, and have not passed. */
function waitingFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  const order = Math.max(...entries.map(({ submittedOrder }) => submittedOrder));
  const orders = undecidedOrders(queue);
  let waiting = 0;
  for (const id of sharersOf(queue, entries)) if ((orders.get(id) ?? order) > order) waiting++;
  return waiting;
}

const ordersOfUndecided = new WeakMap<QueueSnapshot, ReadonlyMap<string, number>>();

/** Of all that have not passed: when they were submitted, by id. */
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

/** How many pull requests it would be built on that have no good result yet. */
function undecidedAhead(queue: QueueSnapshot, group: Group): number {
  return undecidedIn(believedAhead(queue, group));
}

/** The same, of entries that would stand behind everybody. */
function undecidedFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  return undecidedIn(believedBefore(queue, entries));
}

function undecidedIn(groups: readonly Group[]): number {
  return groups
    .filter(({ run }) => run?.phase !== 'passed' && run?.phase !== 'landing')
    .reduce((sum, { entries }) => sum + entries.length, 0);
}

/** In lanes without batches: of the first priority that may start, the one with the soonest turn. */
function nextOutside(queue: QueueSnapshot, now: Instant): Batch | null {
  if (queue.mode === 'single' || queue.settings.batch) return nextBatches(queue, now).start;
  const waiting = waitingOutside(queue, now);
  const free = notHeldUp(queue, waiting).filter((entry) => isWorthATest(queue, believedBefore(queue, [entry])));
  const [first] = free;
  if (!first) return null;
  const rivals = free.filter((entry) => compareRanks([entry], [first]) === 0);
  const next = soonest(rivals, (entry) => turnOf(queue, [entry], undecidedFor(queue, [entry]))) ?? first;
  return { entries: withItsStack(queue, next, waiting), startsAt: now };
}

/** Those that share no target with one before them. */
function notHeldUp(queue: QueueSnapshot, inOrder: readonly Entry[]): readonly Entry[] {
  const before = new Set<string>();
  return inOrder.filter((entry) => {
    const isHeldUp = [...sharersOf(queue, [entry])].some((id) => before.has(id));
    before.add(entry.id);
    return !isHeldUp;
  });
}

/** Below 0: the first go before the others, whatever is ahead of them. */
function compareRanks(entries: readonly Entry[], others: readonly Entry[]): number {
  const ranks = (some: readonly Entry[]): number => Math.min(...some.map(pendingRank));
  const priorities = (some: readonly Entry[]): number => Math.min(...some.map(({ priority }) => priority));
  return ranks(entries) - ranks(others) || priorities(entries) - priorities(others);
}

/** The first of those with the smallest figure. */
function soonest<T>(items: readonly T[], figure: (item: T) => number): T | null {
  let best: { readonly item: T; readonly figure: number } | null = null;
  for (const item of items) {
    const its = figure(item);
    if (best === null || its < best.figure) best = { item, figure: its };
  }
  return best?.item ?? null;
}
