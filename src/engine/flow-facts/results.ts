import type { Change } from '../changes';
import { type Instant, MINUTE, SECOND } from '../vocabulary';
import type { Stretch } from '../test-runs';
import type { FlowState } from '../flow-state';

type TargetMoved = Extract<Change, { type: 'targetMoved' }>;

/** Counts a result. `size`: the number of pull requests in the run; only flow scheduling counts those. */
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

/** Successive tests begin a moment later: a gap of this length between them says nothing. */
const NO_GAP = 10 * SECOND;

/** Adds a test that passed, possibly reported late: one stretch if there is no gap, else the newer one. */
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

/** Failures while the target failed are no verdict on any tree. */
export function afterOutage(flow: FlowState, at: Instant): FlowState {
  return flow.redTarget === null ? flow : { ...flow, outageEndedAt: at };
}

/**
 * Older streaks than these cannot decide a verdict: entries that failed in isolation in them were tested again since.
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

/** The number of undecided results of the target in a row after which the queue no longer waits for its result. */
const UNDECIDED_ONCE = 1;

/** A failing target that cannot be tested is tried again later; after that it no longer counts as failing. */
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

/** Somebody moved the target, maybe to fix it: it is tested at once. */
export function afterPush(flow: FlowState, { epochs, seenAt }: TargetMoved): FlowState {
  const { redTarget: red } = flow;
  return red === null || epochs === 0
    ? flow
    : { ...flow, redTarget: { ...red, againAt: Math.min(red.againAt, seenAt) } };
}
