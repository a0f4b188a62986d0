export const TARGETS = 3;

/** A set of changes or of targets: one bit for each. */
export type Bits = number;

/**
 * A case has changes in merge order, each with its impacted targets. The tests of a target see only the changes that
 * impact the target, as impacted targets promise. Only the tests of `redTarget` can fail: they fail when exactly
 * `redWith` of its changes are in the tree.
 */
export interface LanesCase {
  readonly targetsOf: readonly Bits[];
  readonly redTarget: number;
  readonly redWith: Bits;
}

/**
 * Every assignment of targets to this many changes, with every set of changes that could fail. If several assignments
 * differ only in the names of the targets, only one of them occurs.
 */
export function* casesOf(changes: number): Generator<LanesCase> {
  for (const targetsOf of assignments(changes)) {
    if (!isCanonical(targetsOf)) continue;
    for (let redTarget = 0; redTarget < TARGETS; redTarget++) {
      const impacting = impactingOn(targetsOf, redTarget);
      for (let redWith = impacting; redWith > 0; redWith = (redWith - 1) & impacting)
        yield { targetsOf, redTarget, redWith };
    }
  }
}

/** Changes that impact a target. */
export function impactingOn(targetsOf: readonly Bits[], target: number): Bits {
  return targetsOf.reduce((bits, targets, change) => (holds(targets, target) ? bits | (1 << change) : bits), 0);
}

export function holds(bits: Bits, bit: number): boolean {
  return ((bits >> bit) & 1) === 1;
}

function* assignments(changes: number): Generator<readonly Bits[]> {
  if (changes === 0) {
    yield [];
    return;
  }
  for (const before of assignments(changes - 1))
    for (let targets = 1; targets < 1 << TARGETS; targets++) yield [...before, targets];
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** Whether an assignment is the first of all assignments that differ only in the names of the targets. */
function isCanonical(targetsOf: readonly Bits[]): boolean {
  const renamed = (order: readonly number[]): string =>
    targetsOf
      .map((targets) => order.reduce((bits, to, from) => (holds(targets, from) ? bits | (1 << to) : bits), 0))
      .join();
  const own = targetsOf.join();
  return ORDERS.every((order) => renamed(order) >= own);
}
