import { expectedBase } from './lanes';
import { insertBefore, newRun, takeOut, testAgain } from './line';
import { type ChangeName, queuedHeadsOf, type Entry, type LineRun } from './model';
import { lookAt, type OracleQueue } from './queue';
import { conflictsWith, numberOf } from './world';

/** Fixes the base of the run. The candidate is made later, after all other decisions. */
export function build(queue: OracleQueue, run: LineRun): void {
  run.base = queue.presentBase();
  run.builtOn = expectedBase(queue, run);
  run.startedOrder = queue.nextNumber();
  run.phase = 'building';
}

/**
 * Merges the candidate and tests it. Returns false if there is no candidate to make, or if it must wait because
 * somebody moved the target.
 */
export function makeCandidate(queue: OracleQueue): boolean {
  const run = queue.line.find((other) => other.phase === 'building');
  if (run === undefined || queue.hostTarget.length !== queue.target.length) return false;
  merge(queue, run);
  return true;
}

function merge(queue: OracleQueue, run: LineRun): void {
  if (lookAt(queue, run.entries) === 'changed') return testAgain(queue, run);
  const unfit = run.entries.find((entry) => conflictOf(queue, run, entry) !== null);
  if (unfit !== undefined) return settleConflict(queue, run, unfit);
  run.phase = 'testing';
  run.isAskedFor = false;
  run.test = queue.startTest({ line: run }, run.entries, run.base, [...run.builtOn, ...queuedHeadsOf(run.entries)]);
}

function conflictOf(queue: OracleQueue, run: LineRun, entry: Entry): 'with the target' | 'with one ahead' | null {
  if (!fitTogether(queue, run.builtOn)) return 'with one ahead';
  if (conflictsWith(queue.world, entry.number, queue.target)) return 'with the target';
  const siblings = run.entries.slice(0, run.entries.indexOf(entry));
  const isUnfit = conflictsWith(queue.world, entry.number, [...run.builtOn, ...queuedHeadsOf(siblings)]);
  return isUnfit ? 'with one ahead' : null;
}

/**
 * Whether the changes of a base merge with the target and with each other. Only in parallel mode may they conflict,
 * because they were tested separately, or before another change landed.
 */
function fitTogether(queue: OracleQueue, chain: readonly ChangeName[]): boolean {
  const fits = (name: ChangeName, i: number): boolean =>
    !conflictsWith(queue.world, numberOf(name), [...queue.target, ...chain.slice(0, i)]);
  return chain.every(fits);
}

/**
 * Handles a conflict of the run. An entry that conflicts with the target fails. An entry that conflicts with entries
 * ahead leaves its batch and waits.
 */
function settleConflict(queue: OracleQueue, run: LineRun, entry: Entry): void {
  if (conflictOf(queue, run, entry) === 'with the target') {
    takeOut(queue, entry);
    queue.fail(entry, 'conflict');
  } else if (run.entries.length > 1) {
    takeOut(queue, entry);
    insertBefore(queue, queue.line.indexOf(run) + 1, newRun(queue, [entry], 'in order'));
  } else {
    run.phase = 'conflicted';
  }
}
