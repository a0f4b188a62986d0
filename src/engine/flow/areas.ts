import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { comparePending } from '../policy/order';
import { isConcluded } from '../states';
import { areaRisk } from '../flow-facts/chances';
import { holds, headNow } from './heads';
import { isAt } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** An area is risky if its chance of a semantic conflict is at least this high. */
const RISKY = 0.03;

const NONE: readonly number[] = [];

/** Hashes of the impacted targets that the entry has in common with other entries of the snapshot. */
export function areasOf({ areas }: QueueSnapshot, entry: Entry): readonly number[] {
  return areas?.get(entry.id) ?? NONE;
}

/**
 * Whether `heads` contain every entry with which this entry may be in semantic conflict: each undecided entry ahead of
 * it that shares a risky area with it.
 */
export function fitsOn(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): boolean {
  return mayNotFit(queue, entry).every((other) => holds(heads, headNow(other)));
}

export function mayNotFit(queue: QueueSnapshot, entry: Entry): readonly Entry[] {
  const risky = areasOf(queue, entry).filter((area) => areaRisk(queue, area) >= RISKY);
  if (risky.length === 0) return [];
  const sharing = new Set(risky.flatMap((area) => entriesIn(queue).get(area) ?? []));
  return [...sharing].filter((other) => isAhead(queue, other, entry));
}

/** The riskiest area that the two entries share; null if they share no area. */
export function riskiestArea(queue: QueueSnapshot, entry: Entry, other: Entry): number | null {
  const shared = areasOf(queue, entry).filter((area) => areasOf(queue, other).includes(area));
  return shared.sort((a, b) => areaRisk(queue, b) - areaRisk(queue, a))[0] ?? null;
}

const SHARED_AT_MOST = 16;

/** The areas that the entry shares, or has shared before, with others ahead of it. */
export function sharedAhead(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const inUse = areasOf(queue, entry).filter((area) =>
    (entriesIn(queue).get(area) ?? []).some((other) => isAhead(queue, other, entry)),
  );
  const known = standingOf(entry).areas;
  return [...known, ...inUse.filter((area) => !known.includes(area))].slice(0, SHARED_AT_MOST);
}

/** Whether the other entry was submitted before, and is in a test or waits in front of this one. */
export function isAhead(queue: QueueSnapshot, other: Entry, entry: Entry): boolean {
  if (other.id === entry.id || other.submittedOrder > entry.submittedOrder) return false;
  const waits = isAt(queue, other, 'waiting') && standingOf(other).run === null;
  return !waits || comparePending(other, entry) < 0;
}

const byArea = new WeakMap<QueueSnapshot, ReadonlyMap<number, readonly Entry[]>>();

/** The ready entries of the queue, by area. */
function entriesIn(queue: QueueSnapshot): ReadonlyMap<number, readonly Entry[]> {
  const known = byArea.get(queue);
  if (known) return known;
  const entries = new Map<number, Entry[]>();
  for (const entry of queue.entries) {
    if (isConcluded(entry.state) || entry.state === 'not_ready') continue;
    for (const area of areasOf(queue, entry)) entries.set(area, [...(entries.get(area) ?? []), entry]);
  }
  byArea.set(queue, entries);
  return entries;
}
