import type { ChangeName, Tree } from './model';

/**
 * The pull requests that break CI, and the pull requests that conflict. Heads do not matter: a push to a pull request
 * repairs nothing.
 */
export interface World {
  readonly bad: readonly number[];
  /** Pairs of pull requests. CI fails whenever both are in the tree. */
  readonly badTogether: readonly (readonly [number, number])[];
  /** Pairs of pull requests. The first one fails unless the second one is in the tree, too. */
  readonly mendedBy: readonly (readonly [number, number])[];
  readonly conflicts: readonly (readonly [number, number])[];
  /** The share of passing tests for which CI reports a false failure. */
  readonly flakeRate: number;
}

const BROKEN_HOTFIX = 'broken-hotfix';

const MEND = 'mend';

export type HotfixState = 'good' | 'broken' | 'mending';

export function hotfixName(count: number, state: HotfixState): ChangeName {
  return `${HOTFIXES[state]}-${count}`;
}

const HOTFIXES: Readonly<Record<HotfixState, string>> = { good: 'hotfix', broken: BROKEN_HOTFIX, mending: MEND };

/** The number of the pull request with this change; NaN for a push that bypasses the queue. */
export function numberOf(name: ChangeName): number {
  return Number.parseInt(name, 10);
}

export function isRed(world: World, whole: Tree): boolean {
  // A repairing push repairs everything that came before it.
  const tree = whole.slice(whole.findLastIndex((name) => name.startsWith(MEND)) + 1);
  const numbers = new Set(tree.map(numberOf));
  const isMended = (bad: number): boolean => world.mendedBy.some(([one, by]) => one === bad && numbers.has(by));
  return (
    world.bad.some((bad) => numbers.has(bad) && !isMended(bad)) ||
    world.badTogether.some(([one, other]) => numbers.has(one) && numbers.has(other)) ||
    isBrokenFromOutside(tree)
  );
}

export function isBrokenFromOutside(whole: Tree): boolean {
  const tree = whole.slice(whole.findLastIndex((name) => name.startsWith(MEND)) + 1);
  return tree.some((name) => name.startsWith(BROKEN_HOTFIX));
}

/** Whether the pull request conflicts with a tree of these changes. */
export function conflictsWith(world: World, number: number, tree: Tree): boolean {
  if (world.conflicts.length === 0) return false;
  const others = world.conflicts.flatMap(([one, other]) => (one === number ? other : other === number ? one : []));
  return others.length > 0 && tree.some((name) => others.includes(numberOf(name)));
}
