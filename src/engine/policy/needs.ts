import type { Entry, Need, QueuedHead, QueueSnapshot } from '../model';
import { isConcluded, hasReachedTarget } from '../states';

/** Why a dependency keeps an entry from being ready. */
export interface LostNeed {
  readonly need: Need;
  /**
   * About the dependency: `unknown`: it was never submitted to this queue. `left`: it failed or was cancelled.
   * `other_head`: the entry contains another head of it. `cycle`: it depends on the entry, too. `dry_run`: it is not to
   * be merged.
   */
  readonly because: 'unknown' | 'left' | 'not_ready' | 'dry_run' | 'other_head' | 'cycle';
  /** The entry of the dependency; null if `because` is `unknown`. */
  readonly entry: Entry | null;
}

const byNumber = new WeakMap<readonly Entry[], ReadonlyMap<number, Entry>>();

export function entryNumbered({ entries }: QueueSnapshot, number: number): Entry | null {
  let known = byNumber.get(entries);
  if (!known) byNumber.set(entries, (known = new Map(entries.map((entry) => [entry.number, entry]))));
  return known.get(number) ?? null;
}

/** The dependencies that keep the entry from being ready. */
export function lostNeeds(queue: QueueSnapshot, entry: Entry): readonly LostNeed[] {
  return (entry.needs ?? []).flatMap((need): LostNeed | [] => {
    const needed = entryNumbered(queue, need.number);
    if (needed === null) return { need, because: 'unknown', entry: null };
    if (hasReachedTarget(needed) && hasHead(needed, need)) return [];
    if (isNeededBy(queue, needed, entry)) return { need, because: 'cycle', entry: needed };
    if (isConcluded(needed.state) && !hasReachedTarget(needed)) return { need, because: 'left', entry: needed };
    if (needed.dryRun && needed.state !== 'merged') return { need, because: 'dry_run', entry: needed };
    if (!hasHead(needed, need)) return { need, because: 'other_head', entry: needed };
    return needed.state === 'not_ready' ? { need, because: 'not_ready', entry: needed } : [];
  });
}

function hasHead({ head }: Entry, need: Need): boolean {
  return need.head === null || need.head === head;
}

/** Whether `entry` depends on `other`, directly or through entries that have not landed. */
function isNeededBy(queue: QueueSnapshot, entry: Entry, other: Entry): boolean {
  return allNeeded(queue, entry).some(({ id }) => id === other.id);
}

/** All dependencies of an entry that have not landed, direct and indirect. */
function allNeeded(queue: QueueSnapshot, entry: Entry): readonly Entry[] {
  const found = new Set<Entry>();
  const look = ({ needs = [] }: Entry): void => {
    for (const { number } of needs) {
      const needed = entryNumbered(queue, number);
      if (needed === null || hasReachedTarget(needed) || found.has(needed)) continue;
      found.add(needed);
      look(needed);
    }
  };
  look(entry);
  return [...found];
}

/** The numbers of a dependency cycle through the entry; empty: there is none. */
export function cycleThrough(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const cycle = [entry, ...allNeeded(queue, entry)].filter(
    (one) => one.id === entry.id || isNeededBy(queue, one, entry),
  );
  return isNeededBy(queue, entry, entry) ? [...new Set(cycle.map(({ number }) => number))] : [];
}

/** Whether the dependency landed, at the required head. */
export function hasNeedLanded(queue: QueueSnapshot, need: Need): boolean {
  const needed = entryNumbered(queue, need.number);
  return needed !== null && hasReachedTarget(needed) && hasHead(needed, need);
}

/** Whether each dependency of the entry has landed or is among `heads`. */
export function areNeedsAmong(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): boolean {
  return unmetAmong(queue, entry, heads).length === 0;
}

export function unmetAmong(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): readonly Need[] {
  return (entry.needs ?? []).filter(
    (need) =>
      !hasNeedLanded(queue, need) &&
      !heads.some(({ number, head }) => number === need.number && (need.head === null || need.head === head)),
  );
}

/**
 * The entry of a dependency that is still in the queue at the required head. Null if the dependency has concluded, has
 * another head, or is unknown.
 */
export function openNeed(queue: QueueSnapshot, need: Need): Entry | null {
  const needed = entryNumbered(queue, need.number);
  return needed === null || isConcluded(needed.state) || !hasHead(needed, need) ? null : needed;
}

/**
 * The waiting entries whose dependencies are on the target, in the line, or earlier in this list, in order. A
 * dependency always comes before its dependants, whatever the priorities.
 */
export function inOrderOfNeeds(
  queue: QueueSnapshot,
  waiting: readonly Entry[],
  ahead: () => readonly QueuedHead[],
): readonly Entry[] {
  if (!waiting.some(({ needs }) => needs !== undefined)) return waiting;
  const heads: QueuedHead[] = [...ahead()];
  const ordered: Entry[] = [];
  const left = [...waiting];
  for (;;) {
    const at = left.findIndex((entry) => areNeedsAmong(queue, entry, heads));
    const [next] = at < 0 ? [] : left.splice(at, 1);
    if (next === undefined) return ordered;
    ordered.push(next);
    heads.push({ entryId: next.id, number: next.number, head: next.head });
  }
}

type Pairs = ReadonlyMap<string, ReadonlySet<string>>;
const NO_PAIRS: Pairs = new Map();
const pairsOf = new WeakMap<readonly Entry[], Pairs>();

/**
 * For each entry id, the ids of the entries on which it depends and of the entries that depend on it, directly or
 * indirectly.
 */
export function needPairs(queue: QueueSnapshot): Pairs {
  const { entries } = queue;
  const known = pairsOf.get(entries);
  if (known) return known;
  const needing = entries.filter(({ needs }) => needs !== undefined);
  const pairs = new Map<string, Set<string>>();
  const add = (one: string, other: string): void => {
    pairs.set(one, (pairs.get(one) ?? new Set<string>()).add(other));
  };
  for (const entry of needing) {
    const direct = (entry.needs ?? []).flatMap(({ number }) => entryNumbered(queue, number) ?? []);
    for (const { id } of new Set([...direct, ...allNeeded(queue, entry)])) {
      if (id === entry.id) continue;
      add(entry.id, id);
      add(id, entry.id);
    }
  }
  const found = needing.length === 0 ? NO_PAIRS : pairs;
  pairsOf.set(entries, found);
  return found;
}
