import type { SharedAreas, SharedTargets } from '../../../engine/model';

/** The impacted targets of one head of a pull request. */
export interface TargetSet {
  readonly all: boolean;
  /** Hashes of the names, ascending. */
  readonly hashes: Float64Array;
}

/** An entry at one of its heads: the current one, or the merged one. */
export interface ImpactingEntry {
  readonly entryId: string;
  readonly targets: TargetSet;
}

/** `ALL` shares a target with every entry that has one; `[]` shares with none, not even with `ALL`. */
export function sharesTargets(a: TargetSet, b: TargetSet): boolean {
  if (!impactsAnything(a) || !impactsAnything(b)) return false;
  return a.all || b.all || haveOneInCommon(a.hashes, b.hashes);
}

/** All pairs, in both directions. An entry with several heads shares the targets of all of them. */
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

/** By target: positions of the entries that have it, without entries of more than `MOST_AREAS` targets. */
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

/** A pull request with more targets touches nearly everything, so a shared target says nothing about it. */
const MOST_AREAS = 64;

/** Whether each target can be looked at: there are few. */
function isTelling({ targets }: ImpactingEntry): boolean {
  return !targets.all && targets.hashes.length <= MOST_AREAS;
}

/** For each entry, the targets that another entry has too. */
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

/** `owner`: null if several entries have the target, undefined if none was found yet. */
function isOnlyOf(owner: string | null | undefined, entryId: string): boolean {
  return owner === undefined || owner === entryId;
}

function impactsAnything({ all, hashes }: TargetSet): boolean {
  return all || hashes.length > 0;
}

/** When one list is so many times longer, binary search for each hash of the shorter one is cheaper than a merge. */
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
