import type { Change } from '../changes';
import type { Entry, QueueSnapshot } from '../model';
import { withItsStack } from '../policy/batches';
import { type Group, isLanding, lineOf } from '../policy/line';
import { waitingOutside } from '../policy/order';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { placed } from '../policy/places';
import { mayStartTests } from '../policy/slots';
import { type Instant, URGENT } from '../vocabulary';

/**
 * An urgent entry goes to the head at once, behind groups that are being landed and behind earlier urgent entries. It
 * runs alone, or with the waiting layers of its stack. The overtaken groups are no longer on their base. Nothing is
 * interrupted while no test may start. Its dependencies are raised with it: waiting ones go to the head before it,
 * those in the line keep their place, with the urgent entry directly behind.
 */
export function placeUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue)) return NOTHING;
  const waiting = waitingOutside(queue, now);
  const raised = waiting.find(({ priority }) => priority === URGENT);
  if (!raised) return NOTHING;
  const entry = firstToPlace(waiting, raised);
  const line = lineOf(queue);
  const at = 1 + line.findLastIndex((group) => goesBefore(line, group, entry));
  const raisedWith = withItsStack(queue, entry, upTo(waiting, raised)).map((one) => ({ ...one, urgentInLine: true }));
  const urgent: Group = { place: 0, entries: raisedWith, run: null };
  const change: Change = {
    type: 'entriesPlaced',
    places: placed(queue, [urgent, ...line.slice(at)]),
    because: 'urgent',
  };
  return changesOnly(change);
}

/**
 * An urgent waiting entry, or else a waiting dependency of it: waiting entries are in the order of their dependencies.
 */
function firstToPlace(waiting: readonly Entry[], entry: Entry): Entry {
  const needed = waiting.find(({ number }) => doesNeed(entry, number));
  return needed ? firstToPlace(waiting, needed) : entry;
}

/** Without layers of its stack above the highest urgent one. */
function upTo(waiting: readonly Entry[], { pullRequest: { stack } }: Entry): readonly Entry[] {
  const ofStack = waiting.filter(({ pullRequest }) => pullRequest.stack?.number === stack?.number);
  return ofStack.slice(0, 1 + ofStack.findLastIndex(({ priority }) => priority === URGENT));
}

function goesBefore(line: readonly Group[], group: Group, entry: Entry): boolean {
  if (isLanding(group) || group.entries.some(({ number }) => doesNeed(entry, number))) return true;
  return isAtHead(line, group);
}

/** Whether it is urgent, and not in its place for an entry that is not urgent. */
function isAtHead(line: readonly Group[], { entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine && !line.some((other) => keepsBehind(other, entry)));
}

function keepsBehind(group: Group, entry: Entry): boolean {
  return !isLanding(group) && group.entries.some((other) => !other.urgentInLine && doesNeed(entry, other.number));
}

function doesNeed({ needs = [] }: Entry, number: number): boolean {
  return needs.some((need) => need.number === number);
}
