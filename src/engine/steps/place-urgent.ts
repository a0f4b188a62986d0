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
 * Moves an urgent entry to the head at once, behind groups that are being landed and behind earlier urgent entries. The
 * entry is tested alone, or with the waiting layers of its stack. The overtaken groups are no longer on their base.
 * Nothing is interrupted while no test may start. Waiting dependencies of the entry go to the head before it. If a
 * dependency is in the line, it keeps its place, and the urgent entry comes directly behind it.
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
 * The first entry to move to the head: a waiting dependency of the urgent entry, which may have dependencies itself, or
 * else the urgent entry.
 */
function firstToPlace(waiting: readonly Entry[], entry: Entry): Entry {
  const needed = waiting.find(({ number }) => doesNeed(entry, number));
  return needed ? firstToPlace(waiting, needed) : entry;
}

/** The waiting layers of the entry's stack, up to the highest urgent layer. */
function upTo(waiting: readonly Entry[], { pullRequest: { stack } }: Entry): readonly Entry[] {
  const ofStack = waiting.filter(({ pullRequest }) => pullRequest.stack?.number === stack?.number);
  return ofStack.slice(0, 1 + ofStack.findLastIndex(({ priority }) => priority === URGENT));
}

function goesBefore(line: readonly Group[], group: Group, entry: Entry): boolean {
  if (isLanding(group) || group.entries.some(({ number }) => doesNeed(entry, number))) return true;
  return isAtHead(line, group);
}

/** Whether the group has an urgent entry that does not stand behind a dependency that is not urgent. */
function isAtHead(line: readonly Group[], { entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine && !line.some((other) => keepsBehind(other, entry)));
}

function keepsBehind(group: Group, entry: Entry): boolean {
  return !isLanding(group) && group.entries.some((other) => !other.urgentInLine && doesNeed(entry, other.number));
}

function doesNeed({ needs = [] }: Entry, number: number): boolean {
  return needs.some((need) => need.number === number);
}
