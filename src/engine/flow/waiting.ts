import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { comparePending, mayBeTried } from '../policy/order';
import { isConcluded } from '../states';
import { type Instant, URGENT } from '../vocabulary';
import { headNow, headsLanding, holds, isUndone, openEntries } from './heads';
import { areNeedsMet, doClash, openNeeds } from './needs';
import { flowRuns, isOfDryRun, isOwnOf } from './runs';
import { isAt } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** The entries that wait for a test and can be tested now, in order. */
export function waitingEntries(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  return queue.entries
    .filter((entry) => isAt(queue, entry, 'waiting') && mayBeTried(queue, entry, now))
    .filter((entry) => !waitsForSpeculation(queue, entry) && !queue.runs.some((run) => isOwnOf(run, entry)))
    .sort(comparePending);
}

/**
 * Whether the entry failed on an undecided base and a run still tests that base: then the entry is tested again after
 * the run has ended.
 */
export function waitsForSpeculation(queue: QueueSnapshot, entry: Entry): boolean {
  const open = flowRuns(queue).filter(({ phase, flow }) => phase !== 'landing' && flow.role !== 'check');
  return standingOf(entry).until.some((head) => isUndone(queue, head) && open.some(({ own }) => holds(own, head)));
}

/** Urgent entries and their dependencies that are due for a run of their own, in the order of submission. */
export function urgentWaiting(queue: QueueSnapshot, now: Instant): readonly Entry[] {
  return urgentEntries(queue)
    .filter((entry) => isAt(queue, entry, 'waiting') || isAt(queue, entry, 'passed'))
    .filter((entry) => mayBeTried(queue, entry, now) && !waitsForSpeculation(queue, entry))
    .filter((entry) => !isTestedAsUrgent(queue, entry) && !clashesWithFirst(queue, entry))
    .filter((entry) => areNeedsMet(queue, entry, [...headsLanding(queue), ...urgentBefore(queue, entry)]))
    .sort((a, b) => a.submittedOrder - b.submittedOrder);
}

/** Urgent entries, and the dependencies of urgent entries. */
function urgentEntries(queue: QueueSnapshot): readonly Entry[] {
  const urgent = queue.entries.filter(({ priority, state }) => priority === URGENT && !isConcluded(state));
  const known = new Set(urgent);
  for (const entry of known) for (const needed of openNeeds(queue, entry)) known.add(needed);
  return [...known];
}

/**
 * The urgent entries under test that were submitted before this entry, in the order of submission: its run is built on
 * them. An entry is left out if one of its dependencies is not in front of it.
 */
export function urgentBefore(queue: QueueSnapshot, entry: Entry): readonly QueuedHead[] {
  const tested = flowRuns(queue).flatMap((run) => (run.flow.isUrgent && !isOfDryRun(queue, run) ? run.own : []));
  const earlier = queue.entries
    .filter((other) => holds(tested, headNow(other)) && other.submittedOrder < entry.submittedOrder)
    .filter((other) => isAt(queue, other, 'waiting') || isAt(queue, other, 'passed'))
    .sort((a, b) => a.submittedOrder - b.submittedOrder);
  const before: QueuedHead[] = [];
  for (const other of earlier)
    if (areNeedsMet(queue, other, [...headsLanding(queue), ...before])) before.push(headNow(other));
  return before;
}

function isTestedAsUrgent(queue: QueueSnapshot, entry: Entry): boolean {
  const isWaiting = isAt(queue, entry, 'waiting');
  return flowRuns(queue).some((run) => (run.flow.isUrgent || isWaiting) && isOwnOf(run, entry));
}

/** Whether the entry has a text conflict with an urgent entry under test, or with a change that is being landed. */
function clashesWithFirst(queue: QueueSnapshot, entry: Entry): boolean {
  const urgent = flowRuns(queue).flatMap((run) => (run.flow.isUrgent ? openEntries(queue, run.own) : []));
  const landing = openEntries(queue, headsLanding(queue));
  return [...urgent, ...landing].some((other) => doClash(entry, other));
}
