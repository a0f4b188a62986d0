import { expectedBase } from './lanes';
import { newRun, takeOut } from './line';
import { changesOf, type Entry, type LineRun } from './model';
import type { OracleQueue } from './queue';
import { conflictsWith } from './world';

/**
 * Merges a run onto what it stands on and tests it. Blocked: nothing can be built now, because the target at the host
 * is not the one that the queue knows.
 */
export function build(queue: OracleQueue, run: LineRun): 'blocked' | 'done' {
  if (queue.hostTarget.length !== queue.target.length) return 'blocked';
  if (lookAtHeads(queue, run.entries) === 'changed') return 'done';
  run.base = queue.presentBase();
  run.builtOn = expectedBase(queue, run);
  const unfit = run.entries.find((entry) => conflictOf(queue, run, entry) !== null);
  if (unfit !== undefined) {
    settleConflict(queue, run, unfit);
    return 'done';
  }
  run.phase = 'testing';
  run.hasStarted = true;
  run.test = queue.startTest({ line: run }, run.entries, run.base, [...run.builtOn, ...changesOf(run.entries)]);
  return 'done';
}

/** Every start looks at the pull requests it is about to test. */
function lookAtHeads(queue: OracleQueue, entries: readonly Entry[]): 'changed' | 'as known' {
  for (const { number, news } of entries) news.head = queue.headAtHost(number);
  return entries.some((entry) => entry.news.head !== entry.head) ? 'changed' : 'as known';
}

function conflictOf(queue: OracleQueue, run: LineRun, entry: Entry): 'with the target' | 'with one ahead' | null {
  if (conflictsWith(queue.world, entry.number, queue.target)) return 'with the target';
  const siblings = run.entries.slice(0, run.entries.indexOf(entry));
  const isUnfit = conflictsWith(queue.world, entry.number, [...run.builtOn, ...changesOf(siblings)]);
  return isUnfit ? 'with one ahead' : null;
}

/** With the target nobody can mend it. With what is ahead it waits, and no batch waits with it. */
function settleConflict(queue: OracleQueue, run: LineRun, entry: Entry): void {
  if (conflictOf(queue, run, entry) === 'with the target') {
    takeOut(queue, entry);
    queue.fail(entry, 'conflict');
  } else if (run.entries.length > 1) {
    takeOut(queue, entry);
    queue.line.splice(queue.line.indexOf(run) + 1, 0, newRun(queue, [entry], 'in order'));
  } else {
    run.phase = 'conflicted';
  }
}
