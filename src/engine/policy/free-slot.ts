import type { Entry, QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';
import { type Batch, nextBatches } from './batches';
import { isBelieved } from './believed';
import { dependenciesOf, sharesTarget, shareTargets } from './lanes';
import { type Group, lineOf } from './line';
import { isWorthATest } from './line-depth';
import { pendingRank, waitingOutside } from './order';
import { hasRoomInLine } from './slots';

/**
 * What a free slot goes to. In the line: what stands there without a run, in order, then the next that waits. In lanes: what
 * has the fewest undecided ahead of it, because its test is the likeliest to count. Null also where that is not worth a test.
 */
export function nextForSlot(queue: QueueSnapshot, now: Instant): Group | Batch | null {
  const queued = nextInLine(queue);
  const undecided = queued === null ? Infinity : undecidedAhead(queue, queued);
  if (queued !== null && (undecided === 0 || queue.mode === 'single' || isUrgent(queued)))
    return isWorthATest(queue, undecided) ? queued : null;
  const waiting = hasRoomInLine(queue) ? nextOutside(queue, now) : null;
  const behind = waiting === null ? Infinity : undecidedFor(queue, waiting.entries);
  const next = behind < undecided ? waiting : queued;
  return isWorthATest(queue, Math.min(behind, undecided)) ? next : null;
}

function nextInLine(queue: QueueSnapshot): Group | null {
  const queued = lineOf(queue).filter((group) => group.run === null);
  const [first] = queued;
  if (!first || queue.mode === 'single' || isUrgent(first)) return first ?? null;
  return fewest(queued, (group) => undecidedAhead(queue, group));
}

function isUrgent({ entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine);
}

/** How many pull requests it would be built on that have no good result yet. */
export function undecidedAhead(queue: QueueSnapshot, group: Group): number {
  return undecidedIn(queue, dependenciesOf(queue, group));
}

/** The same, of entries that would stand behind everybody. */
export function undecidedFor(queue: QueueSnapshot, entries: readonly Entry[]): number {
  return undecidedIn(
    queue,
    lineOf(queue).filter((group) => shareTargets(queue, entries, group.entries)),
  );
}

function undecidedIn(queue: QueueSnapshot, groups: readonly Group[]): number {
  return groups
    .filter((group) => group.run?.phase !== 'passed' && group.run?.phase !== 'landing' && isBelieved(queue, group))
    .reduce((sum, { entries }) => sum + entries.length, 0);
}

/** In lanes without batches: of the first priority that may start, the fewest undecided ahead, then the older. */
function nextOutside(queue: QueueSnapshot, now: Instant): Batch | null {
  if (queue.mode === 'single' || queue.settings.batch) return nextBatches(queue, now).start;
  const waiting = waitingOutside(queue, now);
  const free = waiting.filter(
    (entry, i) => !waiting.slice(0, i).some((other) => sharesTarget(queue, other.id, entry.id)),
  );
  const [first] = free;
  if (!first) return null;
  const rivals = free.filter((entry) => isOfRank(entry, first));
  const next = fewest(rivals, (entry) => undecidedFor(queue, [entry])) ?? first;
  return { entries: [next], startsAt: now };
}

function isOfRank(entry: Entry, other: Entry): boolean {
  return pendingRank(entry) === pendingRank(other) && entry.priority === other.priority;
}

/** The first of those with the smallest figure. */
function fewest<T>(items: readonly T[], figure: (item: T) => number): T | null {
  let best: { readonly item: T; readonly figure: number } | null = null;
  for (const item of items) {
    const its = figure(item);
    if (best === null || its < best.figure) best = { item, figure: its };
  }
  return best?.item ?? null;
}
