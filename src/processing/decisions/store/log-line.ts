import type { Change, EntryMoved } from '../../../engine/changes';
import type { QueueSnapshot, TestRun } from '../../../engine/model';
import { isOfCulpritSearch } from '../../../engine/states';
import { assertNever, type RunKind } from '../../../engine/vocabulary';

/** A change, and the values that the log stores in the same line. */
export interface LogLine extends LogSubject {
  readonly change: Change;
  readonly queueType: 'main' | 'bisection';
}

/** The state before one change of a decision. */
interface Moment {
  readonly queue: QueueSnapshot;
  /** Test runs that earlier changes of the decision created, changed or ended. */
  readonly touched: ReadonlyMap<number, { readonly run: TestRun }>;
  /** Entries that left a bisection earlier in the decision. */
  readonly released: ReadonlySet<string>;
}

export function logLineOf(moment: Moment, change: Change): LogLine {
  return { change, ...subjectOf(moment.queue, change), queueType: queueTypeOf(moment, change) };
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
      return { ...ofEntry(queue, change.entryId), run: change.run };
    case 'entryPrioritised':
    case 'entryPromoted':
    case 'entryPutBehind':
    case 'entryFollowedHead':
    case 'needsChanged':
    case 'entryEvaluated':
    case 'redRunRebuilt':
    case 'readinessAsked':
    case 'entryAcquitted':
    case 'redAloneFound':
    case 'standingChanged':
    case 'generationRaised':
      return ofEntry(queue, change.entryId);
    case 'changeLanded':
      return ofEntry(queue, change.change.entryId);
    case 'runStarted':
      return { ...NOBODY, run: change.run.number };
    case 'runPushed':
    case 'runBranchMoved':
    case 'runCiSeen':
    case 'runResultReused':
    case 'runPassed':
    case 'runFailed':
    case 'runConflicted':
    case 'runLost':
    case 'runFoundRed':
    case 'runSuspected':
    case 'runEnded':
      return { ...NOBODY, run: change.run };
    case 'entriesPlaced':
    case 'entriesReturned':
    case 'entriesToTestAnew':
    case 'configFoundUnreadable':
    case 'pullRequestObserved':
    case 'searchStarted':
    case 'searchAdvanced':
    case 'searchEnded':
    case 'landingOrdered':
    case 'landingSettled':
    case 'partLanded':
    case 'partEvaluated':
    case 'targetMoved':
    case 'settingsChanged':
    case 'queueMoved':
    case 'modeChanged':
    case 'schedulingChanged':
    case 'queueDeleted':
      return NOBODY;
    default:
      return assertNever(change);
  }
}

const NOBODY: LogSubject = { entryId: null, attempt: null, run: null };

function ofEntry(queue: QueueSnapshot, entryId: string): LogSubject {
  const attempt = queue.entries.find((entry) => entry.id === entryId)?.attempt ?? null;
  return { entryId, attempt, run: null };
}

function queueTypeOf(moment: Moment, change: Change): LogLine['queueType'] {
  switch (change.type) {
    case 'searchStarted':
    case 'searchAdvanced':
    case 'searchEnded':
      return 'bisection';
    case 'runStarted':
      return queueTypeOfKind(change.run.kind);
    case 'entryMoved':
      return queueTypeOfMove(moment, change);
    case 'entriesReturned':
      return change.returns.some(({ entryId }) => isOfSearch(moment, entryId)) ? 'bisection' : 'main';
    default: {
      const { run } = subjectOf(moment.queue, change);
      return run === null ? 'main' : queueTypeOfRun(moment, run);
    }
  }
}

/**
 * Whether a move belongs to a bisection. The run that the entry joins decides. Without such a run, a bisection that the
 * entry is in or just left decides, and otherwise the run that the entry leaves.
 */
function queueTypeOfMove(moment: Moment, { entryId, run }: EntryMoved): LogLine['queueType'] {
  const leadsTo = run === null ? null : kindOf(moment, run);
  if (leadsTo !== null) return queueTypeOfKind(leadsTo);
  if (isOfSearch(moment, entryId)) return 'bisection';
  // A restart belongs to the kind of run that tested the entry before.
  const left = moment.queue.entries.find((entry) => entry.id === entryId)?.stateRun ?? null;
  return left === null ? 'main' : queueTypeOfRun(moment, left);
}

function isOfSearch({ queue, released }: Moment, entryId: string): boolean {
  return released.has(entryId) || queue.entries.some((entry) => entry.id === entryId && entry.search !== null);
}

function queueTypeOfRun(moment: Moment, run: number): LogLine['queueType'] {
  return queueTypeOfKind(kindOf(moment, run) ?? 'line');
}

function kindOf({ queue, touched }: Moment, run: number): RunKind | null {
  return queue.runs.find((other) => other.number === run)?.kind ?? touched.get(run)?.run.kind ?? null;
}

function queueTypeOfKind(kind: RunKind): LogLine['queueType'] {
  return isOfCulpritSearch(kind) ? 'bisection' : 'main';
}
