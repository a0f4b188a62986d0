import type { CulpritSearch, PrefixResult, RunFailure } from '../../../../src/engine/model';
import { resultIn, streakIn } from './results';
import { stretchIn, testedIn } from './times';
import type { View } from './view';

export function searchIn(view: View, search: CulpritSearch): object {
  const { number, base, members, results, alone, culpritOrder, ...rest } = search;
  return {
    ...rest,
    number: `§S${number}`,
    base: [view.isOfNow({ base }), base.landedSeq === view.state.queue.landedSeq],
    members: view.heads(members),
    culpritOrder: culpritOrder > 0 && `§B${culpritOrder}`,
    alone: alone && aloneIn(view, search),
    results: results.map((result) => prefixIn(view, search, result)),
  };
}

/**
 * The failures of an entry in isolation. The number of these failures matters up to two, and only if a test of the
 * target may be inconclusive. The newest failure matters as long as the bisection keeps its result.
 */
function aloneIn(view: View, search: CulpritSearch): unknown {
  const { reds, isFirst, streaks, moment } = search.alone!;
  const tested = testedIn(search);
  const isNow = streakIn(view, moment.streak) === 'now';
  const newest = [resultIn(view, moment.result), tested && stretchIn(tested)];
  return [
    view.mayBeLost && Math.min(reds, 2),
    isFirst,
    Math.min(streaks, 2),
    isNow,
    search.results.length > 0 && newest,
  ];
}

function prefixIn(view: View, { alone }: CulpritSearch, { run, failure, ...result }: PrefixResult): object {
  const isNoted = run === alone?.run;
  const isDue = result.length === 1 && !isNoted;
  return { ...result, isNoted, isRed: view.isRed(run), failure: failure && failureIn(view, failure, isDue) };
}

/**
 * `isDue` is set if the time of the failure will matter. The time matters only for the failure of a single entry, until
 * the bisection has noted this failure.
 */
export function failureIn(view: View, { moment: at, ...failure }: RunFailure, isDue: boolean): object {
  if (at === undefined || !isDue) return failure;
  return { ...failure, at: [resultIn(view, at.result), streakIn(view, at.streak), at.tested && stretchIn(at.tested)] };
}
