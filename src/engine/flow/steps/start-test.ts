import type { Entry, QueuedHead, QueueSnapshot } from '../../model';
import { mayStartTests } from '../../policy/slots';
import { NOTHING, type Step, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { contentOf, headNow, headsLanding, holds, isExact } from '../heads';
import { nextGroup } from '../next-group';
import { passedRuns } from '../next-landing';
import { owedEntry, ridersBeyondLanding } from '../riders';
import { begun, flowRuns, freeSlots, isOnItsWay, isUnderTest, runsUnderTest } from '../runs';
import { urgentBefore, urgentWaiting } from '../waiting';
import { startSuspects } from './start-suspects';
import { startTarget } from './start-target';

/**
 * Fills a free slot with the first of these:
 * - an urgent entry
 * - a test of the target, if verdicts need one
 * - suspects
 * - passed entries, up to one that too many landings did not include
 * - a group of waiting entries
 * - passed entries that no run under test would land
 */
export function startTest(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue) || freeSlots(queue) <= 0) return NOTHING;
  for (const start of IN_TURN) {
    const begins = start(queue, now);
    if (begins.changes.length > 0) return begins;
  }
  return NOTHING;
}

const IN_TURN: readonly Step[] = [startUrgent, startTarget, startSuspects, startOwed, startGroup, startCheck].map(
  (start, i): Step =>
    (queue, now) =>
      // While the target fails, only the target and urgent entries are tested.
      i > 1 && queue.flow?.redTarget ? NOTHING : start(queue, now),
);

/** In isolation on the target, or on the urgent entries that were submitted before it. */
function startUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  const [entry] = urgentWaiting(queue, now);
  if (!entry) return NOTHING;
  const before = urgentBefore(queue, entry);
  const landing = headsLanding(queue);
  const builtOn = [...landing, ...before.filter((head) => !holds(landing, head))];
  const role = before.length > 0 ? 'group' : 'alone';
  return begun(queue, { role, own: [entry], builtOn, assumed: before, isUrgent: true }, now);
}

/**
 * Tests together the passed entries that do not land yet, up to and including the first that too many landings left
 * out.
 */
function startOwed(queue: QueueSnapshot, now: Instant): StepResult {
  const owed = owedEntry(queue);
  if (owed === null || isOnItsWay(queue, headNow(owed)) || mayLandLater(queue, headNow(owed))) return NOTHING;
  const riders = ridersBeyondLanding(queue);
  return check(queue, riders.slice(0, riders.findIndex(({ id }) => id === owed.id) + 1), now);
}

/** A run with this change passed and waits for its turn, for example until a freeze or the hour of a limit ends. */
function mayLandLater(queue: QueueSnapshot, head: QueuedHead): boolean {
  return passedRuns(queue).some((run) => holds(contentOf(run), head) && isExact(queue, run));
}

function startGroup(queue: QueueSnapshot, now: Instant): StepResult {
  const group = nextGroup(queue, now);
  if (group === null || group.startsAt > now) return NOTHING;
  const { own, builtOn, assumed } = group;
  return begun(queue, { role: 'group', own, builtOn, assumed }, now);
}

/** No run under test would land the passed entries. */
function startCheck(queue: QueueSnapshot, now: Instant): StepResult {
  const riders = ridersBeyondLanding(queue);
  const isCarried = runsUnderTest(queue).length > 0 && riders.some((entry) => isOnItsWay(queue, headNow(entry)));
  if (isCarried || flowRuns(queue).some(({ phase }) => phase === 'passed')) return NOTHING;
  return isGroupComing(queue, now) ? NOTHING : check(queue, riders, now);
}

/** The next group takes the passed entries along: they need no run of their own meanwhile. */
function isGroupComing(queue: QueueSnapshot, now: Instant): boolean {
  const group = nextGroup(queue, now);
  return group !== null && group.startsAt > now;
}

/**
 * Tests the newest passed entry on the others. Not while a run tests that entry: a failure could make it a suspect only
 * after that result.
 */
function check(queue: QueueSnapshot, riders: readonly Entry[], now: Instant): StepResult {
  const last = riders.at(-1);
  if (!last || isUnderTest(queue, last)) return NOTHING;
  const builtOn = [...headsLanding(queue), ...riders.slice(0, -1).map(headNow)];
  return begun(queue, { role: 'check', own: [last], builtOn }, now);
}
