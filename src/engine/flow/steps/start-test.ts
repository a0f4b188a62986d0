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
 * Fills a free slot: what is urgent, the target where its word is needed, suspects, what is owed a landing, a group of what waits,
 * and what passed beside others when nothing else would land it.
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
      // While the target is red nothing but the target and urgent entries is tested.
      i > 1 && queue.flow?.redTarget ? NOTHING : start(queue, now),
);

/** Alone on the target, or on the urgent ones that were submitted before it. */
function startUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  const [entry] = urgentWaiting(queue, now);
  if (!entry) return NOTHING;
  const before = urgentBefore(queue, entry);
  const landing = headsLanding(queue);
  const builtOn = [...landing, ...before.filter((head) => !holds(landing, head))];
  const role = before.length > 0 ? 'group' : 'alone';
  return begun(queue, { role, own: [entry], builtOn, hopes: before, isUrgent: true }, now);
}

/** Everything that passed, up to one that too many landings went without. */
function startOwed(queue: QueueSnapshot, now: Instant): StepResult {
  const owed = owedEntry(queue);
  if (owed === null || isOnItsWay(queue, headNow(owed)) || mayLandLater(queue, headNow(owed))) return NOTHING;
  const riders = ridersBeyondLanding(queue);
  return check(queue, riders.slice(0, riders.findIndex(({ id }) => id === owed.id) + 1), now);
}

/** A run that holds it passed, and waits for its turn: a freeze ends, or the hour of a limit. */
function mayLandLater(queue: QueueSnapshot, head: QueuedHead): boolean {
  return passedRuns(queue).some((run) => holds(contentOf(run), head) && isExact(queue, run));
}

function startGroup(queue: QueueSnapshot, now: Instant): StepResult {
  const group = nextGroup(queue, now);
  if (group === null || group.startsAt > now) return NOTHING;
  const { own, builtOn, hopes } = group;
  return begun(queue, { role: 'group', own, builtOn, hopes }, now);
}

/** Nothing under test would land what passed. */
function startCheck(queue: QueueSnapshot, now: Instant): StepResult {
  const riders = ridersBeyondLanding(queue);
  const isCarried = runsUnderTest(queue).length > 0 && riders.some((entry) => isOnItsWay(queue, headNow(entry)));
  if (isCarried || flowRuns(queue).some(({ phase }) => phase === 'passed')) return NOTHING;
  return isGroupComing(queue, now) ? NOTHING : check(queue, riders, now);
}

/** It takes what passed along: that does not force a run of its own meanwhile. */
function isGroupComing(queue: QueueSnapshot, now: Instant): boolean {
  const group = nextGroup(queue, now);
  return group !== null && group.startsAt > now;
}

/** The newest of them on the others. Not while a run tests that one: a red check could put it in doubt only after that result. */
function check(queue: QueueSnapshot, riders: readonly Entry[], now: Instant): StepResult {
  const last = riders.at(-1);
  if (!last || isUnderTest(queue, last)) return NOTHING;
  const builtOn = [...headsLanding(queue), ...riders.slice(0, -1).map(headNow)];
  return begun(queue, { role: 'check', own: [last], builtOn }, now);
}
