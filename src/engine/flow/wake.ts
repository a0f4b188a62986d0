import type { QueueSnapshot } from '../model';
import { mayStartTests } from '../policy/slots';
import type { Instant } from '../vocabulary';
import { nextGroup } from './next-group';
import { freeSlots } from './runs';
import { flowOf } from '../flow-facts/scheduling';
import { waitingEntries } from './waiting';
import { isAnybodyReady } from '../policy/readiness';

/**
 * The times at which a run starts without an event: a group that waited for more members, or the next test of a failing
 * target.
 */
export function flowMoments(queue: QueueSnapshot, now: Instant): readonly Instant[] {
  if (!mayStartTests(queue) || freeSlots(queue) <= 0) return [];
  const { redTarget } = flowOf(queue);
  if (redTarget) return redTarget.againAt > now && isAnybodyReady(queue) ? [redTarget.againAt] : [];
  const group = nextGroup(queue, now);
  return group !== null && group.startsAt > now ? [group.startsAt] : [];
}

/** Whether a slot is free, entries wait outside the snapshot, and no entry in the snapshot waits. */
export function flowWantsMore(queue: QueueSnapshot, now: Instant): boolean {
  if (!queue.moreToLoad.waiting || !mayStartTests(queue) || flowOf(queue).redTarget) return false;
  return freeSlots(queue) > 0 && waitingEntries(queue, now).length === 0;
}
