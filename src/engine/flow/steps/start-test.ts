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
 * - passed entries, up to and including the entry that too many landings left out
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

/**
 * Tests an urgent entry: in isolation on the target, or on top of the urgent entries under test that were submitted
 * before it.
 */
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
 * Tests the passed entries together, up to and including the entry that too many landings left out, if no run would
 * land that entry.
 */
function startOwed(queue: QueueSnapshot, now: Instant): StepResult {
  const owed = owedEntry(queue);
  if (owed === null || isOnItsWay(queue, headNow(owed)) || mayLandLater(queue, headNow(owed))) return NOTHING;
  const riders = ridersBeyondLanding(queue);
  return check(queue, riders.slice(0, riders.findIndex(({ id }) => id === owed.id) + 1), now);
}

/**
 * Whether a passed run with this change waits to land, for example for the end of a freeze or of the hour of
 * `maxMergesPerHour`.
 */
function mayLandLater(queue: QueueSnapshot, head: QueuedHead): boolean {
  return passedRuns(queue).some((run) => holds(contentOf(run), head) && isExact(queue, run));
}

function startGroup(queue: QueueSnapshot, now: Instant): StepResult {
  const group = nextGroup(queue, now);
  if (group === null || group.startsAt > now) return NOTHING;
  const { own, builtOn, assumed } = group;
  return begun(queue, { role: 'group', own, builtOn, assumed }, now);
}

/** Tests the passed entries together, if no run under test would land one of them. */
function startCheck(queue: QueueSnapshot, now: Instant): StepResult {
  const riders = ridersBeyondLanding(queue);
  const isCarried = runsUnderTest(queue).length > 0 && riders.some((entry) => isOnItsWay(queue, headNow(entry)));
  if (isCarried || flowRuns(queue).some(({ phase }) => phase === 'passed')) return NOTHING;
  return isGroupComing(queue, now) ? NOTHING : check(queue, riders, now);
}

/**
 * Whether a group waits for members. The run of this group will include the passed entries, so the passed entries need
 * no run of their own meanwhile.
 */
function isGroupComing(queue: QueueSnapshot, now: Instant): boolean {
  const group = nextGroup(queue, now);
  return group !== null && group.startsAt > now;
}

/**
 * Tests the newest of these passed entries on top of the others, but not while another run tests that entry: after a
 * failure, it could become a suspect only when the other run has its result.
 */
function check(queue: QueueSnapshot, riders: readonly Entry[], now: Instant): StepResult {
  const last = riders.at(-1);
  if (!last || isUnderTest(queue, last)) return NOTHING;
  const builtOn = [...headsLanding(queue), ...riders.slice(0, -1).map(headNow)];
  return begun(queue, { role: 'check', own: [last], builtOn }, now);
}
