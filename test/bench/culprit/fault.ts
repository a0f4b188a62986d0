/** The fault of a batch: entries that fail alone, or two entries that fail only together. */
export interface Fault {
  readonly bad: readonly number[];
  readonly pair: readonly [number, number] | null;
}

export function isRedTree(fault: Fault, entries: readonly number[]): boolean {
  const { bad, pair } = fault;
  return bad.some((one) => entries.includes(one)) || (pair !== null && pair.every((one) => entries.includes(one)));
}

/** All possible faults of this kind in a batch of this size. */
export function faultsOf(size: number, kind: string): readonly Fault[] {
  if (kind === 'pair') return subsets(size, 2).map(([a, b]) => ({ bad: [], pair: [a!, b!] }));
  return subsets(size, Number(kind)).map((bad) => ({ bad, pair: null }));
}

function subsets(size: number, count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return subsets(size, count - 1).flatMap((some) =>
    Array.from({ length: size }, (_, entry) => entry)
      .filter((entry) => entry > (some.at(-1) ?? -1))
      .map((entry) => [...some, entry]),
  );
}
