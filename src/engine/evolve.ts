import type { Change, EntryMoved, EntryPlace } from './changes';
import type { Entry, QueueSnapshot, TestRun } from './model';
import { isConcluded } from './states';
import { assertNever } from './vocabulary';

/** Folds one change into the snapshot. Total, and the only way a snapshot changes. */
export function evolve(queue: QueueSnapshot, change: Change): QueueSnapshot {
  switch (change.type) {
    case 'entrySubmitted':
    case 'entryMoved':
    case 'entryPrioritised':
    case 'entriesPlaced':
    case 'pullRequestObserved':
    case 'entryFollowedHead':
    case 'entryJudged':
    case 'redRunRebuilt':
    case 'readinessAsked':
      return evolveEntries(queue, change);
    case 'runStarted':
    case 'runPushed':
    case 'runPassed':
    case 'runFailed':
    case 'runConflicted':
    case 'runEnded':
      return evolveRuns(queue, change);
    case 'landingOrdered':
    case 'changeLanded':
    case 'landingSettled':
    case 'targetMoved':
    case 'landedTreeDiffers':
      return evolveTarget(queue, change);
    case 'settingsChanged':
      return { ...queue, settings: { ...queue.settings, ...change.settings } };
    case 'queueMoved':
      return { ...queue, state: change.to, stateAfterSwitch: change.stateAfterSwitch };
    case 'modeChanged':
      return { ...queue, mode: change.mode, requestedMode: change.requested };
    case 'queueDeleted':
      return queue;
    default:
      return assertNever(change);
  }
}

type EntryChange = Extract<
  Change,
  {
    type:
      | 'entrySubmitted'
      | 'entryMoved'
      | 'entryPrioritised'
      | 'entriesPlaced'
      | 'pullRequestObserved'
      | 'entryFollowedHead'
      | 'entryJudged'
      | 'redRunRebuilt'
      | 'readinessAsked';
  }
>;

function evolveEntries(queue: QueueSnapshot, change: EntryChange): QueueSnapshot {
  switch (change.type) {
    case 'entrySubmitted': {
      const others = queue.entries.filter((entry) => entry.id !== change.entry.id);
      return {
        ...queue,
        entries: [...others, change.entry],
        nextOrder: Math.max(queue.nextOrder, change.entry.submittedOrder + 1),
      };
    }
    case 'entryMoved': {
      const concluded = queue.concluded + Number(isConcluded(change.to));
      return { ...withEntry(queue, change.entryId, (entry) => movedEntry(entry, change)), concluded };
    }
    case 'entryPrioritised': {
      const { priority, usedDefaultPriority, noBatch } = change;
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, priority, usedDefaultPriority, noBatch }));
    }
    case 'entriesPlaced':
      return withPlaces(queue, change.places);
    case 'pullRequestObserved':
      return {
        ...queue,
        entries: queue.entries.map((entry) =>
          entry.number === change.facts.number ? { ...entry, pullRequest: change.facts } : entry,
        ),
      };
    case 'entryFollowedHead':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, head: change.head }));
    case 'entryJudged':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, judgedMode: change.mode }));
    case 'redRunRebuilt':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, redRebuiltAt: change.concluded }));
    case 'readinessAsked': {
      const { askAgainAt, timesAsked } = change;
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, askAgainAt, timesAsked }));
    }
  }
}

function withEntry(queue: QueueSnapshot, id: string, update: (entry: Entry) => Entry): QueueSnapshot {
  return { ...queue, entries: queue.entries.map((entry) => (entry.id === id ? update(entry) : entry)) };
}

function movedEntry(entry: Entry, move: EntryMoved): Entry {
  const { to, at } = move;
  const next: Entry = {
    ...entry,
    state: to,
    stateChangedAt: at,
    stateReason: move.because,
    stateActor: move.actor,
    stateRun: move.run,
  };
  switch (to) {
    case 'not_ready':
      return { ...next, notReadySince: at, pendingSince: null };
    case 'pending':
      return {
        ...next,
        notReadySince: null,
        pendingSince: at,
        firstPendingAt: entry.firstPendingAt ?? at,
        verifiedByRun: null,
      };
    case 'testing':
    case 'pending_failure':
      return { ...next, askAgainAt: null, timesAsked: 0, verifiedByRun: null };
    case 'tests_passed':
      return { ...next, verifiedByRun: move.run };
    case 'merged':
    case 'failed':
    case 'cancelled':
      return { ...next, concludedAt: at, notReadySince: null, askAgainAt: null };
  }
}

function withPlaces(queue: QueueSnapshot, places: readonly EntryPlace[]): QueueSnapshot {
  const byEntry = new Map(places.map((place) => [place.entryId, place]));
  const highest = Math.max(0, ...places.map((p) => p.place ?? 0));
  const moves = new Map<number, number>();
  const entries = queue.entries.map((entry) => {
    const to = byEntry.get(entry.id);
    if (!to) return entry;
    if (entry.place !== null && to.place !== null) moves.set(entry.place, to.place);
    return { ...entry, place: to.place, placeIndex: to.index, urgentInLine: to.urgent };
  });
  const runs = queue.runs.map((run) =>
    run.kind === 'line' ? { ...run, place: moves.get(run.place) ?? run.place } : run,
  );
  return { ...queue, entries, runs, nextPlace: Math.max(queue.nextPlace, highest + 1) };
}

type RunChange = Extract<
  Change,
  { type: 'runStarted' | 'runPushed' | 'runPassed' | 'runFailed' | 'runConflicted' | 'runEnded' }
>;

function evolveRuns(queue: QueueSnapshot, change: RunChange): QueueSnapshot {
  switch (change.type) {
    case 'runStarted':
      return { ...queue, runs: [...queue.runs, change.run], nextRun: change.run.number + 1 };
    case 'runPushed': {
      const { branch, commit, tree, requiredStatuses, pushedAt, deadline } = change;
      const pushed = {
        branch,
        commit,
        tree,
        requiredStatuses,
        pushedAt,
        deadline,
        requiredStatusesSource: change.source,
      };
      return withRun(queue, change.run, (run) => ({ ...run, ...pushed, phase: 'testing' }));
    }
    case 'runPassed':
      return withRun(queue, change.run, (run) => ({ ...run, phase: 'passed', resultAt: change.at, failure: null }));
    case 'runFailed':
      return withRun(queue, change.run, (run) => ({
        ...run,
        phase: 'failed',
        resultAt: change.at,
        failure: change.failure,
      }));
    case 'runConflicted':
      return withRun(queue, change.run, (run) => ({ ...run, phase: 'conflicted', conflict: change.conflict }));
    case 'runEnded':
      return { ...queue, runs: queue.runs.filter((run) => run.number !== change.run) };
  }
}

function withRun(queue: QueueSnapshot, number: number, update: (run: TestRun) => TestRun): QueueSnapshot {
  return { ...queue, runs: queue.runs.map((run) => (run.number === number ? update(run) : run)) };
}

type TargetChange = Extract<
  Change,
  { type: 'landingOrdered' | 'changeLanded' | 'landingSettled' | 'targetMoved' | 'landedTreeDiffers' }
>;

function evolveTarget(queue: QueueSnapshot, change: TargetChange): QueueSnapshot {
  switch (change.type) {
    case 'landingOrdered': {
      const { landing } = change;
      const runs = queue.runs.map((run): TestRun =>
        landing.runs.includes(run.number) ? { ...run, phase: 'landing' } : run,
      );
      return { ...queue, runs, landing, nextLanding: landing.number + 1 };
    }
    case 'changeLanded': {
      const seq = queue.landedSeq + 1;
      return { ...queue, landedSeq: seq, landed: [...queue.landed, { ...change.change, seq, epoch: queue.epoch }] };
    }
    case 'landingSettled': {
      const runs = queue.runs.map((run): TestRun => (run.phase === 'landing' ? { ...run, phase: 'passed' } : run));
      return { ...queue, runs, landing: null };
    }
    case 'targetMoved':
      return { ...queue, tip: change.tip, tipSeenAt: change.seenAt, epoch: queue.epoch + change.epochs };
    case 'landedTreeDiffers':
      return queue;
  }
}
