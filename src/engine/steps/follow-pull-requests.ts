import type { Entry, QueueSnapshot } from '../model';
import { isBeingLanded } from '../policy/line';
import { combine, changesOnly, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { doesBaseMatch } from '../policy/readiness';
import { isConcluded } from '../states';
import type { CancelledReason, Instant } from '../vocabulary';
import { releaseMembers } from './release-members';

/**
 * Reacts to what people do at the host: close, merge manually, push, change the base, make a draft. The step looks at
 * the newest facts, so that a change during a landing takes effect once the outcome of the landing is known.
 */
export function followPullRequests(queue: QueueSnapshot, now: Instant): StepResult {
  for (const entry of queue.entries) {
    const outcome = followPullRequest(queue, entry, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return NOTHING;
}

/**
 * Applies the newest facts about one entry's pull request, but nothing while the entry is being landed. `who`: who made
 * its new head.
 */
export function followPullRequest(
  queue: QueueSnapshot,
  entry: Entry,
  now: Instant,
  who: 'somebody' | 'unknown' = 'unknown',
): StepResult {
  if (isConcluded(entry.state) || isBeingLanded(queue, entry)) return NOTHING;
  const facts = entry.pullRequest;
  if (facts.state === 'merged') {
    if (!doesBaseMatch(queue, entry)) return cancelled(queue, entry, 'pr_merged_into_other_branch', now);
    const merged = changesOnly(moved(entry, 'merged', 'manual_merge', now), ...outOfLine([entry]));
    return combine(releaseMembers(queue, entry, 'prerequisite_merge_item_manually_merged', now), merged);
  }
  if (facts.state === 'closed') return cancelled(queue, entry, 'pr_closed', now);
  if (facts.head !== entry.head) {
    // The host rewrites heads of stacks itself, so a new head there may be no push. The inbox finds out who made it.
    const isPush = facts.stack === undefined || who === 'somebody';
    return isPush ? cancelled(queue, entry, 'pr_pushed_to', now) : NOTHING;
  }
  if (entry.state === 'not_ready') return NOTHING;
  if (!doesBaseMatch(queue, entry)) return cancelled(queue, entry, 'pr_base_branch_changed', now);
  if (facts.draft) return cancelled(queue, entry, 'pr_converted_to_draft', now);
  return NOTHING;
}

function cancelled(queue: QueueSnapshot, entry: Entry, because: CancelledReason, now: Instant): StepResult {
  const left = changesOnly(moved(entry, 'cancelled', because, now), ...outOfLine([entry]));
  return combine(releaseMembers(queue, entry, 'prerequisite_merge_item_cancelled', now), left);
}
