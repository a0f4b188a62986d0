import type { Entry, QueueSnapshot } from '../../model';
import { mayBeTried } from '../../policy/order';
import { changesOnly, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { headNow, headsLanding } from '../heads';
import { areNeedsMet, isReadyFor } from '../needs';
import { ridersBeyondLanding } from '../riders';
import { begun, flowRuns, freeSlots } from '../runs';
import { backToFront, stands, type SuspectSet, suspectSets } from '../standing';
import { groupSize } from '../next-group';
import { waitingEntries } from '../waiting';
import { flowOf, standingOf } from '../../flow-facts/scheduling';

/** The largest suspect set whose members are each tested in isolation at once. */
const EAGER_UP_TO = 8;

/**
 * A single suspect is tested in isolation on the bare target. Of a larger set, the first half is tested, or each
 * suspect in isolation while slots are idle. Without the optimization, the whole set is tested once more, and then each
 * half.
 */
export function startSuspects(queue: QueueSnapshot, now: Instant): StepResult {
  for (const set of suspectSets(queue)) {
    if (flowRuns(queue).some((run) => run.flow.set === set.number)) continue;
    if (!set.members.every((entry) => mayBeTried(queue, entry, now))) continue;
    const begins = set.members.length === 1 ? alone(queue, set, now) : partOf(queue, set, now);
    if (begins.changes.length > 0) return begins;
  }
  return NOTHING;
}

/**
 * Tests the only suspect of a set in isolation, but not while a landing is about to move the target or the target
 * itself is tested.
 */
function alone(queue: QueueSnapshot, { number, members }: SuspectSet, now: Instant): StepResult {
  const [entry] = members;
  if (!entry || standingOf(entry).redAlone !== null || queue.landing !== null) return NOTHING;
  if (flowRuns(queue).some(({ flow }) => flow.role === 'target') || !areNeedsMet(queue, entry, [])) return NOTHING;
  return begun(queue, { role: 'alone', own: [entry], builtOn: [], set: number }, now);
}

function partOf(queue: QueueSnapshot, set: SuspectSet, now: Instant): StepResult {
  const { members } = set;
  if (queue.settings.optimizationMode === 'off') {
    const isWholeDue = members.some((entry) => standingOf(entry).isWholeDue);
    return isWholeDue ? together(queue, set, members, now) : divided(queue, set);
  }
  if (members.length <= Math.min(EAGER_UP_TO, idleSlots(queue, now))) return eachAlone(queue, set);
  return together(queue, set, firstHalf(members), now);
}

function firstHalf(members: readonly Entry[]): readonly Entry[] {
  return members.slice(0, Math.ceil(members.length / 2));
}

/**
 * Tests these suspects together on top of passed entries, in the order of the set. If none of them can be tested so,
 * they go back to the front of the waiting entries.
 */
function together(queue: QueueSnapshot, { number }: SuspectSet, first: readonly Entry[], now: Instant): StepResult {
  const landing = headsLanding(queue);
  const riders = ridersBeyondLanding(queue).map(headNow);
  const content = [...landing, ...riders, ...first.map(headNow)];
  const half = first.filter((entry) => isReadyFor(queue, entry, content));
  if (half.length === 0) return backToFront(queue, first, 'bisection_required', now);
  const builtOn = [...landing, ...riders.filter((head) => !half.some(({ id }) => id === head.entryId))];
  return begun(queue, { role: 'half', own: half, builtOn, set: number }, now);
}

/** Divides the set into two sets, each of which is then tested as a whole. */
function divided(queue: QueueSnapshot, { members }: SuspectSet): StepResult {
  const { nextSet } = flowOf(queue);
  const first = firstHalf(members);
  const changes = members.map((entry, index) =>
    stands(entry, { set: first.includes(entry) ? -(nextSet + 1) : -nextSet, index, isWholeDue: true }),
  );
  return changesOnly(...changes);
}

/** The number of slots that remain free if all waiting entries start in groups. */
function idleSlots(queue: QueueSnapshot, now: Instant): number {
  return freeSlots(queue) - Math.ceil(waitingEntries(queue, now).length / groupSize(queue));
}

function eachAlone(queue: QueueSnapshot, { members }: SuspectSet): StepResult {
  const { nextSet } = flowOf(queue);
  const changes = members.map((entry, i) => stands(entry, { set: -(nextSet + members.length - i), index: 0 }));
  return changesOnly(...changes);
}
