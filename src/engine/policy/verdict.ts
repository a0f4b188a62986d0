import type { Change } from '../changes';
import { redsNeeded } from '../flow-facts/chances';
import { wasPassingDuring } from '../flow-facts/results';
import { flowOf, isFlow } from '../flow-facts/scheduling';
import { redsIn } from '../flow-facts/streaks';
import type { CulpritSearch, Entry, QueueSnapshot, RedsAlone, RunFailure } from '../model';
import type { Instant } from '../vocabulary';
import { wasLostToTheEnd } from './lost-run';
import { membersOf } from './search-end';

/** What a red test of one pull request alone on the target is worth. `waits`: until something passes, or the target is red. */
export type Verdict = 'fails' | 'tested_again' | 'waits';

/** With one more red test of it alone. Asked before the queue counts that. */
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

/** What it was red for alone does not count any more. */
export function withoutReds({ alone: _, ...search }: CulpritSearch): CulpritSearch {
  return search;
}

/** An earlier result of its tree is no red test of now. */
export function redAloneFound(entry: Entry, alone: RedsAlone, failure: RunFailure): readonly Change[] {
  const { run, moment } = alone;
  return failure.reused ? [] : [{ type: 'redAloneFound', entryId: entry.id, run, streak: moment.streak }];
}

/**
 * The first red test alone since something passed counts at once. A later one may be the outage that the first one began: it counts
 * when tests that passed ran all the while that it did, when it is red again after a pass, or when the target, asked, says neither.
 */
export function verdictOn(queue: QueueSnapshot, entry: Entry, alone: RedsAlone, failure: RunFailure): Verdict {
  // Its tree was red before, and somebody was blamed for that: what was red in an outage is not taken over.
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

/** It says nothing about the tests: what is missing was taken off the list. */
export function isDropped(failure: RunFailure): boolean {
  return failure.type === 'status' && failure.isDropped === true;
}

/** The job may be gone from the target as well: nobody is blamed before that has been asked. */
function wasNeverReported(failure: RunFailure): boolean {
  return failure.type === 'status' && failure.insteadReported !== undefined;
}

/** A time-out is never the only red test, unless CI stayed silent as often as a run is started again. */
function redsDemanded(queue: QueueSnapshot, entry: Entry, failure: RunFailure): number {
  const isSlow = failure.type === 'timeout' && !wasLostToTheEnd(entry);
  return Math.max(redsNeeded(queue), isSlow ? 2 : 1);
}

/** Red alone, and not to be failed for that yet. */
export function isHeldRed({ stage, results }: CulpritSearch): boolean {
  return stage === 'culprit' && results.some(({ verdict }) => verdict === 'failed');
}

/** Each was red alone, and nothing says whether the tests work. */
export function entriesAwaitingWord(queue: QueueSnapshot): readonly Entry[] {
  return queue.searches.filter(isHeldRed).flatMap((search) => {
    const red = search.results.find(({ verdict }) => verdict === 'failed');
    const [entry] = membersOf(queue, search.members);
    if (!search.alone || !red?.failure || !entry) return [];
    return verdictOn(queue, entry, search.alone, red.failure) === 'waits' ? [entry] : [];
  });
}

/** In order: since when the target itself does not pass its tests, so only what is urgent is tested beside it; null: it does. */
export function targetRedSince(queue: QueueSnapshot): Instant | null {
  return isFlow(queue) ? null : (flowOf(queue).redTarget?.since ?? null);
}

export function isTargetRed(queue: QueueSnapshot): boolean {
  return targetRedSince(queue) !== null;
}
