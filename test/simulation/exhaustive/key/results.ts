import { flowOf } from '../../../../src/engine/flow-facts/scheduling';
import type { FlowState } from '../../../../src/engine/flow-state';
import { OUTAGE_FROM, redsIn } from '../../../../src/engine/flow-facts/streaks';
import { moment } from './marks';
import { passingIn } from './times';
import type { View } from './view';

/** After so many failed tests of the target, the time until the next test stays the same. */
const LONGEST_WAIT = 7;

/** Counters since the last pass, and whether the target fails. */
export function resultsIn(view: View): object {
  const { queue, now } = view.state;
  const { lastPass, lastRed, streak, undecided, redTarget } = flowOf(queue);
  return {
    hasReds: lastRed > lastPass,
    reds: Math.min(redsIn(queue, streak), view.isFlow ? OUTAGE_FROM : 1),
    undecided: Math.min(undecided, 2),
    redTarget: redTarget && redTargetIn(view, redTarget),
    passing: view.isFlow ? undefined : passingIn(view),
    now: view.isFlow ? undefined : moment('W', now),
  };
}

/** Flow scheduling compares no times, so the length of the wait decides nothing. */
function redTargetIn(
  { isFlow, state: { now } }: View,
  { reds, againAt }: NonNullable<FlowState['redTarget']>,
): unknown {
  return isFlow ? againAt <= now : [Math.min(reds, LONGEST_WAIT), Math.max(0, againAt - now)];
}

/**
 * For a streak that is over, flow scheduling needs to know whether it was an outage. Sequential scheduling needs to
 * know whether an entry is blamed in it. If none is, the identity of the streak counts: the first one with a blamed
 * entry makes the others later ones.
 */
export function streakIn({ isFlow, state: { queue } }: View, streak: number): string {
  if (streak === flowOf(queue).streak) return 'now';
  const reds = redsIn(queue, streak);
  if (!isFlow) return reds > 0 ? 'over, with reds' : `§K${streak}`;
  return reds >= OUTAGE_FROM ? `§K${streak}` : 'over';
}

/**
 * Whether a run passed, or a test of the target was inconclusive, since that result. Sequential scheduling does not
 * need the latter.
 */
export function resultIn({ isFlow, state: { queue } }: View, result: number): string {
  const { lastPass, lastUndecided } = flowOf(queue);
  return isFlow ? `${lastPass > result} ${lastUndecided > result}` : `${lastPass > result}`;
}
