import type { QueuedHead, Entry, QueueSnapshot, TestRun } from '../model';
import { isConcluded } from '../states';

/** The entries that share a place in the line, and the run that tests them, if there is one. */
export interface Group {
  readonly place: number;
  readonly entries: readonly Entry[];
  readonly run: TestRun | null;
}

export function queuedHeadOf({ id: entryId, number, head, generation }: Entry): QueuedHead {
  return { entryId, number, head, ...(generation !== undefined && { generation }) };
}

export function queuedHeadsOf(group: Group): readonly QueuedHead[] {
  return group.entries.map(queuedHeadOf);
}

export function sameHead(a: QueuedHead, b: QueuedHead): boolean {
  return a.entryId === b.entryId && a.head === b.head;
}

export function sameHeads(a: readonly QueuedHead[], b: readonly QueuedHead[]): boolean {
  return a.length === b.length && a.every((change, i) => sameHead(change, b[i]!));
}

export function includesHead(changes: readonly QueuedHead[], change: QueuedHead): boolean {
  return changes.some((other) => sameHead(other, change));
}

const lines = new WeakMap<QueueSnapshot, readonly Group[]>();

/**
 * The groups of the line, in order. Groups that are being landed stand in front, because runs that start now treat them
 * as landed.
 */
export function lineOf(queue: QueueSnapshot): readonly Group[] {
  const known = lines.get(queue);
  if (known) return known;
  const line = groupsOf(queue);
  lines.set(queue, line);
  return line;
}

function groupsOf(queue: QueueSnapshot): readonly Group[] {
  const byPlace = new Map<number, Entry[]>();
  for (const entry of queue.entries) {
    if (entry.place === null) continue;
    const group = byPlace.get(entry.place);
    if (group) group.push(entry);
    else byPlace.set(entry.place, [entry]);
  }
  const runs = new Map(queue.runs.filter(standsInLine).map((run) => [run.place, run]));
  const groups = [...byPlace].map(([place, entries]): Group => ({
    place,
    entries: entries.sort((a, b) => a.placeIndex - b.placeIndex),
    run: runs.get(place) ?? null,
  }));
  return groups.sort((a, b) => Number(isLanding(b)) - Number(isLanding(a)) || a.place - b.place);
}

/** Whether the run is not part of a bisection. */
export function standsInLine(run: Pick<TestRun, 'kind'>): boolean {
  return run.kind === 'line' || run.kind === 'direct';
}

export function isLanding(group: Group): boolean {
  return group.run?.phase === 'landing';
}

export function groupOf(queue: QueueSnapshot, run: TestRun): Group | null {
  return lineOf(queue).find((group) => group.run?.number === run.number) ?? null;
}

/** The run of the line, or the direct merge, that has the entry as its own. */
export function runHolding(queue: QueueSnapshot, entry: Entry): TestRun | null {
  return queue.runs.find((run) => standsInLine(run) && isOwn(run, entry)) ?? null;
}

export function isBeingLanded(queue: QueueSnapshot, entry: Entry): boolean {
  const changes = queue.landing?.changes;
  if (changes) return changes.some(({ entryId }) => entryId === entry.id);
  return runHolding(queue, entry)?.phase === 'landing';
}

/**
 * The entries of these runs that are still in the queue. In a flow queue, a run may continue after some of its entries
 * have left.
 */
export function entriesOf(queue: QueueSnapshot, ...runs: readonly TestRun[]): readonly Entry[] {
  return queue.entries.filter((entry) => !isConcluded(entry.state) && runs.some((run) => isOwn(run, entry)));
}

/** Whether the run tests the entry, and not an earlier generation of it. */
export function isOwn(run: TestRun, { id, generation = 0 }: Entry): boolean {
  return run.own.some((change) => change.entryId === id && (change.generation ?? 0) === generation);
}

export function isBuiltOn(run: TestRun, changes: readonly QueuedHead[]): boolean {
  return changes.every((change) => includesHead(run.builtOn, change));
}

/**
 * Whether an entry of the group lost its readiness during the test. The group keeps its place and result, but cannot
 * land, and no run is built on it.
 */
export function isUnready({ entries }: Group): boolean {
  return entries.some(({ state }) => state === 'not_ready');
}

/** Whether the group is a dry run. It is tested in its place, but never lands, and no run is built on it. */
export function isDryRun({ entries }: Group): boolean {
  return entries.some(({ dryRun }) => dryRun);
}

const dryRuns = new WeakMap<readonly Entry[], ReadonlySet<string>>();

export function testsDryRun({ entries }: QueueSnapshot, { own }: TestRun): boolean {
  let known = dryRuns.get(entries);
  if (!known) dryRuns.set(entries, (known = new Set(entries.flatMap(({ id, dryRun }) => (dryRun ? id : [])))));
  return known.size > 0 && own.some(({ entryId }) => known.has(entryId));
}
