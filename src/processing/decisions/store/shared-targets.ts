import type { SharedAreas, SharedTargets } from '../../../engine/model';

/** The impacted targets of one head of a pull request. */
export interface TargetSet {
  readonly all: boolean;
  /** Hashes of the names, ascending. */
  readonly hashes: Float64Array;
}

/** An entry with one of its heads: the current head, or the merged head. */
export interface ImpactingEntry {
  readonly entryId: string;
  readonly targets: TargetSet;
}

/**
 * Whether two heads share a target. `ALL` shares a target with every head that has a target. `[]` shares a target with
 * no head, not even with `ALL`.
 */
export function sharesTargets(a: TargetSet, b: TargetSet): boolean {
  if (!impactsAnything(a) || !impactsAnything(b)) return false;
  return a.all || b.all || haveOneInCommon(a.hashes, b.hashes);
}

/**
 * All pairs of entries that share a target, in both directions. An entry with several heads has the targets of all its
 * heads.
 */
export function pairsSharing(entries: readonly ImpactingEntry[], shares = sharesTargets): SharedTargets {
  const impacting = entries.filter(({ targets }) => impactsAnything(targets));
  const sharing = new Map(impacting.map(({ entryId }) => [entryId, new Set([entryId])]));
  const owners = ownersOfTargets(impacting);
  const isFound = new Uint8Array(impacting.length);
  for (const [i, a] of impacting.entries()) {
    isFound.fill(0);
    for (const hash of isTelling(a) ? a.targets.hashes : []) for (const j of owners.get(hash)!) isFound[j] = 1;
    const withA = sharing.get(a.entryId)!;
    for (let j = i + 1; j < impacting.length; j++) {
      const b = impacting[j]!;
      const areIndexed = isTelling(a) && isTelling(b);
      if (areIndexed ? isFound[j] === 0 : !shares(a.targets, b.targets)) continue;
      withA.add(b.entryId);
      sharing.get(b.entryId)!.add(a.entryId);
    }
  }
  return sharing;
}

/**
 * For each target, the positions of the entries that have this target, without entries with more than `MOST_AREAS`
 * targets.
 */
function ownersOfTargets(entries: readonly ImpactingEntry[]): ReadonlyMap<number, readonly number[]> {
  const owners = new Map<number, number[]>();
  for (const [i, entry] of entries.entries()) {
    if (!isTelling(entry)) continue;
    for (const hash of entry.targets.hashes) {
      const known = owners.get(hash);
      if (known === undefined) owners.set(hash, [i]);
      else known.push(i);
    }
  }
  return owners;
}

/** A pull request with more targets than this touches nearly everything, so a shared target says nothing about it. */
const MOST_AREAS = 64;

/** Whether the entry has so few targets that a shared target says something. */
function isTelling({ targets }: ImpactingEntry): boolean {
  return !targets.all && targets.hashes.length <= MOST_AREAS;
}

/** For each entry, the targets that it shares with another entry. */
export function areasShared(entries: readonly ImpactingEntry[]): SharedAreas {
  const telling = entries.filter(isTelling);
  const owners = new Map<number, string | null>();
  for (const { entryId, targets } of telling)
    for (const hash of targets.hashes) owners.set(hash, isOnlyOf(owners.get(hash), entryId) ? entryId : null);
  const areas = new Map<string, readonly number[]>();
  for (const { entryId, targets } of telling) {
    const shared = [...targets.hashes].filter((hash) => owners.get(hash) === null);
    const known = areas.get(entryId) ?? [];
    if (shared.length > 0)
      areas.set(
        entryId,
        [...new Set([...known, ...shared])].sort((a, b) => a - b),
      );
  }
  return areas;
}

/**
 * Whether no other entry has the target so far. `owner`: null if several entries have the target, undefined if none was
 * found yet.
 */
function isOnlyOf(owner: string | null | undefined, entryId: string): boolean {
  return owner === undefined || owner === entryId;
}

function impactsAnything({ all, hashes }: TargetSet): boolean {
  return all || hashes.length > 0;
}

/**
 * If one list is this many times longer than the other, a binary search for each hash of the shorter list is cheaper
 * than reading both lists.
 */
const MANY_TIMES = 16;

function haveOneInCommon(a: Float64Array, b: Float64Array): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  if (few.length * MANY_TIMES < many.length) return few.some((hash) => isAmong(many, hash));
  for (let i = 0, j = 0; i < few.length && j < many.length;) {
    const distance = few[i]! - many[j]!;
    if (distance === 0) return true;
    if (distance < 0) i++;
    else j++;
  }
  return false;
}

function isAmong(hashes: Float64Array, hash: number): boolean {
  let from = 0;
  let to = hashes.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (hashes[middle]! < hash) from = middle + 1;
    else to = middle;
  }
  return hashes[from] === hash;
}
