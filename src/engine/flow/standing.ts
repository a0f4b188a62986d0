import type { Change } from '../changes';
import type { Entry, QueuedHead, QueueSnapshot, TestRun } from '../model';
import { isConcluded } from '../states';
import { combine, changesOnly, moved, type StepResult } from '../policy/step-result';
import type { Instant, PendingReason } from '../vocabulary';
import { headNow, headsLanding, holds, openEntries } from './heads';
import { type FlowStanding } from '../flow-state';
import { flowOf, standingOf } from '../flow-facts/scheduling';

/** Whether the entry is in the queue, ready, and not being landed. */
export function isAt(queue: QueueSnapshot, entry: Entry, at: FlowStanding['at']): boolean {
  if (standingOf(entry).at !== at || entry.state === 'not_ready' || isConcluded(entry.state)) return false;
  return !holds(headsLanding(queue), headNow(entry));
}

/** The entries of these changes that have one of these standings. */
export function thoseAt(
  queue: QueueSnapshot,
  heads: readonly QueuedHead[],
  ...where: readonly FlowStanding['at'][]
): readonly Entry[] {
  return openEntries(queue, heads).filter((entry) => where.some((at) => isAt(queue, entry, at)));
}

/** The entries awaiting a combined test, in the order in which they passed. */
export function passedBeside(queue: QueueSnapshot): readonly Entry[] {
  return queue.entries
    .filter((entry) => isAt(queue, entry, 'passed'))
    .sort((a, b) => standingOf(a).passedAs - standingOf(b).passedAs);
}

export interface SuspectSet {
  readonly number: number;
  /** The suspects, in the order in which the failed tree contained them. */
  readonly members: readonly Entry[];
}

/**
 * The suspect sets in the order in which they are tested. If sets were put ahead of all other sets, the set that was
 * put there last comes first.
 */
export function suspectSets(queue: QueueSnapshot): readonly SuspectSet[] {
  const sets = new Map<number, Entry[]>();
  for (const entry of queue.entries) {
    if (!isAt(queue, entry, 'suspect')) continue;
    const { set } = standingOf(entry);
    const members = sets.get(set);
    if (members) members.push(entry);
    else sets.set(set, [entry]);
  }
  return [...sets]
    .map(([number, members]) => ({ number, members: members.sort((a, b) => indexOf(a) - indexOf(b)) }))
    .sort((a, b) => a.number - b.number);
}

function indexOf(entry: Entry): number {
  return standingOf(entry).index;
}

export function stands(entry: Entry, standing: Partial<FlowStanding>): Change {
  return { type: 'standingChanged', entryId: entry.id, standing: { ...standingOf(entry), ...standing } };
}

/** Moves entries back to the front of the waiting ones, in this order. */
export function backToFront(
  queue: QueueSnapshot,
  entries: readonly Entry[],
  because: PendingReason,
  now: Instant,
): StepResult {
  if (entries.length === 0) return changesOnly();
  const returns = entries.map((entry, i) => {
    const { batchAtMost, greenRetests } = entry;
    return { entryId: entry.id, order: queue.nextOrder + i, group: 0, batchAtMost, greenRetests };
  });
  return combine(
    changesOnly({ type: 'entriesReturned', returns }),
    changesOnly(...entries.map((entry) => stands(entry, { at: 'waiting', set: 0, redAlone: null }))),
    nowPending(entries, because, now),
  );
}

/** Sets the entries to pending: they wait for another test. */
export function nowPending(entries: readonly Entry[], because: PendingReason, now: Instant): StepResult {
  return changesOnly(
    ...entries
      .filter(({ state }) => state !== 'pending' && state !== 'not_ready')
      .map((entry) => moved(entry, 'pending', because, now, { run: entry.stateRun ?? undefined })),
  );
}

/** Makes these entries a new suspect set, in this order: behind the other sets, or ahead of all of them. */
export function suspected(
  queue: QueueSnapshot,
  entries: readonly Entry[],
  where: 'behind' | 'ahead',
  now: Instant,
  particulars: Partial<FlowStanding> = {},
): StepResult {
  const { nextSet } = flowOf(queue);
  const set = where === 'ahead' ? -nextSet : nextSet;
  const accused = { at: 'suspect', set, redAlone: null, isWholeDue: false, ...particulars } as const;
  return combine(
    changesOnly(...entries.map((entry, index) => stands(entry, { ...accused, index }))),
    nowPending(entries, 'bisection_required', now),
  );
}

/**
 * For a run that ends without a result: moves its waiting entries back to the front. Suspects of the run stay in their
 * suspect set.
 */
export function givenBack(queue: QueueSnapshot, { own }: TestRun, because: PendingReason, now: Instant): StepResult {
  return backToFront(queue, thoseAt(queue, own, 'waiting'), because, now);
}
