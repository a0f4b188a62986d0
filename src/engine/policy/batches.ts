import type { Entry, QueueSnapshot } from '../model';
import { deadlineAfter, type Instant, MINUTE, URGENT } from '../vocabulary';
import { sharesTarget, shareTargets } from './lanes';
import { waitingOutside } from './order';
import { canFollow, countMembers, placeInStack } from './stacks';

/** Entries that could be tested together, and when they start without further members. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** A time that is not later than now means at once. */
  readonly startsAt: Instant;
}

/**
 * The next batches, in order. `start`: the first batch that may start now. `waiting`: the batches before it, which wait
 * for more members.
 */
export interface NextBatches {
  readonly start: Batch | null;
  readonly waiting: readonly Batch[];
}

/**
 * Forms batches of the waiting entries, in order. An incomplete batch holds up every entry that shares a target with it
 * (in single mode, every entry): no such entry may overtake the batch. `waiting`: the entries to look at, in this
 * order.
 */
export function nextBatches(
  queue: QueueSnapshot,
  now: Instant,
  waiting: readonly Entry[] = waitingOutside(queue, now),
): NextBatches {
  const heldUp: Entry[] = [];
  const batches: Batch[] = [];
  for (const [i, first] of waiting.entries()) {
    if (heldUp.includes(first)) continue;
    if (shareTargets(queue, [first], heldUp)) {
      heldUp.push(first);
      continue;
    }
    const batch = batchFrom(queue, first, waiting.slice(i + 1), heldUp);
    if (batch.startsAt <= now) return { start: batch, waiting: batches };
    batches.push(batch);
    heldUp.push(...batch.entries);
  }
  return { start: null, waiting: batches };
}

function batchFrom(queue: QueueSnapshot, first: Entry, rest: readonly Entry[], heldUp: readonly Entry[]): Batch {
  const at = grown(queue, first, rest, heldUp);
  const isComplete = at.isClosed || first.returnedOrder > 0 || !mayGrow(queue, at.entries);
  const oldest = Math.min(...at.entries.map((entry) => entry.pendingSince ?? entry.submittedAt));
  const wait = queue.settings.batchingMaxWaitTimeMinutes * MINUTE;
  return { entries: at.entries, startsAt: isComplete ? oldest : deadlineAfter(oldest, wait) };
}

interface Growth {
  readonly entries: readonly Entry[];
  /** True if no further entry may join: the first entry runs alone, or in single mode the next entry cannot join. */
  readonly isClosed: boolean;
}

function grown(queue: QueueSnapshot, first: Entry, rest: readonly Entry[], heldUp: readonly Entry[]): Growth {
  const entries = [first];
  const passedOver = [...heldUp];
  let isClosed = runsAlone(queue, first);
  for (const entry of rest) {
    const place = placeInStack(entries, entry);
    if (place !== null) {
      if (canJoinStack(queue, entries, entry) && canFollow(queue, entry, entries.slice(0, place)))
        entries.splice(place, 0, entry);
      continue;
    }
    if (isClosed) continue;
    if (canJoin(queue, entries, entry) && !shareTargets(queue, [entry], passedOver)) entries.push(entry);
    else if (queue.mode === 'single') isClosed = true;
    else passedOver.push(entry);
  }
  return { entries, isClosed };
}

/** The entries that are tested together in a queue without batches: `first`, and the waiting layers of its stack. */
export function withItsStack(queue: QueueSnapshot, first: Entry, waiting: readonly Entry[]): readonly Entry[] {
  const entries = [first];
  for (const entry of waiting) {
    const place = entry === first ? null : placeInStack(entries, entry);
    const joins = place !== null && canJoinStack(queue, entries, entry);
    if (joins && canFollow(queue, entry, entries.slice(0, place))) entries.splice(place, 0, entry);
  }
  return entries;
}

/**
 * Whether the layer joins the other layers of its stack in a batch, past other waiting entries if need be. A stack
 * counts as one member, whatever its length.
 */
export function canJoinStack(queue: QueueSnapshot, batch: readonly Entry[], entry: Entry): boolean {
  const isAsBatch = entry.returnedGroup === batch[0]!.returnedGroup && entry.dryRun === batch[0]!.dryRun;
  if (!isAsBatch || (runsAlone(queue, entry) && countMembers(batch) > 1)) return false;
  return batch.length < mostEntries(queue, [...batch, entry]);
}

function canJoin(queue: QueueSnapshot, batch: readonly Entry[], entry: Entry): boolean {
  // The cheap check comes first: in parallel mode, most waiting entries share no target with the batch.
  if (!batch.some((member) => sharesTarget(queue, member.id, entry.id))) return false;
  if (runsAlone(queue, entry) || entry.returnedGroup !== batch[0]!.returnedGroup) return false;
  return countMembers(batch) < sizeFor(queue, [entry]) && batch.length < mostEntries(queue, [...batch, entry]);
}

/**
 * Whether the entry is never tested in a batch: it was requested so, is urgent, falls under a batching rule, or is a
 * dry run, on which no run is built.
 */
export function runsAlone({ isolated }: QueueSnapshot, entry: Entry): boolean {
  return entry.noBatch || entry.dryRun || entry.priority === URGENT || isolated.has(entry.id);
}

function mayGrow(queue: QueueSnapshot, batch: readonly Entry[]): boolean {
  return countMembers(batch) < sizeFor(queue, []) && batch.length < mostEntries(queue, batch);
}

/**
 * The maximum number of entries in a batch with these entries. Entries that failed in a batch later get a smaller
 * batch.
 */
function mostEntries({ limits }: QueueSnapshot, entries: readonly Entry[]): number {
  return Math.min(limits.batchSize, ...entries.map((entry) => entry.batchAtMost ?? Infinity));
}

/**
 * The number of members with which a batch with these entries is complete. `batchingMinSize` is also the maximum, as
 * clients expect.
 */
export function sizeFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  const { batch, batchingMinSize } = queue.settings;
  if (!batch) return 1;
  const own = entries.map((entry) => entry.batchAtMost ?? Infinity);
  return Math.min(batchingMinSize, queue.limits.batchSize, ...own);
}
