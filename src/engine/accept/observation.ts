import type { PullRequestSeen } from '../events';
import type { Entry, PullRequestFacts, QueueSnapshot } from '../model';
import { declaredNeeds, needsCarriedOver, needsFollowed } from './needs';
import { changesOnly, combine, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/** Drops observations that are older than the one the queue has. */
export function observed(queue: QueueSnapshot, seen: readonly PullRequestFacts[]): StepResult {
  const newer = seen.filter((facts) =>
    queue.entries.some((entry) => entry.number === facts.number && entry.pullRequest.seenAt <= facts.seenAt),
  );
  return changesOnly(
    ...newer.flatMap((facts) => [{ type: 'pullRequestObserved', facts } as const, ...declaredNeeds(queue, facts)]),
  );
}

/** What is not ready follows its head, if who pushed it may write. Any other new head ends the attempt: see the steps. */
export function seen(queue: QueueSnapshot, { facts, pusherMayWrite, ...known }: PullRequestSeen): StepResult {
  const newest = observed(queue, [facts]);
  const entry = queue.entries.find(({ number }) => number === facts.number);
  const isFollowed = newest.changes.length > 0 && pusherMayWrite && entry !== undefined;
  return isFollowed ? combine(newest, followedHead(queue, entry, facts, known)) : newest;
}

/** What is known of a new head. */
type KnownOfHead = Pick<PullRequestSeen, 'commits' | 'takesOff' | 'changedWorkflows'>;

/** The entry goes on with that head, if it is not ready. */
export function followedHead(
  queue: QueueSnapshot,
  entry: Entry,
  facts: PullRequestFacts,
  { commits, takesOff = [], changedWorkflows = [] }: KnownOfHead,
): StepResult {
  const { head } = facts;
  if (entry.state !== 'not_ready' || entry.head === head) return NOTHING;
  return changesOnly(
    {
      ...{ type: 'entryFollowedHead', entryId: entry.id, head },
      ...(takesOff.length > 0 && { takesOff }),
      ...(changedWorkflows.length > 0 && { changedWorkflows }),
    },
    ...needsFollowed(queue, entry, facts, commits),
    ...needsCarriedOver(queue, facts, commits),
  );
}

/** A pull request that the host no longer knows counts as closed. */
export function gone(queue: QueueSnapshot, number: number, seenAt: Instant): StepResult {
  const known = queue.entries.find((entry) => entry.number === number)?.pullRequest;
  return known ? observed(queue, [{ ...known, state: 'closed', seenAt }]) : NOTHING;
}
