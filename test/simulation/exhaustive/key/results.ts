import { flowOf } from '../../../../src/engine/flow-facts/scheduling';
import type { FlowState } from '../../../../src/engine/flow-state';
import { OUTAGE_FROM, redsIn } from '../../../../src/engine/flow-facts/streaks';
import { moment } from './marks';
import { passingIn } from './times';
import type { View } from './view';

/** After this many failed tests of the target, the time until the next test does not grow any more. */
const LONGEST_WAIT = 7;

/** The counters since the last passed run, and whether the target fails. */
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

/**
 * Sequential scheduling needs the time until the next test of the target. Flow scheduling only needs to know whether
 * that time has come.
 */
function redTargetIn(
  { isFlow, state: { now } }: View,
  { reds, againAt }: NonNullable<FlowState['redTarget']>,
): unknown {
  return isFlow ? againAt <= now : [Math.min(reds, LONGEST_WAIT), Math.max(0, againAt - now)];
}

/**
 * A streak of failures. For a streak that is over, flow scheduling needs to know only whether it was an outage.
 * Sequential scheduling needs to know only whether an entry was blamed in it. If no entry was blamed, the streak keeps
 * its identity, because the first entry that is blamed in a streak makes the other streaks later streaks.
 */
export function streakIn({ isFlow, state: { queue } }: View, streak: number): string {
  if (streak === flowOf(queue).streak) return 'now';
  const reds = redsIn(queue, streak);
  if (!isFlow) return reds > 0 ? 'over, with reds' : `§K${streak}`;
  return reds >= OUTAGE_FROM ? `§K${streak}` : 'over';
}

/**
 * Whether a run passed since the result. In flow scheduling, also whether a test of the target was inconclusive since
 * the result.
 */
export function resultIn({ isFlow, state: { queue } }: View, result: number): string {
  const { lastPass, lastUndecided } = flowOf(queue);
  return isFlow ? `${lastPass > result} ${lastUndecided > result}` : `${lastPass > result}`;
}
