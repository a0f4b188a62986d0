import type { PullRequestSeen } from '../events';
import type { Change } from '../changes';
import { nowPending } from '../flow/standing';
import type { Entry, PullRequestFacts, QueueSnapshot } from '../model';
import { isBeingLanded } from '../policy/line';
import { isConcluded } from '../states';
import { followPullRequest } from '../steps/follow-pull-requests';
import { releaseMembers } from '../steps/release-members';
import { declaredNeeds, needsCarriedOver, needsFollowed, needsOfRewritten } from './needs';
import { changesOnly, combine, moved, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';
import { isFlow } from '../flow-facts/scheduling';

/** Drops an observation of a pull request that is older than the stored one. */
export function observed(queue: QueueSnapshot, seen: readonly PullRequestFacts[]): StepResult {
  const newer = seen.filter((facts) =>
    queue.entries.some((entry) => entry.number === facts.number && entry.pullRequest.seenAt <= facts.seenAt),
  );
  return changesOnly(
    ...newer.flatMap((facts) => [{ type: 'pullRequestObserved', facts } as const, ...declaredNeeds(queue, facts)]),
  );
}

/**
 * An entry that is not ready adopts a new head, if the author of the push may write. A head that the host rewrote
 * replaces the earlier head. Any other new head ends the attempt: see `follow-pull-requests`.
 */
export function seen(
  queue: QueueSnapshot,
  { facts, pusherMayWrite, isRewritten, ...known }: PullRequestSeen,
  now: Instant,
): StepResult {
  const newest = observed(queue, [facts]);
  const entry = queue.entries.find(({ number }) => number === facts.number);
  if (newest.changes.length === 0 || entry === undefined) return newest;
  if (entry.state === 'not_ready')
    return pusherMayWrite ? combine(newest, followedHead(queue, entry, facts, known)) : newest;
  if (isConcluded(entry.state) || entry.head === facts.head || isBeingLanded(queue, entry)) return newest;
  if (isRewritten) return combine(newest, rewritten(queue, entry, facts, known, now));
  return combine(newest, followPullRequest(queue, { ...entry, pullRequest: facts }, now, 'somebody'));
}

/** The entry is tested again, in its place. The entries above this entry in its stack depend on the new head. */
function rewritten(
  queue: QueueSnapshot,
  entry: Entry,
  facts: PullRequestFacts,
  known: KnownOfHead,
  now: Instant,
): StepResult {
  const again = isFlow(queue) || entry.state === 'pending' ? [] : [moved(entry, 'pending', 'rebuild_required', now)];
  return combine(
    releaseMembers(queue, entry, 'rebuild_required', now),
    isFlow(queue) ? nowPending([entry], 'rebuild_required', now) : changesOnly(...again),
    changesOnly(...withNewHead(queue, entry, facts, known), ...needsOfRewritten(queue, entry, facts.head)),
  );
}

/** The known facts about a new head. */
type KnownOfHead = Pick<PullRequestSeen, 'commits' | 'takesOff' | 'changedWorkflows'>;

/** The entry adopts the head of `facts`, if the entry is not ready. */
export function followedHead(
  queue: QueueSnapshot,
  entry: Entry,
  facts: PullRequestFacts,
  known: KnownOfHead,
): StepResult {
  if (entry.state !== 'not_ready' || entry.head === facts.head) return NOTHING;
  return changesOnly(...withNewHead(queue, entry, facts, known), ...needsCarriedOver(queue, facts, known.commits));
}

function withNewHead(
  queue: QueueSnapshot,
  entry: Entry,
  facts: PullRequestFacts,
  { commits, takesOff = [], changedWorkflows = [] }: KnownOfHead,
): readonly Change[] {
  return [
    {
      ...{ type: 'entryFollowedHead', entryId: entry.id, head: facts.head },
      ...(takesOff.length > 0 && { takesOff }),
      ...(changedWorkflows.length > 0 && { changedWorkflows }),
    },
    ...needsFollowed(queue, entry, facts, commits),
  ];
}

/** A pull request that the host no longer knows counts as closed. */
export function gone(queue: QueueSnapshot, number: number, seenAt: Instant): StepResult {
  const known = queue.entries.find((entry) => entry.number === number)?.pullRequest;
  return known ? observed(queue, [{ ...known, state: 'closed', seenAt }]) : NOTHING;
}
