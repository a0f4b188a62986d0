import { leaveSearch } from './change-search';
import { canBaseComeAbout, isBuiltOn, isOnBase, isProven, dependedOn, noteRed, targetsOf } from './lanes';
import type { Entry, LineRun } from './model';
import type { OracleQueue } from './queue';

export function newRun(queue: OracleQueue, entries: readonly Entry[], turn: 'urgent' | 'in order'): LineRun {
  const run: LineRun = {
    id: queue.nextNumber(),
    entries: [...entries],
    isUrgent: turn === 'urgent',
    place: queue.nextNumber(),
    isAskedFor: false,
    startedOrder: 0,
    phase: 'queued',
    phaseBeforeLanding: 'queued',
    base: queue.presentBase(),
    builtOn: [],
    test: null,
    testedTree: [],
    failedUnderDepth: 0,
    testBegan: queue.minute,
    redMoment: queue.presentMoment(queue.minute),
    isRedButProven: false,
  };
  for (const entry of entries) Object.assign(entry, { where: 'line', run } satisfies Partial<Entry>);
  return run;
}

/** Ends the test of the run. The entries of the run keep their places and wait for another test. */
export function testAgain(queue: OracleQueue, run: LineRun): void {
  if (run.test !== null) queue.stopTest(run.test);
  Object.assign(run, { phase: 'queued', test: null, isRedButProven: false } satisfies Partial<LineRun>);
}

/**
 * Takes the entry out of its sequence or bisection. The other entries of its run are tested again in the same place.
 */
export function takeOut(queue: OracleQueue, entry: Entry): void {
  const { run, search } = entry;
  if (run !== null) {
    testAgain(queue, run);
    run.entries = run.entries.filter((other) => other !== entry);
    if (run.entries.length === 0) queue.line = queue.line.filter((other) => other !== run);
  }
  if (search !== null) leaveSearch(queue, search, entry);
}

/** Lets a failed result count as soon as no other run proves the entries any more. */
export function failUnproven(queue: OracleQueue): boolean {
  const isUnproven = (run: LineRun): boolean => run.phase !== 'landing' && run.isRedButProven && !isProven(queue, run);
  const run = queue.line.find(isUnproven);
  if (run === undefined) return false;
  fail(queue, run);
  return true;
}

export function fail(queue: OracleQueue, run: LineRun): void {
  const failedUnderDepth = queue.settings.pendingFailureDepth;
  const redMoment = queue.presentMoment(run.testBegan);
  Object.assign(run, {
    phase: 'failed',
    failedUnderDepth,
    redMoment,
    isRedButProven: false,
  } satisfies Partial<LineRun>);
}

/** Restarts the first run that is off its base. */
export function rebuildRuns(queue: OracleQueue): boolean {
  const lost = queue.line.find((run) => isToBeRebuilt(queue, run));
  if (lost === undefined) return false;
  const goesBehind = lost.phase === 'failed' && noteRed(queue, lost);
  testAgain(queue, lost);
  if (goesBehind) placeBehindTheRebuilt(queue, lost);
  return true;
}

/**
 * Whether the run is rebuilt because it is off its base. A failed run is rebuilt once. After that, it waits for further
 * conclusions of entries as long as its base may still come about.
 */
function isToBeRebuilt(queue: OracleQueue, run: LineRun): boolean {
  if (run.phase === 'queued' || run.phase === 'landing' || isOnBase(queue, run)) return false;
  const wasRebuilt = run.entries.some((entry) => queue.concluded <= (entry.redRebuiltAt ?? -1));
  return run.phase !== 'failed' || !wasRebuilt || !canBaseComeAbout(queue, run);
}

/**
 * Restarts the test of a run in its place. A failed run moves behind the runs that were built without it, so that no
 * other run restarts.
 */
export function restartRun(queue: OracleQueue, run: LineRun): void {
  const wasRed = run.phase === 'failed';
  testAgain(queue, run);
  run.isAskedFor = true;
  if (wasRed) placeBehindTheRebuilt(queue, run);
}

function placeBehindTheRebuilt(queue: OracleQueue, run: LineRun): void {
  const at = queue.line.indexOf(run);
  const isRebuiltWithout = (other: LineRun): boolean =>
    other.phase !== 'queued' &&
    !isBuiltOn(other, run) &&
    dependedOn(queue, targetsOf(other), queue.line.indexOf(other)).includes(run);
  const last = queue.line.findLastIndex((other, i) => i > at && isRebuiltWithout(other));
  if (last < 0) return;
  placeLine(queue, [
    ...queue.line.slice(0, at),
    ...queue.line.slice(at + 1, last + 1),
    run,
    ...queue.line.slice(last + 1),
  ]);
}

/** Gives the sequence a new order, which stays after a landing that fails. */
export function placeLine(queue: OracleQueue, line: readonly LineRun[]): void {
  for (const run of line) run.place = queue.nextNumber();
  queue.line = [...line];
}

export function insertBefore(queue: OracleQueue, at: number, run: LineRun): void {
  placeLine(queue, queue.line.toSpliced(at, 0, run));
}
