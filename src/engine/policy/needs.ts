import type { Entry, Need, QueuedHead, QueueSnapshot } from '../model';
import { isConcluded, hasReachedTarget } from '../states';

/** Why one that an entry needs keeps it from being ready. */
export interface LostNeed {
  readonly need: Need;
  /**
   * `unknown`: never submitted to this queue. `left`: it failed or was cancelled. `other_head`: what the entry contains is no
   * head of it any more. `cycle`: it needs the entry, too. `dry_run`: it is not to be merged.
   */
  readonly because: 'unknown' | 'left' | 'not_ready' | 'dry_run' | 'other_head' | 'cycle';
  /** The one that is needed; null: unknown. */
  readonly entry: Entry | null;
}

const byNumber = new WeakMap<readonly Entry[], ReadonlyMap<number, Entry>>();

export function entryNumbered({ entries }: QueueSnapshot, number: number): Entry | null {
  let known = byNumber.get(entries);
  if (!known) byNumber.set(entries, (known = new Map(entries.map((entry) => [entry.number, entry]))));
  return known.get(number) ?? null;
}

/** Of what it needs: what keeps it from being ready. */
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

/** Directly, or through others that did not land. */
function isNeededBy(queue: QueueSnapshot, entry: Entry, other: Entry): boolean {
  return allNeeded(queue, entry).some(({ id }) => id === other.id);
}

/** All that did not land of what an entry needs, and of what that needs. */
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

/** The numbers on a way from the entry back to itself; empty: there is none. */
export function cycleThrough(queue: QueueSnapshot, entry: Entry): readonly number[] {
  const cycle = [entry, ...allNeeded(queue, entry)].filter(
    (one) => one.id === entry.id || isNeededBy(queue, one, entry),
  );
  return isNeededBy(queue, entry, entry) ? [...new Set(cycle.map(({ number }) => number))] : [];
}

/** Landed, at the head that is needed. */
export function hasNeedLanded(queue: QueueSnapshot, need: Need): boolean {
  const needed = entryNumbered(queue, need.number);
  return needed !== null && hasReachedTarget(needed) && hasHead(needed, need);
}

/** All that it needs landed, or is among these. */
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

/** The entry of a need that did not land, as it is needed; null: it landed, or is not there like that. */
export function openNeed(queue: QueueSnapshot, need: Need): Entry | null {
  const needed = entryNumbered(queue, need.number);
  return needed === null || isConcluded(needed.state) || !hasHead(needed, need) ? null : needed;
}

/**
 * Those that can be tested with what stands ahead, and with those before them, in order. One that needs another one of them
 * comes behind that, whatever its priority.
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

/** Which entries need one another, by id, also through others; both directions are there. */
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
