import type { Entry, Landing, QueueSnapshot } from '../../model';
import { landedBefore } from '../../policy/freeze';
import { combine, changesOnly, ended, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { contentOf, entryOfId, headNow, holds, isExact, isSame, isUndone, openEntries } from '../heads';
import { nextFlowLanding, passedRuns } from '../next-landing';
import { owedEntry } from '../riders';
import { type FlowTestRun, isOnItsWay, urgentUnderTest } from '../runs';
import { backToFront, isAt, passedBeside, stands, thoseAt } from '../standing';
import { suspectedPassed } from './take-results';
import { flowOf, standingOf } from '../../flow-facts/scheduling';

/**
 * Lands a run that passed, with all its content, in one move: the target then has the tested tree. If the run can no
 * longer land so, its own entries await a combined test, and later runs include them.
 */
export function settlePassedRuns(queue: QueueSnapshot, now: Instant): StepResult {
  if (queue.landing !== null) return NOTHING;
  const next = nextFlowLanding(queue, now);
  for (const run of passedRuns(queue)) {
    const mayLand = isExact(queue, run) && hasMoreToLand(queue, run) && !isBarred(queue, run);
    if (!mayLand) return besideOthers(queue, run, now);
    if (next?.run === run && next.from <= now) return landing(queue, run, now);
  }
  return NOTHING;
}

/** Whether a change of the run has not landed yet. False if other runs have landed all of them meanwhile. */
function hasMoreToLand(queue: QueueSnapshot, run: FlowTestRun): boolean {
  return contentOf(run).some((head) => isUndone(queue, head));
}

/**
 * Whether the run must not land: its landing would make an urgent entry be tested again, or it would leave out the owed
 * entry once more.
 */
function isBarred(queue: QueueSnapshot, run: FlowTestRun): boolean {
  const content = contentOf(run);
  const isUrgentPassedOver = urgentUnderTest(queue).some(
    (urgent) =>
      urgent !== run &&
      urgent.own.some((head) => isUndone(queue, head) && !holds(content, head)) &&
      !isBeginningOf(queue, run, urgent),
  );
  if (isUrgentPassedOver) return true;
  const owed = owedEntry(queue);
  if (owed === null || run.flow.isUrgent || holds(content, headNow(owed))) return false;
  return isOnItsWay(queue, headNow(owed));
}

/**
 * Whether the changes of the run that have not landed are the first changes of the other run, so that the other run
 * could still land after it.
 */
function isBeginningOf(queue: QueueSnapshot, run: FlowTestRun, other: FlowTestRun): boolean {
  const [first, whole] = [run, other].map((one) => contentOf(one).filter((head) => isUndone(queue, head)));
  return first!.every((head, i) => whole![i] !== undefined && isSame(whole![i], head));
}

function landing(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  const { tip } = queue;
  if (tip === null || run.commit === null) return NOTHING;
  const changes = contentOf(run).filter((head) => isUndone(queue, head));
  const order: Landing = {
    number: queue.nextLanding,
    runs: [run.number],
    changes,
    expectedTip: tip,
    orderedAt: now,
  };
  const landingNow = openEntries(queue, changes);
  const others = passedBeside(queue).filter((entry) => !landingNow.includes(entry));
  return {
    changes: [
      { type: 'landingOrdered', landing: order },
      ...asPassed(queue, landingNow),
      ...others.map((entry) => stands(entry, { rides: standingOf(entry).rides + 1 })),
    ],
    commands: [
      {
        type: 'landRun',
        landing: order.number,
        runs: order.runs,
        changes,
        expectedTip: tip,
        testedCommit: run.commit,
        ...(run.reused ? {} : { reportedStatuses: run.requiredStatuses }),
        testedTree: run.tree,
        direct: null,
        mergeMethod: run.mergeMethod,
        orderedAt: now,
        ...landedBefore(queue, landingNow, now),
      },
    ],
  };
}

/**
 * Gives the entries of a landing the standing `passed`: if the landing is refused, the entries that are not affected
 * await a combined test.
 */
function asPassed(queue: QueueSnapshot, entries: readonly Entry[]) {
  const { nextPassed } = flowOf(queue);
  const standing = { at: 'passed', set: 0, redAlone: null, rides: 0 } as const;
  return entries.map((entry, i) =>
    isAt(queue, entry, 'passed') ? stands(entry, standing) : stands(entry, { ...standing, passedAs: nextPassed + i }),
  );
}

/**
 * The run's own entries await a combined test, so every later run includes them. If an entry passed in isolation after
 * it had failed on top of passed entries, those passed entries become suspects.
 */
function besideOthers(queue: QueueSnapshot, run: FlowTestRun, now: Instant): StepResult {
  const { nextPassed } = flowOf(queue);
  const own = thoseAt(queue, run.own, 'waiting', 'suspect');
  const standing = { at: 'passed', set: 0, redAlone: null, hasPassed: true } as const;
  const passed = own.map((entry, i) => stands(entry, { ...standing, passedAs: nextPassed + i }));
  const [only] = own;
  if (run.flow.role !== 'alone' || !only) return combine(ended(run, 'search_answered'), changesOnly(...passed));
  return combine(ended(run, 'search_answered'), cleared(queue, only, nextPassed, now));
}

function cleared(queue: QueueSnapshot, entry: Entry, passedAs: number, now: Instant): StepResult {
  const { redWith } = standingOf(entry);
  const others = redWith.flatMap((id) => (id === entry.id ? [] : (entryOfId(queue, id) ?? [])));
  const suspicion = suspectedPassed(queue, others, now);
  const isSuspicious = suspicion.changes.length > 0;
  const standing = { at: isSuspicious ? 'waiting' : 'passed', set: 0, redAlone: null, reds: 0, redWith: [] } as const;
  const cleared = { ...entry, flow: { ...standingOf(entry), ...standing, passedAs, hasPassed: true } };
  const back = isSuspicious ? backToFront(queue, [cleared], 'bisection_test_run_passed', now) : changesOnly();
  return combine(changesOnly(stands(cleared, {})), suspicion, back);
}
