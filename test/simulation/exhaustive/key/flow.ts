import { flowOf, isFlow } from '../../../../src/engine/flow/standing';
import { OUTAGE_FROM, redsIn } from '../../../../src/engine/flow/streaks';
import type { QueueSnapshot, RedMoment, RunFailure, Stretch } from '../../../../src/engine/model';
import { moment, type Names } from './names';

/** After so many red tests of the target the time until the next one grows no more. */
const LONGEST_WAIT = 7;

/** Results and streaks that nothing in hand refers to are history. */
export function flowIn(names: Names): object {
  const { queue, now } = names.state;
  const { lastPass, lastRed, streak, undecided, redTarget, passing } = flowOf(queue);
  return {
    hasReds: lastRed > lastPass,
    reds: Math.min(redsIn(queue, streak), isFlow(queue) ? OUTAGE_FROM : 1),
    undecided: Math.min(undecided, 2),
    redTarget: redTarget && [Math.min(redTarget.reds, LONGEST_WAIT), redTarget.againAt - now],
    passing: names.isTimed && passing && stretchIn(passing),
    now: names.isTimed ? moment('W', now) : moment('V', now),
  };
}

function stretchIn({ from, until }: Stretch): string {
  return moment('W', from) + moment('W', until);
}

/** A streak that is over counts only if it was an outage, or, in order, if anything was red in it. */
export function streakIn(queue: QueueSnapshot, streak: number): string {
  if (streak === flowOf(queue).streak) return 'now';
  const reds = redsIn(queue, streak);
  if (!isFlow(queue)) return `§K${streak} ${reds > 0}`;
  return reds >= OUTAGE_FROM ? `§K${streak}` : 'over';
}

/** Whether something passed, or the target said neither, since that result. */
export function resultIn(queue: QueueSnapshot, result: number): string {
  const { lastPass, lastUndecided } = flowOf(queue);
  return `${lastPass > result} ${lastUndecided > result}`;
}

export function failureIn(names: Names, { moment: at, ...failure }: RunFailure): object {
  return at === undefined ? failure : { ...failure, at: redIn(names, at) };
}

/** When something was red. */
export function redIn(names: Names, { result, streak, tested }: RedMoment): unknown {
  const { queue } = names.state;
  const stretch = names.isTimed && tested !== undefined && stretchIn(tested);
  return [resultIn(queue, result), streakIn(queue, streak), stretch];
}
