import { GlobSet } from '../../domain/glob-set';
import type { BatchingRule, SharedAreas, SharedTargets } from '../../engine/model';

/** The targets of one head of a pull request. */
export type GivenTargets = 'ALL' | ReadonlySet<string>;

/**
 * Whether two heads share a target. `ALL` shares a target with every head that has one, also with another `ALL`. A head
 * with an empty list shares with no head, not even with `ALL`.
 */
export function shares(a: GivenTargets | undefined, b: GivenTargets | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === 'ALL') return b === 'ALL' || b.size > 0;
  if (b === 'ALL') return a.size > 0;
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  for (const target of few) if (many.has(target)) return true;
  return false;
}

const compiled = new WeakMap<readonly BatchingRule[], GlobSet>();

/** Whether a pattern of the rules matches one of the targets, by the same globs as in `isolated-heads.ts`. */
export function matchesAny(rules: readonly BatchingRule[], targets: GivenTargets | undefined): boolean {
  if (targets === undefined || rules.length === 0) return false;
  if (targets === 'ALL') return true;
  const globs = compiled.get(rules) ?? new GlobSet(rules.map(({ targetPattern }) => targetPattern));
  compiled.set(rules, globs);
  return [...targets].some((target) => globs.matches(target));
}

/** The impacted targets by pull request and head, and the pairs of heads that share a target. */
export class TargetBook {
  private readonly given = new Map<string, GivenTargets>();
  private readonly numbers = new Map<string, number>();
  private readonly pairs = new Map<string, Set<string>>();
  private readonly paired = new Map<string, readonly GivenTargets[]>();

  give(number: number, head: string, targets: GivenTargets): void {
    this.given.set(keyOf(number, head), targets);
  }

  has(number: number, head: string): boolean {
    return this.given.has(keyOf(number, head));
  }

  of(number: number, head: string): GivenTargets | undefined {
    return this.given.get(keyOf(number, head));
  }

  /**
   * For each of these heads, the numbers of the targets that it shares with another of these heads. A head with `ALL`
   * shares none here.
   */
  areasAmong(keys: ReadonlyMap<string, string>): SharedAreas {
    const holders = new Map<string, string[]>();
    for (const [entryId, key] of keys) {
      const targets = this.given.get(key);
      if (targets === undefined || targets === 'ALL') continue;
      for (const target of targets) holders.set(target, [...(holders.get(target) ?? []), entryId]);
    }
    const areas = new Map<string, number[]>();
    for (const [target, entryIds] of holders) {
      if (entryIds.length < 2) continue;
      for (const id of entryIds) areas.set(id, [...(areas.get(id) ?? []), this.numberOf(target)]);
    }
    return areas;
  }

  private numberOf(target: string): number {
    const number = this.numbers.get(target) ?? this.numbers.size + 1;
    this.numbers.set(target, number);
    return number;
  }

  /**
   * The pairs among these heads that share a target. Only heads that are new, or whose targets have changed since the
   * last call, are compared again.
   */
  sharingAmong(heads: ReadonlyMap<string, ReadonlySet<string>>): SharedTargets {
    if (this.paired.size > 2 * heads.size + 100) this.forgetAllBut(heads);
    for (const [entryId, keys] of heads) {
      const targets = [...keys].flatMap((key) => this.given.get(key) ?? []);
      if (!isSame(this.paired.get(entryId), targets)) this.pair(entryId, targets);
    }
    return this.pairs;
  }

  private pair(entryId: string, targets: readonly GivenTargets[]): void {
    this.unpair(entryId);
    // An entry with targets shares them with itself, because it may have landed before with another head.
    const mine = new Set(targets.some((some) => shares(some, some)) ? [entryId] : []);
    for (const [other, theirs] of this.paired) {
      if (!targets.some((some) => theirs.some((their) => shares(some, their)))) continue;
      mine.add(other);
      this.pairs.get(other)?.add(entryId);
    }
    this.pairs.set(entryId, mine);
    this.paired.set(entryId, targets);
  }

  private unpair(entryId: string): void {
    this.paired.delete(entryId);
    for (const other of this.pairs.get(entryId) ?? []) this.pairs.get(other)?.delete(entryId);
    this.pairs.delete(entryId);
  }

  private forgetAllBut(heads: ReadonlyMap<string, unknown>): void {
    for (const entryId of [...this.paired.keys()]) if (!heads.has(entryId)) this.unpair(entryId);
  }
}

export function keyOf(number: number, head: string): string {
  return `${number}@${head}`;
}

function isSame(known: readonly GivenTargets[] | undefined, targets: readonly GivenTargets[]): boolean {
  return known?.length === targets.length && known.every((some, i) => some === targets[i]);
}
