import { assumedAhead, isProof } from './lanes';
import { takeOut, testAgain } from './line';
import { queuedHeadsOf, type Entry, type FailedBecause, type LineRun, nameOf } from './model';
import type { OracleQueue } from './queue';
import { conflictsWith } from './world';

/**
 * A passed run lands if it is on its base and has no entry ahead that is assumed to pass. With optimistic merging, a
 * run lands together with all runs ahead that it proves.
 */
export function landRuns(queue: OracleQueue): boolean {
  if (queue.landing !== null || queue.state === 'paused') return false;
  const proof = queue.settings.canOptimisticallyMerge
    ? queue.line.findLast((run) => isProof(queue, run))
    : queue.line.find((run) => run.phase === 'passed' && assumedAhead(queue, run).length === 0);
  if (proof === undefined) return false;
  orderLanding(queue, [...assumedAhead(queue, proof), proof]);
  return true;
}

/**
 * Orders a landing. The runs of the landing stay in front until the landing has an outcome, and every run that starts
 * meanwhile is built as if they had landed.
 */
function orderLanding(queue: OracleQueue, runs: readonly LineRun[]): void {
  const entries = runs.flatMap((run) => run.entries);
  const own = entries.map((entry) => [nameOf(entry.number, entry.head), entry.targets] as const);
  queue.landing = { runs, targets: new Map([...queue.landedTargets, ...own]) };
  for (const run of runs) {
    Object.assign(run, { phaseBeforeLanding: run.phase, phase: 'landing' } satisfies Partial<LineRun>);
  }
  queue.line = [...runs, ...queue.line.filter((run) => !runs.includes(run))];
  queue.say(`  landing of [${numbersOf(runs)}] ordered`);
}

export type LandingAnswer = { readonly type: 'accepted' } | { readonly type: 'refused'; readonly pick: number };

/** Applies the host's answer to the landing in progress. */
export function concludeLanding(queue: OracleQueue, answer: LandingAnswer): void {
  const runs = queue.landing?.runs;
  if (runs === undefined) return;
  queue.landing = null;
  queue.line.sort((a, b) => a.place - b.place);
  const entries = runs.flatMap((run) => run.entries);
  const moved = entries.find((entry) => queue.headAtHost(entry.number) !== entry.head);
  if (queue.hostTarget.length !== queue.target.length) takeBack(queue, runs);
  else if (moved) refuse(queue, runs, moved, 'head moved');
  else if (answer.type === 'refused')
    refuse(queue, runs, entries[answer.pick % entries.length]!, 'refused by the host');
  else if (isUnfit(queue, entries)) takeBack(queue, runs);
  else land(queue, runs);
}

/**
 * Whether an entry conflicts with a change that landed in the meantime. This conflict happens in parallel mode only,
 * and another test must show it.
 */
function isUnfit(queue: OracleQueue, entries: readonly Entry[]): boolean {
  return entries.some((entry) => conflictsWith(queue.world, entry.number, queue.target));
}

function takeBack(queue: OracleQueue, runs: readonly LineRun[]): void {
  for (const run of runs) testAgain(queue, run);
}

/**
 * Handles a landing that the host refuses because of one entry. Only this entry's run is tested again. The other runs
 * return to their phases before the landing, and their tests go on.
 */
function refuse(queue: OracleQueue, runs: readonly LineRun[], refused: Entry, because: FailedBecause): void {
  for (const run of runs) run.phase = run.phaseBeforeLanding;
  takeOut(queue, refused);
  queue.fail(refused, because);
}

function land(queue: OracleQueue, runs: readonly LineRun[]): void {
  queue.line = queue.line.filter((run) => !runs.includes(run));
  const landing = queue.nextNumber();
  for (const run of runs) {
    if (run.test !== null) queue.stopTest(run.test);
    const changes = queuedHeadsOf(run.entries);
    queue.target.push(...changes);
    queue.hostTarget.push(...changes);
    for (const [i, entry] of run.entries.entries()) {
      queue.landedTargets.set(changes[i]!, entry.targets);
      queue.landedIn.set(changes[i]!, landing);
      queue.mergedAtHost.add(entry.number);
      queue.leave(entry, 'merged', 'landed');
    }
  }
}

function numbersOf(runs: readonly LineRun[]): string {
  return runs.flatMap((run) => run.entries.map((entry) => entry.number)).join(' ');
}
