/** Where entries stand, in this order. */
export const SECTIONS = { line: 0, searches: 1, waiting: 2, notReady: 3 } as const;

/** What says where an entry stands in its queue. */
export interface PlaceInQueue {
  readonly section: number;
  /** Null: it has no test run. */
  readonly isLanding: boolean | null;
  /** In flow: of what passed, when it did; of a suspect, its set. */
  readonly flowOrder: number | null;
  /** In flow: of a suspect, its place in the set. */
  readonly flowIndex: number | null;
  readonly place: number | null;
  readonly placeIndex: number;
  readonly search: number | null;
  readonly pendingRank: number;
  readonly returnedOrder: number;
  readonly priority: number;
  readonly submittedOrder: number;
}

/**
 * First the line (what is being landed counts as landed and stands in front), then culprit searches, then what waits in the order in
 * which it will be considered, then what is not ready by submission. In flow, what passed comes before what is tested, and
 * suspects, by their sets, are where searches are. PostgreSQL would take several times as long for it as for reading them: most keys
 * are equal, and it takes both rows apart for each that it compares.
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

/** What has none comes last. Keys of one section have the same length. */
function compareKeys(a: Key, b: Key): number {
  for (let at = 0; at < a.length; at++) {
    const [one, other] = [a[at] ?? Infinity, b[at] ?? Infinity];
    if (one !== other) return one - other;
  }
  return 0;
}
