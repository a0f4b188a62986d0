import type { Entry } from '../../engine/model';
/** The sections of a queue, in this order. */
export const SECTIONS = { line: 0, searches: 1, waiting: 2, notReady: 3 } as const;

/** The sort fields of an entry. */
export interface PlaceInQueue extends Pick<
  Entry,
  'priority' | 'submittedOrder' | 'returnedOrder' | 'search' | 'place' | 'placeIndex'
> {
  readonly section: number;
  /** Null: the entry has no test run. */
  readonly isLanding: boolean | null;
  /** In flow scheduling: the time at which the entry passed, or the suspect set of a suspect entry. */
  readonly flowOrder: number | null;
  /** In flow scheduling: the position of a suspect entry in its set. */
  readonly flowIndex: number | null;
  readonly pendingRank: number;
}

/**
 * Sorts the sequence first, then bisections, then waiting entries in the order in which they will start, then entries
 * that are not ready, by submission. An entry that is being merged is first of all. In flow scheduling, passed entries
 * come before tested ones, and suspect sets are in the section of bisections. PostgreSQL would sort several times
 * slower than it reads the rows: most keys are equal, and PostgreSQL unpacks both rows for each comparison.
 */
export function inQueueOrder<Row extends PlaceInQueue>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ row }) => row);
}

type Key = readonly (number | null)[];

function keyOf(entry: PlaceInQueue): Key {
  const { section, flowOrder, flowIndex, place, placeIndex, search, submittedOrder } = entry;
  const isBehindLanding = section === SECTIONS.line ? Number(entry.isLanding !== true) : null;
  const first = [section, isBehindLanding, flowOrder, flowIndex, place, placeIndex, search];
  if (section === SECTIONS.notReady) return [...first, submittedOrder];
  return [...first, entry.pendingRank, entry.returnedOrder, entry.priority, submittedOrder];
}

/** Rows without a key come last. Keys of one section have the same length. */
function compareKeys(a: Key, b: Key): number {
  for (let at = 0; at < a.length; at++) {
    const [one, other] = [a[at] ?? Infinity, b[at] ?? Infinity];
    if (one !== other) return one - other;
  }
  return 0;
}
