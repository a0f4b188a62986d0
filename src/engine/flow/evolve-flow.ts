import type { Change, EntryMoved } from '../changes';
import type { Entry, QueueSnapshot, TestRun } from '../model';
import { isConcluded } from '../states';
import { sharedAhead } from './areas';
import { countedIn } from '../flow-facts/chances';
import { afterLandingOf, withoutRedTestsOf, withRedTest } from './red-tests';
import { evolveInOrder } from './in-order';
import { learning, outcomeOf } from './learning';
import { afterPass, afterPush, afterRed, afterUndecided, STREAKS_KEPT, withRedTarget } from '../flow-facts/results';
import { flowOf, isFlow, schedulingOf, standingOf } from '../flow-facts/scheduling';
import type { FlowState, FlowStanding } from '../flow-state';
import { OUTAGE_FROM } from '../flow-facts/streaks';

/**
 * Applies a change to the state of flow scheduling, after `evolve` has applied it to the queue. `before`, `after`: the
 * queue without and with the change.
 */
export function evolveFlow(before: QueueSnapshot, after: QueueSnapshot, change: Change): QueueSnapshot {
  if (change.type === 'settingsChanged') return askedFor(before, after);
  if (change.type === 'schedulingChanged') return inForce(after);
  if (change.type === 'targetMoved') return after.flow ? { ...after, flow: afterPush(after.flow, change) } : after;
  if (!isFlow(after)) return evolveInOrder(before, withoutFlow(after, change), change);
  switch (change.type) {
    case 'standingChanged':
      return withStanding(after, change.entryId, change.standing);
    case 'generationRaised':
    case 'entryFollowedHead':
      return anotherOne(before, after, change.entryId);
    case 'entryMoved':
      return isConcluded(change.to) ? concluded(before, after, change) : after;
    case 'runStarted':
      return owned(after, change.run);
    case 'runEnded':
      return disowned(after, change.run);
    case 'runPassed':
      return learning({ ...after, flow: afterPass(flowOf(after), sizeOf(before, change.run)) }, 'flake', 'no');
    case 'runFailed': {
      const run = before.runs.find(({ number }) => number === change.run);
      const isTarget = run?.flow?.role === 'target';
      if (isTarget && change.failure.type !== 'status')
        return { ...after, flow: afterUndecided(flowOf(after), change.at) };
      const red = afterRed(flowOf(after), sizeOf(before, change.run));
      if (isTarget) return { ...after, flow: withRedTarget(red, change.at) };
      // A test that timed out says nothing about how often tests flake.
      const isRed = run !== undefined && change.failure.type === 'status';
      return isRed ? withRedTest({ ...after, flow: red }, run) : { ...after, flow: red };
    }
    default:
      return after;
  }
}

/** The present scheduling continues until the switch is done. */
function askedFor(before: QueueSnapshot, after: QueueSnapshot): QueueSnapshot {
  const scheduling = schedulingOf(before);
  if ((after.settings.scheduling ?? 'in_order') === scheduling) return after;
  return { ...after, flow: { ...flowOf(after), switchingFrom: scheduling } };
}

/** The learned counts belong to the queue and stay; the standings of entries are dropped. */
function inForce(queue: QueueSnapshot): QueueSnapshot {
  const entries = queue.entries.map((entry) => (entry.flow === undefined ? entry : apart(entry)));
  const flow = settled(flowOf(queue));
  return { ...queue, entries, flow: isFlow({ ...queue, flow }) ? inDoubt(flow) : flow };
}

/**
 * Sequential scheduling does not count every failure, so until a test passes, its last failures count as a likely
 * outage.
 */
function inDoubt(flow: FlowState): FlowState {
  const streak = flow.streak + 1;
  const redsIn = [...flow.redsIn, { streak, reds: OUTAGE_FROM }].slice(-STREAKS_KEPT);
  return { ...flow, streak, redsIn };
}

function settled({ switchingFrom: _, ...flow }: FlowState): FlowState {
  return { ...flow, redTests: [], redTarget: null, undecided: 0 };
}

/**
 * An entry outside the snapshot of the switch kept its standing: the first later change of the entry drops the
 * standing.
 */
function withoutFlow(queue: QueueSnapshot, change: Change): QueueSnapshot {
  if (change.type !== 'entryMoved' && change.type !== 'entryFollowedHead') return queue;
  const entry = queue.entries.find(({ id }) => id === change.entryId);
  return entry?.flow === undefined ? queue : withEntryOf(queue, entry.id, apart);
}

function apart({ flow: _, ...entry }: Entry): Entry {
  return entry;
}

function sizeOf({ runs }: QueueSnapshot, number: number): number {
  return runs.find((run) => run.number === number)?.own.length ?? 0;
}

/** The chances are learned from entries that landed or failed their tests. */
function concluded(before: QueueSnapshot, after: QueueSnapshot, change: EntryMoved): QueueSnapshot {
  const { entryId } = change;
  const entry = before.entries.find(({ id }) => id === entryId);
  const outcome = outcomeOf(change);
  const parted = withEntryOf(after, entryId, apart);
  if (!entry) return parted;
  const decided = outcome === 'no' ? afterLandingOf(parted, entry) : withoutRedTestsOf(parted, entry);
  if (outcome === null) return decided;
  const standing = standingOf(entry);
  const learned = sharingCounted(learning(decided, 'failure', outcome), standing, outcome);
  return standing.hasPassed ? learning(learned, 'misfit', outcome) : learned;
}

function sharingCounted(queue: QueueSnapshot, { areas: shared }: FlowStanding, outcome: 'yes' | 'no'): QueueSnapshot {
  if (shared.length === 0) return learning(queue, 'apart', outcome);
  const learned = learning(queue, 'together', outcome);
  const flow = flowOf(learned);
  return { ...learned, flow: { ...flow, areas: countedIn(flow.areas, shared, outcome) } };
}

function withStanding(queue: QueueSnapshot, entryId: string, standing: FlowStanding): QueueSnapshot {
  const flow = flowOf(queue);
  const nextSet = Math.max(flow.nextSet, Math.abs(standing.set) + 1);
  const nextPassed = Math.max(flow.nextPassed, standing.passedAs + 1);
  // An entry stays in its run until the run ends, whatever the new standing is.
  const next = withEntryOf(queue, entryId, (entry) => {
    return { ...entry, flow: { ...standing, run: standingOf(entry).run } };
  });
  return { ...next, flow: { ...flow, nextSet, nextPassed } };
}

/** Gives the entry a new generation, without a standing. The entry keeps its place among the waiting entries. */
function anotherOne(before: QueueSnapshot, after: QueueSnapshot, entryId: string): QueueSnapshot {
  const entry = before.entries.find(({ id }) => id === entryId);
  const another = withEntryOf(after, entryId, ({ flow: _, ...other }) => {
    return { ...other, generation: (other.generation ?? 0) + 1 };
  });
  return entry ? withoutRedTestsOf(another, entry) : another;
}

function owned(queue: QueueSnapshot, { own, number }: TestRun): QueueSnapshot {
  const ids = new Set(own.map(({ entryId }) => entryId));
  const entries = queue.entries.map((entry) => {
    if (!ids.has(entry.id)) return entry;
    return { ...entry, flow: { ...standingOf(entry), run: number, areas: sharedAhead(queue, entry) } };
  });
  return { ...queue, entries };
}

function disowned(queue: QueueSnapshot, number: number): QueueSnapshot {
  const entries = queue.entries.map((entry) =>
    entry.flow?.run === number ? { ...entry, flow: { ...entry.flow, run: null } } : entry,
  );
  return { ...queue, entries };
}

function withEntryOf(queue: QueueSnapshot, id: string, update: (entry: Entry) => Entry): QueueSnapshot {
  return { ...queue, entries: queue.entries.map((entry) => (entry.id === id ? update(entry) : entry)) };
}
