import type { Change } from './changes';
import { evolveEntries } from './evolve/entries';
import { evolveRuns } from './evolve/runs';
import { evolveSearches } from './evolve/searches';
import { evolveTarget } from './evolve/target';
import { evolveFlow } from './flow/evolve-flow';
import type { PartialLanding, QueueSnapshot } from './model';
import { assertNever } from './vocabulary';

/** Applies one change to the snapshot. Every change is handled, and nothing else changes a snapshot. */
export function evolve(queue: QueueSnapshot, change: Change): QueueSnapshot {
  return evolveFlow(queue, isOfFlow(change) ? queue : evolveAny(queue, change), change);
}

type FlowChange = Extract<
  Change,
  { type: 'standingChanged' | 'generationRaised' | 'schedulingChanged' | 'redAloneFound' }
>;

function isOfFlow(change: Change): change is FlowChange {
  switch (change.type) {
    case 'standingChanged':
    case 'generationRaised':
    case 'schedulingChanged':
    case 'redAloneFound':
      return true;
    default:
      return false;
  }
}

function evolveAny(queue: QueueSnapshot, change: Exclude<Change, FlowChange>): QueueSnapshot {
  switch (change.type) {
    case 'entrySubmitted':
    case 'entryMoved':
    case 'entryPrioritised':
    case 'entryPromoted':
    case 'entryPutBehind':
    case 'entriesPlaced':
    case 'entriesReturned':
    case 'entriesToTestAnew':
    case 'entryAcquitted':
    case 'pullRequestObserved':
    case 'entryFollowedHead':
    case 'needsChanged':
    case 'entryEvaluated':
    case 'redRunRebuilt':
    case 'readinessAsked':
    case 'configFoundUnreadable':
      return evolveEntries(queue, change);
    case 'runStarted':
    case 'runPushed':
    case 'runBranchMoved':
    case 'runCiSeen':
    case 'runResultReused':
    case 'runPassed':
    case 'runFailed':
    case 'runFoundRed':
    case 'runConflicted':
    case 'runEnded':
      return evolveRuns(queue, change);
    case 'searchStarted':
    case 'searchAdvanced':
    case 'searchEnded':
      return evolveSearches(queue, change);
    case 'landingOrdered':
    case 'changeLanded':
    case 'landingSettled':
    case 'targetMoved':
    case 'partLanded':
    case 'partEvaluated':
      return evolveTarget(queue, change);
    case 'settingsChanged':
      return { ...queue, settings: { ...queue.settings, ...change.settings } };
    case 'queueMoved':
      return movedQueue(queue, change);
    case 'modeChanged':
      return { ...queue, mode: change.mode, requestedMode: change.requested };
    case 'runLost':
      return evolveLoss(queue, change);
    case 'runSuspected':
      return evolveSuspicion(queue, change);
    case 'queueDeleted':
      return queue;
    default:
      return assertNever(change);
  }
}

function movedQueue(queue: QueueSnapshot, change: Extract<Change, { type: 'queueMoved' }>): QueueSnapshot {
  const { to: state, stateAfterSwitch } = change;
  return { ...queue, state, stateAfterSwitch, partialLanding: stillOpen(queue, change) };
}

/** A run without entries tests the target after a partial landing. */
function evolveLoss(queue: QueueSnapshot, { entryIds }: Extract<Change, { type: 'runLost' }>): QueueSnapshot {
  const { partialLanding: part } = queue;
  if (entryIds.length === 0)
    return { ...queue, partialLanding: part && { ...part, timesLost: (part.timesLost ?? 0) + 1 } };
  const entries = queue.entries.map((entry) =>
    entryIds.includes(entry.id) ? { ...entry, timesLost: entry.timesLost + 1 } : entry,
  );
  return { ...queue, entries };
}

function evolveSuspicion(
  queue: QueueSnapshot,
  { entryIds, suspect: suspectRun }: Extract<Change, { type: 'runSuspected' }>,
): QueueSnapshot {
  const { partialLanding: part } = queue;
  if (entryIds.length === 0) return { ...queue, partialLanding: part && { ...part, suspectRun } };
  const entries = queue.entries.map((entry) => (entryIds.includes(entry.id) ? { ...entry, suspectRun } : entry));
  return { ...queue, entries };
}

/** Somebody who sets the queue to running accepts a target that is known to fail. */
function stillOpen(
  { partialLanding }: QueueSnapshot,
  { to }: Extract<Change, { type: 'queueMoved' }>,
): PartialLanding | null {
  return to !== 'paused' && partialLanding?.problem != null ? null : partialLanding;
}
