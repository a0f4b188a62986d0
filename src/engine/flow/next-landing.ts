import type { Entry, QueueSnapshot } from '../model';
import { frozenUntil } from '../policy/freeze';
import { withinLimitFrom } from '../policy/merge-limit';
import { isAnythingUnmet } from '../policy/readiness';
import { isHeadUnclear } from '../policy/stacks';
import { mayLand } from '../policy/slots';
import type { Instant } from '../vocabulary';
import { contentOf, headNow, holds, isExact, isUndone, openEntries } from './heads';
import { type FlowTestRun, flowRuns } from './runs';
import { isAt } from './standing';

/** Runs that passed and have not ended, in the order of their results. */
export function passedRuns(queue: QueueSnapshot): readonly FlowTestRun[] {
  return flowRuns(queue)
    .filter(({ phase, own }) => phase === 'passed' && own.length > 0)
    .sort((a, b) => (a.resultAt ?? 0) - (b.resultAt ?? 0) || a.number - b.number);
}

/** Whether the entry passed: it awaits a combined test, or is part of a passed run that has not landed yet. */
export function hasPassedInFlow(queue: QueueSnapshot, entry: Entry): boolean {
  return isAt(queue, entry, 'passed') || passedRuns(queue).some((run) => holds(contentOf(run), headNow(entry)));
}

/**
 * The run that lands next, and the earliest time at which it may land. Null if no run may land, for example during a
 * freeze.
 */
export function nextFlowLanding(
  queue: QueueSnapshot,
  now: Instant,
): { readonly run: FlowTestRun; readonly from: Instant } | null {
  if (queue.landing !== null || queue.tip === null || !mayLand(queue)) return null;
  const run = passedRuns(queue).find((other) => {
    const entries = openEntries(queue, contentOf(other));
    if (entries.length === 0 || entries.some((entry) => isAnythingUnmet(entry) || isHeadUnclear(entry))) return false;
    return isExact(queue, other) && frozenUntil(queue, entries, now) === null;
  });
  if (!run) return null;
  return { run, from: withinLimitFrom(queue, contentOf(run).filter((head) => isUndone(queue, head)).length) };
}
