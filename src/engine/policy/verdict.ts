import type { Change } from '../changes';
import { redsNeeded } from '../flow-facts/chances';
import { wasPassingDuring } from '../flow-facts/results';
import { flowOf, isFlow } from '../flow-facts/scheduling';
import { redsIn } from '../flow-facts/streaks';
import type { CulpritSearch, Entry, QueueSnapshot, RedsAlone, RunFailure } from '../model';
import type { Instant } from '../vocabulary';
import { wasLostToTheEnd } from './lost-run';
import { membersOf } from './search-end';

/**
 * The consequence of a failure of one pull request in isolation on the target. `waits`: the pull request waits until a
 * test passes, or the target itself fails.
 */
export type Verdict = 'fails' | 'tested_again' | 'waits';

/** Adds a failure in isolation. Must be called before the change `redAloneFound` counts that failure. */
export function withRed(queue: QueueSnapshot, before: RedsAlone | undefined, run: number, red: RunFailure): RedsAlone {
  const { results, streak } = flowOf(queue);
  const { moment = { result: results, streak } } = red;
  return {
    reds: (before?.reds ?? 0) + 1,
    isFirst: before?.isFirst === true || redsIn(queue, moment.streak) === 0,
    streaks: (before?.streaks ?? 0) + Number(before?.moment.streak !== moment.streak),
    moment,
    run,
  };
}

/** The bisection without its earlier failures in isolation, which no longer count. */
export function withoutReds({ alone: _, ...search }: CulpritSearch): CulpritSearch {
  return search;
}

/**
 * The change that counts a failure in isolation. A reused result is not counted, because no test failed at this moment.
 */
export function redAloneFound(entry: Entry, alone: RedsAlone, failure: RunFailure): readonly Change[] {
  const { run, moment } = alone;
  return failure.reused ? [] : [{ type: 'redAloneFound', entryId: entry.id, run, streak: moment.streak }];
}

/**
 * The first failure in isolation since a pass counts at once. A later failure may belong to an outage that began with
 * the first. It counts if tests that passed were under way during its whole time, or if the entry fails again after a
 * pass or after an undecided test of the target.
 */
export function verdictOn(queue: QueueSnapshot, entry: Entry, alone: RedsAlone, failure: RunFailure): Verdict {
  // For a reused failure, an earlier entry with the same tree was already blamed; failures of an outage are not reused.
  if (failure.reused || isDropped(failure)) return 'fails';
  if (alone.reds < redsDemanded(queue, entry, failure)) return 'tested_again';
  if (alone.isFirst && !wasNeverReported(failure)) return 'fails';
  const flow = flowOf(queue);
  const { lastPass, undecided } = flow;
  if (lastPass > alone.moment.result)
    return alone.streaks > 1 || wasPassingDuring(flow, alone.moment.tested) ? 'fails' : 'tested_again';
  if (undecided > 0) return alone.reds > 1 ? 'fails' : 'tested_again';
  return 'waits';
}

/**
 * Whether the run failed because the pull request itself drops the missing statuses. Then the failure says nothing
 * about whether the tests work.
 */
export function isDropped(failure: RunFailure): boolean {
  return failure.type === 'status' && failure.isDropped === true;
}

/**
 * Whether CI never reported a status. The target may lack the job of this status, too, so the target is tested before
 * an entry is blamed.
 */
function wasNeverReported(failure: RunFailure): boolean {
  return failure.type === 'status' && failure.insteadReported !== undefined;
}

/**
 * How many failures in isolation fail the entry. One time-out is never enough, unless CI stayed silent in all restarts
 * of the run.
 */
function redsDemanded(queue: QueueSnapshot, entry: Entry, failure: RunFailure): number {
  const isSlow = failure.type === 'timeout' && !wasLostToTheEnd(entry);
  return Math.max(redsNeeded(queue), isSlow ? 2 : 1);
}

/** Whether the entry of this bisection failed in isolation, and awaits the verdict. */
export function isHeldRed({ stage, results }: CulpritSearch): boolean {
  return stage === 'culprit' && results.some(({ verdict }) => verdict === 'failed');
}

/** Entries that failed in isolation while nothing says whether the tests work. */
export function entriesAwaitingWord(queue: QueueSnapshot): readonly Entry[] {
  return queue.searches.filter(isHeldRed).flatMap((search) => {
    const red = search.results.find(({ verdict }) => verdict === 'failed');
    const [entry] = membersOf(queue, search.members);
    if (!search.alone || !red?.failure || !entry) return [];
    return verdictOn(queue, entry, search.alone, red.failure) === 'waits' ? [entry] : [];
  });
}

/**
 * Sequential scheduling: since when the target itself has been failing its tests. Meanwhile only the target and urgent
 * entries are tested. Null if no failure of the target is known.
 */
export function targetRedSince(queue: QueueSnapshot): Instant | null {
  return isFlow(queue) ? null : (flowOf(queue).redTarget?.since ?? null);
}

export function isTargetRed(queue: QueueSnapshot): boolean {
  return targetRedSince(queue) !== null;
}
