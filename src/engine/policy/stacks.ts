import type { Entry, QueueSnapshot } from '../model';
import { isAssumedToPass } from './assumed-to-pass';
import { isBeingLanded, lineOf, queuedHeadOf, queuedHeadsOf } from './line';
import { areNeedsAmong } from './needs';

/**
 * The number of members that these entries are in a batch. Layers of one stack of the host count as one member, because
 * they merge by one operation.
 */
export function countMembers(entries: readonly Entry[]): number {
  const stacks = new Set(entries.flatMap(({ pullRequest }) => pullRequest.stack?.number ?? []));
  return stacks.size + entries.filter(({ pullRequest }) => pullRequest.stack === undefined).length;
}

/**
 * The index at which the entry joins `entries`: directly behind the last layer of its stack. Null if no other layer of
 * its stack is there.
 */
export function placeInStack(entries: readonly Entry[], { pullRequest }: Entry): number | null {
  const { stack } = pullRequest;
  if (stack === undefined) return null;
  const last = entries.findLastIndex((other) => other.pullRequest.stack?.number === stack.number);
  return last < 0 ? null : last + 1;
}

/**
 * The same entries, with the layers of each stack sorted from the lowest to the highest, because they may have been
 * submitted in another order.
 */
export function inLayers(entries: readonly Entry[]): readonly Entry[] {
  const heightOf = ({ pullRequest }: Entry): number => pullRequest.stack?.below.length ?? 0;
  const layers = entries.filter(({ pullRequest }) => pullRequest.stack !== undefined);
  if (layers.length < 2) return entries;
  const fromBelow = layers.toSorted((a, b) => heightOf(a) - heightOf(b));
  return entries.map((entry) => {
    const at = fromBelow.findIndex((one) => one.pullRequest.stack?.number === entry.pullRequest.stack?.number);
    return entry.pullRequest.stack === undefined ? entry : fromBelow.splice(at, 1)[0]!;
  });
}

/** Whether each dependency of the entry has landed, stands in the line, or is one of the entries `before`. */
export function canFollow(queue: QueueSnapshot, entry: Entry, before: readonly Entry[]): boolean {
  if (entry.needs === undefined) return true;
  const inLine = lineOf(queue)
    .filter((group) => isAssumedToPass(queue, group))
    .flatMap(queuedHeadsOf);
  return areNeedsAmong(queue, entry, [...inLine, ...before.map(queuedHeadOf)]);
}

/**
 * Whether a part of the entry's stack is being landed. The host may have rewritten the entry's head already, with
 * commits that the queue does not know yet, so its next test waits for the outcome of the landing.
 */
export function isStackLanding(queue: QueueSnapshot, entry: Entry): boolean {
  const { stack } = entry.pullRequest;
  if (stack === undefined || queue.landing === null) return false;
  return queue.entries.some((other) => other.pullRequest.stack?.number === stack.number && isBeingLanded(queue, other));
}

/**
 * Whether the host shows another head than the tested one. The host may have rewritten the head when it merged a layer
 * below: until the queue knows that, the entry is neither tested nor merged.
 */
export function isHeadUnclear({ head, pullRequest }: Entry): boolean {
  return pullRequest.head !== head;
}
