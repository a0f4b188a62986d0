import { hash } from 'node:crypto';

export const LONGEST_TARGET = 1_000;
const ALL = ['all', 'impacts_all'];
/** PostgreSQL's text type cannot hold U+0000 or half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;

export interface ImpactedTargets {
  readonly all: boolean;
  /** The names of the targets; no name is empty or occurs twice. */
  readonly names: readonly string[];
}

/** A task: reads the configuration file of the target branch, and computes impacted targets from it. */
export interface ComputeTargets {
  readonly type: 'computeTargets';
  /** Pull requests with a head that the queue did not know before. */
  readonly numbers: readonly number[];
  /** Whether to look at all entries that have not concluded, even if they are ready. */
  readonly all: boolean;
  /** The number of the decision that created the task. A decision creates at most one such task. */
  readonly decision: number;
}

export function isWordForAll(name: string): boolean {
  return ALL.includes(name.toLowerCase());
}

/** Whether the database can store the text. */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Why `impactedTargets` is invalid, naming the first wrong element; null when it is valid. */
export function checkTargets(value: unknown): string | null {
  if (typeof value === 'string') return isWordForAll(value) ? null : 'must be a list of strings, or ALL';
  if (!Array.isArray(value)) return 'must be a list of strings, or ALL';
  const wrong = value.findIndex(
    (name) => typeof name !== 'string' || name.length > LONGEST_TARGET || !isStorableText(name),
  );
  return wrong < 0
    ? null
    : `must contain only strings of at most ${LONGEST_TARGET} characters; the element at index ${wrong} is not one`;
}

/** Expects a value that `checkTargets` accepts. */
export function targetsOf(value: string[] | string): ImpactedTargets {
  if (typeof value === 'string') return { all: true, names: [] };
  const names = new Set(value);
  names.delete('');
  return { all: false, names: [...names] };
}

/**
 * The 64-bit hashes of the names, sorted. If two names have the same hash, two pull requests wait for each other
 * although they need not.
 */
export function hashesOf(names: readonly string[]): BigInt64Array {
  const hashes = new BigInt64Array(names.length);
  names.forEach((name, i) => {
    hashes[i] = hash('sha1', name, 'buffer').readBigInt64BE(0);
  });
  return hashes.sort();
}
