import type { Entry, QueueSnapshot } from '../model';
import { comparePending, mayBeTried } from '../policy/order';
import { type Instant, URGENT } from '../vocabulary';
import { headsLanding, holds, isUndone, openEntries } from './heads';
import { areNeedsMet, doClash } from './needs';
import { flowRuns, isOwnOf, runsUnderTest } from './runs';
import { isAt, standingOf } from './standing';

/** The entries that wait for a test, in order. */
export function waitingEntries(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  return queue.entries
    .filter((entry) => isAt(queue, entry, 'waiting') && mayBeTried(queue, entry, now))
    .filter((entry) => !waitsForHopes(queue, entry) && !queue.runs.some((run) => isOwnOf(run, entry)))
    .sort(comparePending);
}

/** It was red on something that is still tested: tested again when that is decided. */
export function waitsForHopes(queue: QueueSnapshot, entry: Entry): boolean {
  return standingOf(entry).until.some(
    (head) =>
      isUndone(queue, head) && runsUnderTest(queue).some((run) => run.flow.role !== 'check' && holds(run.own, head)),
  );
}

/** Urgent entries that a run of their own is due for, in the order of submission. */
export function urgentWaiting(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  return queue.entries
    .filter((entry) => entry.priority === URGENT && (isAt(queue, entry, 'waiting') || isAt(queue, entry, 'passed')))
    .filter((entry) => mayBeTried(queue, entry, now) && !waitsForHopes(queue, entry))
    .filter((entry) => !isTestedAsUrgent(queue, entry) && !clashesWithFirst(queue, entry))
    .filter((entry) => areNeedsMet(queue, entry, headsLanding(queue)))
    .sort((a, b) => a.submittedOrder - b.submittedOrder);
}

function isTestedAsUrgent(queue: QueueSnapshot, entry: Entry): boolean {
  const isWaiting = isAt(queue, entry, 'waiting');
  return flowRuns(queue).some((run) => (run.flow.isUrgent || isWaiting) && isOwnOf(run, entry));
}

/** With an urgent one that is tested, or with what is being landed. */
function clashesWithFirst(queue: QueueSnapshot, entry: Entry): boolean {
  const urgent = flowRuns(queue).flatMap((run) => (run.flow.isUrgent ? openEntries(queue, run.own) : []));
  const landing = openEntries(queue, headsLanding(queue));
  return [...urgent, ...landing].some((other) => doClash(entry, other));
}
