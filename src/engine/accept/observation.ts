import type { PullRequestFacts, QueueSnapshot } from '../model';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/** Drops observations that are older than the one the queue has. */
export function observed(queue: QueueSnapshot, seen: readonly PullRequestFacts[]): StepResult {
  const newer = seen.filter((facts) =>
    queue.entries.some((entry) => entry.number === facts.number && entry.pullRequest.seenAt <= facts.seenAt),
  );
  return changesOnly(...newer.map((facts) => ({ type: 'pullRequestObserved', facts }) as const));
}

/** A pull request that the host no longer knows counts as closed. */
export function gone(queue: QueueSnapshot, number: number, seenAt: Instant): StepResult {
  const known = queue.entries.find((entry) => entry.number === number)?.pullRequest;
  return known ? observed(queue, [{ ...known, state: 'closed', seenAt }]) : NOTHING;
}
