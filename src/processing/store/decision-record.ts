import type { Change } from '../../engine/changes';
import { evolve } from '../../engine/evolve';
import type { QueueSnapshot, TestRun } from '../../engine/model';
import type { RunKind } from '../../engine/vocabulary';

/** A change with what the log tells about it beyond the change itself. */
export interface LogLine {
  readonly change: Change;
  readonly entryId: string | null;
  readonly attempt: number | null;
  readonly run: number | null;
  readonly queueType: 'main' | 'bisection';
}

/** The last form a run had in the decision, and why it ended if it did. */
export interface RunRecord {
  readonly run: TestRun;
  readonly endedBecause: string | null;
  /** Attempts of its members, in order. */
  readonly attempts: readonly number[];
}

export interface LandedRecord {
  readonly seq: number;
  readonly epoch: number;
  readonly change: Extract<Change, { type: 'changeLanded' }>;
}

export interface DecisionRecord {
  readonly log: readonly LogLine[];
  /** Only those that the decision touched. */
  readonly runs: readonly RunRecord[];
  readonly landed: readonly LandedRecord[];
}

/** Goes through the changes once more, because rows and log need what was true between them. */
export function recordOf(before: QueueSnapshot, changes: readonly Change[]): DecisionRecord {
  const log: LogLine[] = [];
  const runs = new Map<number, RunRecord>();
  const landed: LandedRecord[] = [];
  let queue = before;
  for (const change of changes) {
    log.push(lineOf(queue, change, runs));
    if (change.type === 'runEnded') noteEnd(queue, change, runs);
    const next = evolve(queue, change);
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

function lineOf(queue: QueueSnapshot, change: Change, ended: ReadonlyMap<number, RunRecord>): LogLine {
  const { entryId, attempt, run } = subjectOf(queue, change);
  const kind = kindOf(queue, change, run ?? testedBy(queue, change), ended);
  return { change, entryId, attempt, run, queueType: kind === 'line' ? 'main' : 'bisection' };
}

interface LogSubject {
  readonly entryId: string | null;
  readonly attempt: number | null;
  readonly run: number | null;
}

function subjectOf(queue: QueueSnapshot, change: Change): LogSubject {
  switch (change.type) {
    case 'entrySubmitted':
      return { entryId: change.entry.id, attempt: change.entry.attempt, run: null };
    case 'entryMoved':
      return { entryId: change.entryId, attempt: attemptOf(queue, change.entryId), run: change.run };
    case 'entryPrioritised':
    case 'entryFollowedHead':
    case 'entryJudged':
    case 'redRunRebuilt':
    case 'readinessAsked':
      return { entryId: change.entryId, attempt: attemptOf(queue, change.entryId), run: null };
    case 'changeLanded':
      return { entryId: change.change.entryId, attempt: attemptOf(queue, change.change.entryId), run: null };
    case 'runStarted':
      return { entryId: null, attempt: null, run: change.run.number };
    case 'runPushed':
    case 'runPassed':
    case 'runFailed':
    case 'runConflicted':
    case 'runEnded':
      return { entryId: null, attempt: null, run: change.run };
    default:
      return { entryId: null, attempt: null, run: null };
  }
}

function attemptOf(queue: QueueSnapshot, entryId: string): number | null {
  return queue.entries.find((entry) => entry.id === entryId)?.attempt ?? null;
}

/** The run that an entry leaves when it moves: a restart is counted where the test ran. */
function testedBy(queue: QueueSnapshot, change: Change): number | null {
  if (change.type !== 'entryMoved') return null;
  return queue.entries.find((entry) => entry.id === change.entryId)?.stateRun ?? null;
}

function kindOf(
  queue: QueueSnapshot,
  change: Change,
  run: number | null,
  touched: ReadonlyMap<number, RunRecord>,
): RunKind {
  if (change.type === 'runStarted') return change.run.kind;
  if (run === null) return 'line';
  return queue.runs.find((other) => other.number === run)?.kind ?? touched.get(run)?.run.kind ?? 'line';
}
