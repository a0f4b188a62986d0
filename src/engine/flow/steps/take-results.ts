import type { Entry, QueuedHead, QueueSnapshot } from '../../model';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { contentOf, hasLanded, isUndone, openEntries } from '../heads';
import { type FlowTestRun, flowRuns, isUnderTest } from '../runs';
import { backToFront, givenBack, isAt, nowPending, stands, suspected, suspectSets, thoseAt } from '../standing';
import { streakOf } from '../../flow-facts/streaks';
import { flowOf, standingOf } from '../../flow-facts/scheduling';

/** Takes the result of one run. A failed run makes its entries suspects, but fails no entry. */
export function takeResults(queue: QueueSnapshot, now: Instant): StepResult {
  for (const run of flowRuns(queue)) {
    if (run.phase === 'failed') return combine(ended(run, 'blamed', run.failure), afterRed(queue, run, now));
    if (run.phase !== 'passed') continue;
    if (run.own.length === 0) return ended(run, 'target_judged');
    const cleared = openEntries(queue, run.own).filter((entry) => standingOf(entry).redAlone !== null);
    if (cleared.length > 0) return changesOnly(...cleared.map((entry) => stands(entry, { redAlone: null })));
  }
  return NOTHING;
}

function afterRed(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  switch (run.flow.role) {
    case 'target':
      return redTarget(queue, run, now);
    case 'alone':
      return redAlone(queue, run, now);
    case 'check':
      return suspectedPassed(queue, thoseAt(queue, contentOf(run), 'passed'), now);
    case 'group':
    case 'half':
      return isOnFailedAssumption(queue, run) ? onFailedAssumption(queue, run, now) : accused(queue, run, now);
  }
}

/** After a failed test of the target, no entry is to blame: entries that failed in isolation are tested again. */
function redTarget(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  if (run.failure?.type !== 'status') return againAfterUndecided(queue, now);
  const blameless = queue.entries.filter((entry) => standingOf(entry).redAlone !== null);
  const anew = { redAlone: null, reds: 0, streaks: [] } as const;
  return combine(
    changesOnly(...blameless.map((entry) => stands(entry, anew))),
    nowPending(blameless, 'bisection_required', now),
  );
}

/**
 * After an undecided test of the target, an entry that failed in isolation once is tested again: its second failure
 * decides.
 */
function againAfterUndecided(queue: QueueSnapshot, now: Instant): StepResult {
  const once = queue.entries.filter((entry) => standingOf(entry).redAlone !== null && standingOf(entry).reds < 2);
  return combine(
    changesOnly(...once.map((entry) => stands(entry, { redAlone: null }))),
    nowPending(once, 'bisection_required', now),
  );
}

/**
 * Counts a failure in isolation, but only on the present target: on an older target, the entry stays a suspect and is
 * tested again.
 */
function redAlone(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  const [entry] = openEntries(queue, run.own);
  if (!entry || run.failure === null) return NOTHING;
  const { set } = standingOf(entry);
  const isSuspect = isAt(queue, entry, 'suspect');
  if (!isSuspect && !run.flow.isUrgent) return NOTHING;
  const accusation = isSuspect ? { set } : { set: -flowOf(queue).nextSet, index: 0 };
  const isFresh = run.base.epoch === queue.epoch && run.builtOn.every((head) => hasLanded(queue, head));
  if (!isFresh) return changesOnly(stands(entry, { at: 'suspect', ...accusation }));
  const { results, tested } = flowOf(queue);
  const streak = streakOf(queue, run);
  const { reds, streaks } = standingOf(entry);
  const red = {
    reds: reds + 1,
    streaks: streaks.includes(streak) ? streaks : [...streaks, streak].slice(-2),
    redAlone: { run: run.number, failure: run.failure, result: results, tested, streak },
  };
  return changesOnly(
    stands(entry, { at: 'suspect', ...accusation, ...red }),
    moved(entry, 'pending_failure', null, now, { run: run.number }),
  );
}

/** Whether an entry that the run assumed to pass is still undecided, or left. */
function isOnFailedAssumption(queue: QueueSnapshot, { flow: { assumed } }: FlowTestRun): boolean {
  return (
    openAssumptions(queue, assumed).length > 0 ||
    assumed.some((head) => !hasLanded(queue, head) && !isUndone(queue, head))
  );
}

function openAssumptions(queue: QueueSnapshot, assumed: readonly QueuedHead[]): readonly QueuedHead[] {
  const passed = new Set(thoseAt(queue, assumed, 'passed').map(({ id }) => id));
  return assumed.filter((head) => isUndone(queue, head) && !passed.has(head.entryId));
}

/**
 * The entries are tested again at once. An urgent entry first waits until its base is decided; otherwise two urgent
 * entries would be tested again for ever.
 */
function onFailedAssumption(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  const back = givenBack(queue, run, 'prerequisite_merge_item_failed', now);
  if (!run.flow.isUrgent) return back;
  const until = openAssumptions(queue, run.flow.assumed);
  const returned = new Set(thoseAt(queue, run.own, 'waiting').map(({ id }) => id));
  const waits = openEntries(queue, run.own).map((entry) =>
    stands(entry, returned.has(entry.id) ? { at: 'waiting', set: 0, redAlone: null, until } : { until }),
  );
  return combine(back, changesOnly(...waits));
}

/**
 * The run's own entries become suspects, except entries that another run still tests: its result decides about them. A
 * failed first half explains the failure of the set, and the rest is cleared. Without the optimization a failure
 * explains nothing: entries that failed together are tested together once more, and so is each half.
 */
function accused(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  const redWith = thoseAt(queue, run.builtOn, 'passed').map(({ id }) => id);
  const own = openEntries(queue, run.own).filter(
    (entry) =>
      !isUnderTest(queue, entry) &&
      (isAt(queue, entry, 'waiting') ||
        isAt(queue, entry, 'suspect') ||
        (run.flow.isUrgent && isAt(queue, entry, 'passed'))),
  );
  const isOptimized = queue.settings.optimizationMode !== 'off';
  if (run.flow.role === 'group') return suspected(queue, own, 'behind', now, { redWith, isWholeDue: !isOptimized });
  const set = suspectSets(queue).find(({ number }) => number === run.flow.set);
  const rest = set?.members.filter((entry) => isOptimized && !own.includes(entry)) ?? [];
  return combine(
    backToFront(queue, rest, 'prerequisite_merge_item_failed', now),
    suspected(queue, own, 'ahead', now, { redWith }),
  );
}

/**
 * Passed entries are in semantic conflict, so they become suspects and are bisected like any failed group. An entry
 * that another run tests is left out: as a suspect it would be in two runs.
 */
export function suspectedPassed(queue: QueueSnapshot, entries: readonly Entry[], now: Instant): StepResult {
  const suspects = entries.filter((entry) => isAt(queue, entry, 'passed') && !isUnderTest(queue, entry));
  return suspected(queue, suspects, 'ahead', now, { hasPassed: true });
}
