import type { CulpritSearch, Landing, PartialLanding } from '../../../../src/engine/model';
import { isConcluded } from '../../../../src/engine/states';
import { entryIn } from './entries';
import { failureIn, flowIn, redIn } from './flow';
import { type Names, present } from './names';
import { runIn } from './runs';

/** Fields with a rule of their own below, those that hold the next free number, and those that are the same in all states of a case. */
const OTHERS = new Set(
  (
    'id branch host settings limits mode nextRun nextLanding nextOrder nextPlace nextSearch concluded epoch tip tipSeenAt landedSeq flow ' +
    'entries runs searches landed landing partialLanding reports mergedLately sharing isolated usualUploads moreToLoad'
  ).split(' '),
);

export function queueIn(names: Names): object {
  const { queue } = names.state;
  const open = queue.entries.filter(({ state }) => !isConcluded(state)).toSorted((a, b) => a.number - b.number);
  return {
    ...present(queue, OTHERS),
    tip: queue.tip && names.tip(queue.tip),
    landedSeq: `§Q${queue.landedSeq}`,
    flow: flowIn(names),
    entries: open.map((entry) => entryIn(names, entry)),
    runs: queue.runs.toSorted((a, b) => a.number - b.number).map((run) => runIn(names, run)),
    searches: queue.searches.map((search) => searchIn(names, search)),
    landed: queue.landed.map((change) => {
      // Only lanes ask what came in one landing.
      const landing = queue.mode === 'parallel' ? `§L${change.landing ?? 0}` : '';
      return `${names.head(change)}§Q${change.seq}${landing}`;
    }),
    landing: queue.landing && landingIn(names, queue.landing),
    partialLanding: queue.partialLanding && partIn(queue.partialLanding),
  };
}

function landingIn(names: Names, { number, runs, changes, expectedTip }: Landing): string {
  return [`§L${number}`, ...runs.map((run) => `§R${run}`), names.list(changes ?? []), names.tip(expectedTip)].join('|');
}

/** Red tests alone count up to two. */
function searchIn(names: Names, search: CulpritSearch): object {
  const { queue } = names.state;
  const { number, base, members, results, alone, culpritOrder, ...rest } = search;
  const isOfNow = base.epoch === queue.epoch;
  return {
    ...rest,
    number: `§S${number}`,
    base: search.stage === 'culprit' || !isOfNow ? isOfNow : `${names.tip(base)}§Q${base.landedSeq}`,
    members: names.list(members),
    culpritOrder: `§B${culpritOrder}`,
    alone: alone && [Math.min(alone.reds, 2), alone.isFirst, Math.min(alone.streaks, 2), redIn(names, alone.moment)],
    results: results.map(({ run, failure, ...result }) => ({
      ...result,
      isNoted: run === alone?.run,
      isRed: names.isRed(run),
      failure: failure && failureIn(names, failure),
    })),
  };
}

/** What it is called, and what of it landed, is for people. */
function partIn({ landing: _, landed: __, why: ___, problem, wrongTrees, ...rest }: PartialLanding): object {
  return { ...rest, isRed: problem !== null, isWrong: wrongTrees !== undefined };
}
