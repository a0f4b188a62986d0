import type { Change } from '../changes';
import { type Instant, MINUTE, SECOND } from '../vocabulary';
import type { Stretch } from '../test-runs';
import type { FlowState } from '../flow-state';

type TargetMoved = Extract<Change, { type: 'targetMoved' }>;

/**
 * Counts a passed test. `size`: the number of pull requests in the run; 0 in sequential scheduling, which does not
 * count them.
 */
export function afterPass(flow: FlowState, size: number): FlowState {
  const results = flow.results + 1;
  const hasReds = flow.lastRed > flow.lastPass || flow.redsIn.some(({ streak }) => streak === flow.streak);
  return {
    ...flow,
    results,
    lastPass: results,
    tested: flow.tested + size,
    streak: hasReds ? flow.streak + 1 : flow.streak,
    redTarget: null,
    undecided: 0,
  };
}

/**
 * A test starts a moment after the one before has ended: a gap of at most this length between two tests does not count.
 */
const NO_GAP = 10 * SECOND;

/**
 * Adds the time of a test that passed, possibly reported late. The two stretches become one if there is no gap between
 * them; else the newer stretch is kept.
 */
export function withPassing(before: Stretch | undefined, passed: Stretch): Stretch {
  if (before === undefined) return passed;
  const [first, last] = before.until <= passed.until ? [before, passed] : [passed, before];
  return last.from <= first.until + NO_GAP ? { from: Math.min(first.from, last.from), until: last.until } : last;
}

/** Whether a test that passed was under way during the whole time of `tested`. */
export function wasPassingDuring({ passing }: FlowState, tested: Stretch | undefined): boolean {
  if (passing === undefined || tested === undefined) return false;
  return passing.from <= tested.from + NO_GAP && passing.until >= tested.until;
}

/** Stores when the target passed again: results from the time in which it failed say nothing about any tree. */
export function afterOutage(flow: FlowState, at: Instant): FlowState {
  return flow.redTarget === null ? flow : { ...flow, outageEndedAt: at };
}

/**
 * The number of failure streaks to keep. An older streak cannot decide a verdict: an entry that failed in isolation
 * during that streak has been tested again since.
 */
export const STREAKS_KEPT = 32;

export function afterRed(flow: FlowState, size: number): FlowState {
  const results = flow.results + 1;
  return withRedIn({ ...flow, results, lastRed: results, tested: flow.tested + size }, flow.streak);
}

export function withRedIn(flow: FlowState, streak: number): FlowState {
  const reds = 1 + (flow.redsIn.find((other) => other.streak === streak)?.reds ?? 0);
  const others = flow.redsIn.filter((other) => other.streak !== streak);
  return { ...flow, redsIn: [...others, { streak, reds }].slice(-STREAKS_KEPT) };
}

/** After more undecided results of the target in a row than this, the target no longer counts as failing. */
const UNDECIDED_ONCE = 1;

/**
 * A failing target that cannot be tested is tested again later. If that test is undecided too, the target no longer
 * counts as failing.
 */
export function afterUndecided(flow: FlowState, at: Instant): FlowState {
  const results = flow.results + 1;
  const undecided = flow.undecided + 1;
  const { redTarget: red } = flow;
  const redTarget = red === null || undecided > UNDECIDED_ONCE ? null : { ...red, againAt: at + FIRST_AGAIN };
  return { ...flow, results, lastUndecided: results, undecided, redTarget };
}

const FIRST_AGAIN = MINUTE;
const LAST_AGAIN = 30 * MINUTE;

/** The target is tested again at growing intervals. */
export function withRedTarget(flow: FlowState, at: Instant): FlowState {
  const reds = (flow.redTarget?.reds ?? 0) + 1;
  const againAt = reds === 1 ? at : at + Math.min(FIRST_AGAIN * 2 ** (reds - 2), LAST_AGAIN);
  return { ...flow, redTarget: { since: flow.redTarget?.since ?? at, againAt, reds } };
}

/** Somebody pushed to a failing target, maybe to fix it, so the target is tested at once. */
export function afterPush(flow: FlowState, { epochs, seenAt }: TargetMoved): FlowState {
  const { redTarget: red } = flow;
  return red === null || epochs === 0
    ? flow
    : { ...flow, redTarget: { ...red, againAt: Math.min(red.againAt, seenAt) } };
}
