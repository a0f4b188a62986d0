import type { LandingRefusal } from '../events';
import type { QueueSnapshot } from '../model';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';
import { observed } from './observation';
import { moveTarget } from './target';

/** Facts about the target or a pull request that the refused landing found. The steps derive the consequences. */
export function seenBy(queue: QueueSnapshot, because: LandingRefusal, now: Instant): StepResult {
  switch (because.type) {
    case 'target_moved':
      return moveTarget(queue, because.tip, because.seenAt);
    case 'pull_request_changed':
      return observed(queue, [because.facts]);
    case 'not_yet':
      return putOff(queue, because.number, because.why, now);
    default:
      return NOTHING;
  }
}

/** The entry lands when a later look at the pull request does not find this demand. */
function putOff(queue: QueueSnapshot, number: number, words: string, now: Instant): StepResult {
  const known = queue.entries.find((entry) => entry.number === number)?.pullRequest;
  if (known === undefined) return NOTHING;
  const facts = {
    ...known,
    unmet: [{ words, isPending: true, isRunning: true }],
    seenAt: Math.max(known.seenAt, now),
  } as const;
  return changesOnly({ type: 'pullRequestObserved', facts });
}
