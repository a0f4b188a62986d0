import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { hasNeedLanded, openNeed } from '../policy/needs';
import { isConcluded } from '../states';
import { entryOfId, headsLanding, holds, headNow } from './heads';
import { isAt } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** Whether the dependencies of the entry are on the target, or among `heads`. */
export function areNeedsMet(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): boolean {
  return (entry.needs ?? []).every((need) => {
    if (hasNeedLanded(queue, need)) return true;
    const needed = openNeed(queue, need);
    return needed !== null && holds(heads, headNow(needed));
  });
}

/** The dependencies that are still in the queue. */
export function openNeeds(queue: QueueSnapshot, { needs = [] }: Entry): readonly Entry[] {
  return needs.flatMap((need) => openNeed(queue, need) ?? []);
}

/**
 * Whether the two entries have a text conflict. Of two entries in conflict, runs include the entry that passed first,
 * and the urgent entry that was submitted first is tested.
 */
export function doClash(one: Entry, other: Entry): boolean {
  return standingOf(one).clashes.includes(other.id) || standingOf(other).clashes.includes(one.id);
}

/**
 * Whether the entry may be tested on top of `heads`: each of its dependencies has landed or is in `heads`, no change in
 * `heads` has a text conflict with the entry, and no entry with such a conflict has passed or is being landed.
 */
export function isReadyFor(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): boolean {
  if (!areNeedsMet(queue, entry, heads)) return false;
  return standingOf(entry).clashes.every((id) => {
    const other = entryOfId(queue, id);
    if (other === null || isConcluded(other.state)) return true;
    if (heads.some(({ entryId }) => entryId === id)) return false;
    return !isAt(queue, other, 'passed') && !headsLanding(queue).some(({ entryId }) => entryId === id);
  });
}
