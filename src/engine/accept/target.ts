import type { QueueSnapshot, Tip } from '../model';
import type { TargetSighting } from '../events';
import { changesOnly, combine, moved, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/**
 * If the queue did not put the tip's tree on the target, somebody pushed from outside. While a landing is under way,
 * the queue moves the target itself: the tip is compared when the outcome of the landing is known, or at the next look.
 */
export function seeTarget(queue: QueueSnapshot, tip: Tip, seenAt: Instant): StepResult {
  if (queue.landing !== null) return NOTHING;
  if (queue.tipSeenAt !== null && seenAt < queue.tipSeenAt) return NOTHING;
  return moveTarget(queue, tip, seenAt);
}

/** Does the same as `seeTarget`, and cancels merged entries that the target's history no longer contains. */
export function seeTargetAnew(queue: QueueSnapshot, { tip, seenAt, lost = [] }: TargetSighting): StepResult {
  const isOlder = queue.landing !== null || (queue.tipSeenAt !== null && seenAt < queue.tipSeenAt);
  if (isOlder) return NOTHING;
  const gone = queue.entries.filter(
    (entry) =>
      entry.state === 'merged' && lost.some(({ entryId, head }) => entryId === entry.id && head === entry.head),
  );
  const left = gone.map((entry) => moved(entry, 'cancelled', 'target_set_back', seenAt));
  return combine(moveTarget(queue, tip, seenAt), changesOnly(...left));
}

export function moveTarget(queue: QueueSnapshot, tip: Tip, seenAt: Instant): StepResult {
  if (queue.tip?.commit === tip.commit) return NOTHING;
  const isSameTree = queue.tip?.tree === tip.tree;
  return changesOnly({ type: 'targetMoved', tip, seenAt, epochs: isSameTree || queue.tip === null ? 0 : 1 });
}
