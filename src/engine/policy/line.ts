import type { Change, Entry, QueueSnapshot, TestRun } from '../model';

/** The entries that share a place in the line, and the live run that tests them, if there is one. */
export interface Group {
  readonly place: number;
  readonly entries: readonly Entry[];
  readonly run: TestRun | null;
}

export function changeOf(entry: Entry): Change {
  return { entryId: entry.id, number: entry.number, head: entry.head };
}

export function changesOf(group: Group): readonly Change[] {
  return group.entries.map(changeOf);
}

export function sameChange(a: Change, b: Change): boolean {
  return a.entryId === b.entryId && a.head === b.head;
}

export function sameChanges(a: readonly Change[], b: readonly Change[]): boolean {
  return a.length === b.length && a.every((change, i) => sameChange(change, b[i]!));
}

/** The line in order. What is being landed stands in front: it counts as landed for everything that starts. */
export function lineOf(queue: QueueSnapshot): readonly Group[] {
  const byPlace = new Map<number, Entry[]>();
  for (const entry of queue.entries) {
    if (entry.place === null) continue;
    const group = byPlace.get(entry.place);
    if (group) group.push(entry);
    else byPlace.set(entry.place, [entry]);
  }
  const groups = [...byPlace].map(([place, entries]): Group => ({
    place,
    entries: entries.sort((a, b) => a.placeIndex - b.placeIndex),
    run: queue.runs.find((run) => run.kind === 'line' && run.place === place) ?? null,
  }));
  return groups.sort((a, b) => Number(isLanding(b)) - Number(isLanding(a)) || a.place - b.place);
}

export function isLanding(group: Group): boolean {
  return group.run?.phase === 'landing';
}

/** The live run that holds an entry. */
export function runHolding(queue: QueueSnapshot, entry: Entry): TestRun | null {
  return queue.runs.find((run) => isOwn(run, entry)) ?? null;
}

/** The entries that these runs test, without those they are only built on. */
export function entriesOf(queue: QueueSnapshot, ...runs: readonly TestRun[]): readonly Entry[] {
  return queue.entries.filter((entry) => runs.some((run) => isOwn(run, entry)));
}

function isOwn(run: TestRun, entry: Entry): boolean {
  return run.own.some((change) => change.entryId === entry.id);
}

/**
 * Whether those behind are built on it: all but a red run, which under depth 0 is rebuilt without at once, and one
 * that cannot be built on what is ahead of it.
 */
export function isBelieved(group: Group): boolean {
  return group.run === null || (group.run.phase !== 'failed' && group.run.phase !== 'conflicted');
}

export function believedAhead(line: readonly Group[], group: Group): readonly Group[] {
  return line.slice(0, line.indexOf(group)).filter(isBelieved);
}

/** What a run at this place has to be built on, beyond the target. */
export function expectedBase(line: readonly Group[], group: Group): readonly Change[] {
  return believedAhead(line, group).flatMap(changesOf);
}

/** What the queue landed since the run was built; null when somebody else moved the target meanwhile. */
export function landedSince(queue: QueueSnapshot, run: TestRun): readonly Change[] | null {
  if (run.base.epoch !== queue.epoch) return null;
  return queue.landed.filter((change) => change.seq > run.base.landedSeq).sort((a, b) => a.seq - b.seq);
}

/** The question everything is derived from: does what the run was built on still come about? */
export function isOnBase(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && sameChanges([...landed, ...expectedBase(line, group)], run.builtOn);
}

/** Its base is the target as it is: a pass may land, a failure is its own. */
export function isOnTarget(queue: QueueSnapshot, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && sameChanges(landed, run.builtOn);
}

/**
 * Whether the base of a red run can still come about: what landed since begins it, the rest of it still stands ahead
 * (red or not) in that order, and nothing believed in stands ahead that is not in it.
 */
export function baseCanComeAbout(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  if (landed === null || !sameChanges(landed, run.builtOn.slice(0, landed.length))) return false;
  const rest = run.builtOn.slice(landed.length);
  const ahead = line.slice(0, line.indexOf(group)).flatMap(changesOf);
  let from = 0;
  for (const change of rest) {
    const at = ahead.findIndex((other, i) => i >= from && sameChange(other, change));
    if (at < 0) return false;
    from = at + 1;
  }
  return expectedBase(line, group).every((change) => rest.some((other) => sameChange(other, change)));
}
