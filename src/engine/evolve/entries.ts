import type { Change, EntryMoved, EntryPlace, EntryReturn } from '../changes';
import type { Entry, Need, QueueSnapshot } from '../model';
import { type PullRequestFacts, withSince } from '../pull-request-facts';
import { isConcluded } from '../states';

type EntryChange = Extract<
  Change,
  {
    type:
      | 'entrySubmitted'
      | 'entryMoved'
      | 'entryPrioritised'
      | 'entryPromoted'
      | 'entryPutBehind'
      | 'entriesPlaced'
      | 'entriesReturned'
      | 'entriesToTestAnew'
      | 'entryAcquitted'
      | 'pullRequestObserved'
      | 'entryFollowedHead'
      | 'needsChanged'
      | 'entryEvaluated'
      | 'redRunRebuilt'
      | 'readinessAsked'
      | 'configFoundUnreadable';
  }
>;

type FollowedHead = Extract<Change, { type: 'entryFollowedHead' }>;

export function evolveEntries(queue: QueueSnapshot, change: EntryChange): QueueSnapshot {
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
      const { priority, usedDefaultPriority, noBatch, dryRun } = change;
      const options = { priority, usedDefaultPriority, noBatch, dryRun };
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, ...options }));
    }
    case 'entryPromoted': {
      const nextOrder = Math.max(queue.nextOrder, 1 - change.order);
      return {
        ...withEntry(queue, change.entryId, (entry) => ({ ...entry, submittedOrder: change.order })),
        nextOrder,
      };
    }
    case 'entryPutBehind': {
      const last = { submittedOrder: change.order, returnedOrder: 0, returnedGroup: 0 };
      return {
        ...withEntry(queue, change.entryId, (entry) => ({ ...entry, ...last })),
        nextOrder: Math.max(queue.nextOrder, change.order + 1),
      };
    }
    case 'entriesPlaced':
      return withPlaces(queue, change.places);
    case 'entriesReturned':
      return withReturns(queue, change.returns);
    case 'entriesToTestAnew':
      return withEach(queue, change.entryIds, { testAnew: true });
    case 'entryAcquitted':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, acquittedAt: change.at }));
    case 'pullRequestObserved':
      return withFacts(queue, change.facts);
    case 'entryFollowedHead':
      return withEntry(queue, change.entryId, (entry) => withHead(entry, change));
    case 'needsChanged':
      return withEntry(queue, change.entryId, (entry) => withNeeds(entry, change.needs));
    case 'entryEvaluated':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, evaluatedMode: change.mode }));
    case 'redRunRebuilt':
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, redRebuiltAt: change.concluded }));
    case 'readinessAsked': {
      const { askAgainAt, timesAsked } = change;
      return withEntry(queue, change.entryId, (entry) => ({ ...entry, askAgainAt, timesAsked }));
    }
    case 'configFoundUnreadable':
      return withEach(queue, change.entryIds, { unreadableConfig: change.config });
  }
}

function withEach(queue: QueueSnapshot, ids: readonly string[], update: Partial<Entry>): QueueSnapshot {
  return {
    ...queue,
    entries: queue.entries.map((entry) => (ids.includes(entry.id) ? { ...entry, ...update } : entry)),
  };
}

function withEntry(queue: QueueSnapshot, id: string, update: (entry: Entry) => Entry): QueueSnapshot {
  return { ...queue, entries: queue.entries.map((entry) => (entry.id === id ? update(entry) : entry)) };
}

function withHead(
  { takesOff: _ofOldHead, changedWorkflows: _alsoOfThat, ...entry }: Entry,
  { head, takesOff, changedWorkflows }: FollowedHead,
): Entry {
  return { ...entry, head, ...(takesOff && { takesOff }), ...(changedWorkflows && { changedWorkflows }) };
}

/** No obstacle keeps the test from starting any more. */
const STARTED = { askAgainAt: null, timesAsked: 0, unreadableConfig: null } as const;

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
      return { ...next, ...STARTED, verifiedByRun: null };
    case 'pending_failure':
      return { ...next, ...STARTED, verifiedByRun: null, testAnew: false };
    case 'tests_passed':
      return { ...next, ...STARTED, verifiedByRun: move.run, testAnew: false };
    case 'merged':
    case 'failed':
    case 'cancelled':
      return withNeeds({ ...next, concludedAt: at, notReadySince: null, askAgainAt: null, unreadableConfig: null }, []);
  }
}

function withFacts(queue: QueueSnapshot, facts: PullRequestFacts): QueueSnapshot {
  const update = (entry: Entry): Entry => ({ ...entry, pullRequest: withSince(entry.pullRequest, facts) });
  return { ...queue, entries: queue.entries.map((entry) => (entry.number === facts.number ? update(entry) : entry)) };
}

function withNeeds({ needs: _, ...entry }: Entry, needs: readonly Need[]): Entry {
  return needs.length === 0 ? entry : { ...entry, needs };
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

function withReturns(queue: QueueSnapshot, returns: readonly EntryReturn[]): QueueSnapshot {
  const byEntry = new Map(returns.map((back) => [back.entryId, back]));
  const entries = queue.entries.map((entry) => {
    const back = byEntry.get(entry.id);
    if (!back) return entry;
    const { order, group, batchAtMost, greenRetests } = back;
    return { ...entry, returnedOrder: order, returnedGroup: group, batchAtMost, greenRetests };
  });
  const highest = Math.max(0, ...returns.map((back) => Math.max(back.order, back.group)));
  return { ...queue, entries, nextOrder: Math.max(queue.nextOrder, highest + 1) };
}
