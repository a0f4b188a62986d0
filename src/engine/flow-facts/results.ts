import type { Change } from '../changes';
import { type Instant, MINUTE, SECOND } from '../vocabulary';
import type { Stretch } from '../test-runs';
import type { FlowState } from '../flow-state';

type TargetMoved = Extract<Change, { type: 'targetMoved' }>;

/** What a result means for what a queue counts by. `size`: pull requests in the run; only flow counts those. */
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

/** Tests that are to follow each other begin a moment later: so long a gap between them says nothing. */
const NO_GAP = 10 * SECOND;

/** With a test that passed, which may have been heard of late: both together where there is no gap between them, else the newer. */
export function withPassing(before: Stretch | undefined, passed: Stretch): Stretch {
  if (before === undefined) return passed;
  const [first, last] = before.until <= passed.until ? [before, passed] : [passed, before];
  return last.from <= first.until + NO_GAP ? { from: Math.min(first.from, last.from), until: last.until } : last;
}

/** Whether something that passed was under test at every moment at which this one was. */
export function wasPassingDuring({ passing }: FlowState, tested: Stretch | undefined): boolean {
  if (passing === undefined || tested === undefined) return false;
  return passing.from <= tested.from + NO_GAP && passing.until >= tested.until;
}

/** What was red while the target was is no verdict on any tree. */
export function afterOutage(flow: FlowState, at: Instant): FlowState {
  return flow.redTarget === null ? flow : { ...flow, outageEndedAt: at };
}

/** Older streaks than these end no verdict: what was red alone in one of them was tested again since. */
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

/** So often in a row the target may say neither red nor green; then its word is not waited for. */
const UNDECIDED_ONCE = 1;

/** A red target that cannot be tested is tried again later; after that nobody says that it is red. */
export function afterUndecided(flow: FlowState, at: Instant): FlowState {
  const results = flow.results + 1;
  const undecided = flow.undecided + 1;
  const { redTarget: red } = flow;
  const redTarget = red === null || undecided > UNDECIDED_ONCE ? null : { ...red, againAt: at + FIRST_AGAIN };
  return { ...flow, results, lastUndecided: results, undecided, redTarget };
}

const FIRST_AGAIN = MINUTE;
const LAST_AGAIN = 30 * MINUTE;

/** Tested again at growing intervals. */
export function withRedTarget(flow: FlowState, at: Instant): FlowState {
  const reds = (flow.redTarget?.reds ?? 0) + 1;
  const againAt = reds === 1 ? at : at + Math.min(FIRST_AGAIN * 2 ** (reds - 2), LAST_AGAIN);
  return { ...flow, redTarget: { since: flow.redTarget?.since ?? at, againAt, reds } };
}

/** Somebody moved the target, maybe to mend it: it is tested at once. */
export function afterPush(flow: FlowState, { epochs, seenAt }: TargetMoved): FlowState {
  const { redTarget: red } = flow;
  return red === null || epochs === 0
    ? flow
    : { ...flow, redTarget: { ...red, againAt: Math.min(red.againAt, seenAt) } };
}
