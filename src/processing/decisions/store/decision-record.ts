import type { Change } from '../../../engine/changes';
import { evolve } from '../../../engine/evolve';
import type { QueueSnapshot, TestRun } from '../../../engine/model';
import { logLineOf, type LogLine } from './log-line';

/** A test run after the decision, and the reason if the run ended. */
export interface RunRecord {
  readonly run: TestRun;
  readonly endedBecause: string | null;
  /** The attempt numbers of the run's entries, in the order of `run.own`. */
  readonly attempts: readonly number[];
}

export interface LandedRecord {
  readonly seq: number;
  readonly epoch: number;
  readonly change: Extract<Change, { type: 'changeLanded' }>;
}

export interface DecisionRecord {
  readonly log: readonly LogLine[];
  /** The runs that the decision created, changed or ended. */
  readonly runs: readonly RunRecord[];
  readonly landed: readonly LandedRecord[];
}

/** Applies the changes one after another, because rows and log lines need the states in between. */
export function recordOf(before: QueueSnapshot, changes: readonly Change[]): DecisionRecord {
  const log: LogLine[] = [];
  const runs = new Map<number, RunRecord>();
  const landed: LandedRecord[] = [];
  const released = new Set<string>();
  let queue = before;
  for (const change of changes) {
    log.push(logLineOf({ queue, touched: runs, released }, change));
    if (change.type === 'runEnded') noteEnd(queue, change, runs);
    const next = evolve(queue, change);
    noteReleased(queue, next, released);
    if (change.type === 'entrySubmitted') released.delete(change.entry.id);
    if (change.type === 'changeLanded') landed.push({ seq: next.landedSeq, epoch: queue.epoch, change });
    if (next.runs !== queue.runs) noteTouched(queue, next, runs);
    queue = next;
  }
  return { log, runs: [...runs.values()], landed };
}

function noteTouched(before: QueueSnapshot, after: QueueSnapshot, runs: Map<number, RunRecord>): void {
  const known = new Set(before.runs);
  for (const run of after.runs) {
    if (!known.has(run)) runs.set(run.number, { run, endedBecause: null, attempts: attemptsOf(after, run) });
  }
}

function noteEnd(
  queue: QueueSnapshot,
  { run: number, because }: Extract<Change, { type: 'runEnded' }>,
  runs: Map<number, RunRecord>,
): void {
  const run = queue.runs.find((other) => other.number === number);
  if (run) runs.set(number, { run, endedBecause: because, attempts: attemptsOf(queue, run) });
}

function attemptsOf(queue: QueueSnapshot, run: TestRun): number[] {
  return run.own.map(({ entryId }) => queue.entries.find((entry) => entry.id === entryId)?.attempt ?? 1);
}

/**
 * Notes the entries that left a bisection: the log counts their next move as part of the bisection, even if it has
 * ended.
 */
function noteReleased(before: QueueSnapshot, after: QueueSnapshot, released: Set<string>): void {
  if (before.entries === after.entries) return;
  const inSearch = new Set(before.entries.filter((entry) => entry.search !== null).map((entry) => entry.id));
  for (const { id, search } of after.entries) {
    if (search === null && inSearch.has(id)) released.add(id);
  }
}
