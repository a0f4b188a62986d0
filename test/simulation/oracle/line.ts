import { leaveSearch } from './change-search';
import { believedAhead, canBaseComeAbout, isBuiltOn, isOnBase, isProven, dependedOn, targetsOf } from './lanes';
import type { Entry, LineRun } from './model';
import type { OracleQueue } from './queue';

export function newRun(queue: OracleQueue, entries: readonly Entry[], turn: 'urgent' | 'in order'): LineRun {
  const run: LineRun = {
    id: queue.nextNumber(),
    entries: [...entries],
    isUrgent: turn === 'urgent',
    hasStarted: false,
    phase: 'queued',
    phaseBeforeLanding: 'queued',
    base: queue.presentBase(),
    builtOn: [],
    test: null,
    testedTree: [],
    failedUnderDepth: 0,
    redRebuiltAt: null,
    provenBy: null,
  };
  for (const entry of entries) Object.assign(entry, { where: 'line', run } satisfies Partial<Entry>);
  return run;
}

/** Its test ends, and its entries wait for another one where they stand. */
export function testAgain(queue: OracleQueue, run: LineRun): void {
  if (run.test !== null) queue.stopTest(run.test);
  Object.assign(run, { phase: 'queued', test: null, provenBy: null } satisfies Partial<LineRun>);
}

/** The entry leaves where it is; whoever was tested with it is tested again in the same place. */
export function takeOut(queue: OracleQueue, entry: Entry): void {
  const { run, search } = entry;
  if (run !== null) {
    testAgain(queue, run);
    run.entries = run.entries.filter((other) => other !== entry);
    if (run.entries.length === 0) queue.line = queue.line.filter((other) => other !== run);
  }
  if (search !== null) leaveSearch(queue, search, entry);
}

/** Notes whom a passed run behind proves: a red result that comes later does not undo it. */
export function proveRuns(queue: OracleQueue): void {
  if (!queue.settings.canOptimisticallyMerge) return;
  for (const run of queue.line) {
    if (run.phase !== 'passed') continue;
    for (const other of believedAhead(queue, run))
      if (isBuiltOn(run, other) && !isProven(queue, other)) other.provenBy = run;
  }
}

/** The first run that is not on its base any more starts anew. */
export function rebuildRuns(queue: OracleQueue): boolean {
  const lost = queue.line.find((run) => isToBeRebuilt(queue, run));
  if (lost === undefined) return false;
  if (isRed(lost)) lost.redRebuiltAt = queue.concluded;
  testAgain(queue, lost);
  return true;
}

/** A red run is rebuilt once until something concludes; after that it waits while its base can still come about. */
function isToBeRebuilt(queue: OracleQueue, run: LineRun): boolean {
  if (run.phase === 'queued' || run.phase === 'landing' || isOnBase(queue, run)) return false;
  return !isRed(run) || run.redRebuiltAt !== queue.concluded || !canBaseComeAbout(queue, run);
}

function isRed(run: LineRun): boolean {
  return run.phase === 'failed' || run.phase === 'conflicted';
}

/** Its test starts anew in its place; behind those that were rebuilt without it, so that nobody else restarts. */
export function restartRun(queue: OracleQueue, run: LineRun): void {
  const wasRed = run.phase === 'failed';
  testAgain(queue, run);
  if (!wasRed) return;
  const at = queue.line.indexOf(run);
  const isRebuiltWithout = (other: LineRun): boolean =>
    other.phase !== 'queued' &&
    !isBuiltOn(other, run) &&
    dependedOn(queue, targetsOf(other), queue.line.indexOf(other)).includes(run);
  const last = queue.line.findLastIndex((other, i) => i > at && isRebuiltWithout(other));
  if (last < 0) return;
  queue.line.splice(last + 1, 0, run);
  queue.line.splice(at, 1);
}
