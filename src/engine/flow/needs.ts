import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { hasNeedLanded, openNeed } from '../policy/needs';
import { isConcluded } from '../states';
import { entryOfId, headsLanding, holds, headNow } from './heads';
import { isAt } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** What it needs is on the target, or among these ahead of it. */
export function areNeedsMet(queue: QueueSnapshot, entry: Entry, heads: readonly QueuedHead[]): boolean {
  return (entry.needs ?? []).every((need) => {
    if (hasNeedLanded(queue, need)) return true;
    const needed = openNeed(queue, need);
    return needed !== null && holds(heads, headNow(needed));
  });
}

/** What it needs and is still in the queue. */
export function openNeeds(queue: QueueSnapshot, { needs = [] }: Entry): readonly Entry[] {
  return needs.flatMap((need) => openNeed(queue, need) ?? []);
}

/** Found to conflict in the text. Of two that passed the earlier one rides, of two urgent ones the earlier one is tested. */
export function doClash(one: Entry, other: Entry): boolean {
  return standingOf(one).clashes.includes(other.id) || standingOf(other).clashes.includes(one.id);
}

/**
 * Whether it may be tested on top of these: all that it needs landed or is there, nothing there conflicts with it in the text,
 * and nothing that does has passed and will land first.
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
