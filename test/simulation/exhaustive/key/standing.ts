import { standingOf } from '../../../../src/engine/flow-facts/scheduling';
import type { RedAlone } from '../../../../src/engine/flow-state';
import type { Entry } from '../../../../src/engine/model';
import { present } from './present';
import { resultIn, streakIn } from './results';
import type { View } from './view';

/**
 * Fields with their own rule below, fields from which the queue learns, and fields that repeat facts of the test runs.
 */
const OTHERS = new Set(
  'at run set index isWholeDue passedAs hasPassed rides redWith reds streaks redAlone redIn areas clashes until'.split(
    ' ',
  ),
);

/** The position of an entry in flow scheduling. Facts about its earlier positions do not matter any more. */
export function standingIn(view: View, entry: Entry): object {
  const standing = standingOf(entry);
  const { at, set, index, isWholeDue, passedAs, rides, redWith, reds, streaks, redAlone, clashes, until } = standing;
  return {
    at,
    ...present(standing, OTHERS),
    suspect: at === 'suspect' ? [`§T${set}`, placeIn(view, set, index), isWholeDue] : undefined,
    passed: at === 'passed' ? [`§A${passedAs}`, mayBeOwed(view, rides) && rides] : undefined,
    redWith: view.ids(redWith),
    reds: view.mayBeLost ? Math.min(reds, 2) : undefined,
    streaks: streaks.length > 1 ? 'some' : streaks.map((streak) => streakIn(view, streak)).join(),
    redAlone: redAlone && redAloneIn(view, redAlone),
    clashes: view.ids(clashes),
    until: view.heads(until),
    isNew: view.facts.disturbances.includes('restart') && entry.flow === undefined,
  };
}

/** The rank of the entry among the entries of its suspect set that are still in the queue. */
function placeIn({ open }: View, set: number, index: number): number {
  return open.map(standingOf).filter((other) => other.at === 'suspect' && other.set === set && other.index < index)
    .length;
}

/** After this many landings that left out the entry, nothing lands without it any more. */
const OWED_AFTER = 6;

/** Whether the entry may still reach `OWED_AFTER` landings. Each further landing needs another pull request. */
function mayBeOwed({ others }: View, rides: number): boolean {
  return rides + others >= OWED_AFTER;
}

function redAloneIn(view: View, { run, failure, result, streak }: RedAlone): unknown {
  return [failure, resultIn(view, result), streakIn(view, streak), view.isRed(run)];
}
