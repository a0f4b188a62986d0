import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { comparePending } from '../policy/order';
import { isConcluded } from '../states';
import { areaRisk } from '../flow-facts/chances';
import { holds, headNow } from './heads';
import { isAt } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** Areas in which so many of those that share them do not fit. */
const RISKY = 0.03;

const NONE: readonly number[] = [];

/** Hashes of the impacted targets that it has in common with others here. */
export function areasOf({ areas }: QueueSnapshot, entry: Entry): readonly number[] {
  return areas?.get(entry.id) ?? NONE;
}

/**
 * Whether everything that it may not fit to is in the tree ahead of it. May not fit: what is ahead of it, undecided, and shares an
 * area with it where changes often do not fit together.
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

/** Of the areas that it shares with this one, where most do not fit together; null: they share none. */
export function riskiestArea(queue: QueueSnapshot, entry: Entry, other: Entry): number | null {
  const shared = areasOf(queue, entry).filter((area) => areasOf(queue, other).includes(area));
  return shared.sort((a, b) => areaRisk(queue, b) - areaRisk(queue, a))[0] ?? null;
}

const SHARED_AT_MOST = 16;

/** The areas that it shares, or has shared before, with others ahead of it. */
export function sharedAhead(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const inUse = areasOf(queue, entry).filter((area) =>
    (entriesIn(queue).get(area) ?? []).some((other) => isAhead(queue, other, entry)),
  );
  const known = standingOf(entry).areas;
  return [...known, ...inUse.filter((area) => !known.includes(area))].slice(0, SHARED_AT_MOST);
}

/** It was submitted before, and is tested, or waits in front of it. */
export function isAhead(queue: QueueSnapshot, other: Entry, entry: Entry): boolean {
  if (other.id === entry.id || other.submittedOrder > entry.submittedOrder) return false;
  const waits = isAt(queue, other, 'waiting') && standingOf(other).run === null;
  return !waits || comparePending(other, entry) < 0;
}

const byArea = new WeakMap<QueueSnapshot, ReadonlyMap<number, readonly Entry[]>>();

/** Those that are in the queue and ready. */
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
