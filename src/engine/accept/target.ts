import type { QueueSnapshot, Tip } from '../model';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/**
 * A tip with a tree that the queue did not put there is a push from outside. While a landing is under way, the queue moves
 * the target itself: the tip is compared when the outcome is known, or at the next look.
 */
export function seeTarget(queue: QueueSnapshot, tip: Tip, seenAt: Instant): StepResult {
  if (queue.landing !== null) return NOTHING;
  if (queue.tipSeenAt !== null && seenAt < queue.tipSeenAt) return NOTHING;
  return moveTarget(queue, tip, seenAt);
}

export function moveTarget(queue: QueueSnapshot, tip: Tip, seenAt: Instant): StepResult {
  if (queue.tip?.commit === tip.commit) return NOTHING;
  const isSameTree = queue.tip?.tree === tip.tree;
  return changesOnly({ type: 'targetMoved', tip, seenAt, epochs: isSameTree || queue.tip === null ? 0 : 1 });
}
