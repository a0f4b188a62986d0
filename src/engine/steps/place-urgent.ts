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
 * An urgent entry goes to the head at once, behind what is being landed and behind urgent ones before it, and runs
 * alone, or with the layers of its stack that wait. What it overtakes is no longer on its base. Nothing is interrupted while no test may start. What it needs is raised with
 * it: what waits goes to the head before it, and what is in the line keeps its place, with the urgent one directly behind it.
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

/** An urgent one that waits, or else what waits and has to stand ahead of it: those that wait are in the order of their needs. */
function firstToPlace(waiting: readonly Entry[], entry: Entry): Entry {
  const needed = waiting.find(({ number }) => doesNeed(entry, number));
  return needed ? firstToPlace(waiting, needed) : entry;
}

/** Without layers of its stack above the highest one that is urgent. */
function upTo(waiting: readonly Entry[], { pullRequest: { stack } }: Entry): readonly Entry[] {
  const ofStack = waiting.filter(({ pullRequest }) => pullRequest.stack?.number === stack?.number);
  return ofStack.slice(0, 1 + ofStack.findLastIndex(({ priority }) => priority === URGENT));
}

function goesBefore(line: readonly Group[], group: Group, entry: Entry): boolean {
  if (isLanding(group) || group.entries.some(({ number }) => doesNeed(entry, number))) return true;
  return isAtHead(line, group);
}

/** Urgent, and not in its place for the sake of something that is not. */
function isAtHead(line: readonly Group[], { entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine && !line.some((other) => keepsBehind(other, entry)));
}

function keepsBehind(group: Group, entry: Entry): boolean {
  return !isLanding(group) && group.entries.some((other) => !other.urgentInLine && doesNeed(entry, other.number));
}

function doesNeed({ needs = [] }: Entry, number: number): boolean {
  return needs.some((need) => need.number === number);
}
