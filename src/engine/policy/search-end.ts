import type { Change, EntryReturn, SearchEnd } from '../changes';
import type { QueuedHead, CulpritSearch, Entry, QueueSnapshot, TestRun } from '../model';
import type { Instant, PendingReason } from '../vocabulary';
import { boundsOf } from './culprit-search';
import { combine, changesOnly, ended, moved, type StepResult } from './step-result';

/** Entries that go back to the front of the waiting ones. */
export interface ReturnedGroup {
  /** `any`: the entries may be batched with any waiting entry. Absent: only with each other. */
  readonly batchedWith?: 'any';
  readonly entries: readonly Entry[];
  readonly because: PendingReason;
  readonly batchAtMost: number | null;
  readonly greenRetests?: number;
}

/** Moves the entries ahead of all waiting entries, except urgent entries and entries that came back earlier. */
export function sendBack(groups: readonly ReturnedGroup[], firstOrder: number, now: Instant): StepResult {
  const returns: EntryReturn[] = [];
  const moves: Change[] = [];
  let order = firstOrder;
  for (const { entries, because, batchAtMost, greenRetests, batchedWith } of groups) {
    const group = batchedWith === 'any' ? 0 : order;
    for (const entry of entries) {
      const atMost = Math.min(entry.batchAtMost ?? Infinity, batchAtMost ?? Infinity);
      const back = {
        batchAtMost: atMost === Infinity ? null : atMost,
        greenRetests: greenRetests ?? entry.greenRetests,
      };
      returns.push({ entryId: entry.id, order: order++, group, ...back });
      moves.push(moved(entry, 'pending', because, now, { run: entry.stateRun ?? undefined }));
    }
  }
  return returns.length === 0 ? changesOnly() : changesOnly({ type: 'entriesReturned', returns }, ...moves);
}

export function membersOf(queue: QueueSnapshot, changes: readonly QueuedHead[]): readonly Entry[] {
  return changes.flatMap((change) => queue.entries.filter((entry) => entry.id === change.entryId));
}

export function runsOf(queue: QueueSnapshot, search: CulpritSearch): readonly TestRun[] {
  return queue.runs.filter((run) => run.search === search.number);
}

export function endSearch(queue: QueueSnapshot, search: CulpritSearch, because: SearchEnd): StepResult {
  const stopped = runsOf(queue, search).map((run) => ended(run, 'search_answered'));
  return combine(...stopped, changesOnly({ type: 'searchEnded', search: search.number, because }));
}

/** The maximum size of later batches with members of this failed batch. */
export function smallerThan({ failedSize }: CulpritSearch): number {
  return Math.max(1, failedSize - 1);
}

/**
 * Removes a member from its bisection. If the member is behind the shortest failed prefix, the bisection continues
 * without it. Otherwise the results depend on it and the bisection ends: the passed prefix in front of it goes back to
 * the line as one group, the other members as another group.
 */
export function leaveSearch(queue: QueueSnapshot, leaving: Entry, because: PendingReason, now: Instant): StepResult {
  const search = queue.searches.find((other) => other.number === leaving.search);
  if (!search) return changesOnly();
  const at = search.members.findIndex((change) => change.entryId === leaving.id);
  const { passed, failed } = boundsOf({ size: search.members.length, results: search.results });
  if (at >= failed) return goOnWithout(queue, search, at);
  const kept = Math.min(passed, at);
  const rest = search.members.slice(kept).filter((change) => change.entryId !== leaving.id);
  return endedWith(queue, search, kept, rest, because, now);
}

/** Ends a bisection whose tests cannot continue, as `leaveSearch` does, but with all its members. */
export function abandonSearch(
  queue: QueueSnapshot,
  search: CulpritSearch,
  because: PendingReason,
  now: Instant,
): StepResult {
  const { passed } = boundsOf({ size: search.members.length, results: search.results });
  return endedWith(queue, search, passed, search.members.slice(passed), because, now);
}

function endedWith(
  queue: QueueSnapshot,
  search: CulpritSearch,
  kept: number,
  rest: readonly QueuedHead[],
  because: PendingReason,
  now: Instant,
): StepResult {
  const batchAtMost = smallerThan(search);
  const groups = [
    { entries: membersOf(queue, search.members.slice(0, kept)), because: 'bisection_test_run_passed', batchAtMost },
    { entries: membersOf(queue, rest), because, batchAtMost },
  ] as const;
  return combine(endSearch(queue, search, 'member_left'), sendBack(groups, queue.nextOrder, now));
}

function goOnWithout(queue: QueueSnapshot, search: CulpritSearch, at: number): StepResult {
  const holding = runsOf(queue, search).filter((run) => run.own.length > at);
  const without: CulpritSearch = {
    ...search,
    members: search.members.filter((_, i) => i !== at),
    results: search.results.filter((result) => result.length <= at),
  };
  return combine(
    ...holding.map((run) => ended(run, 'search_answered')),
    changesOnly({ type: 'searchAdvanced', search: without }),
  );
}
