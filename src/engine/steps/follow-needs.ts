import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { expectedBase } from '../policy/base';
import { isBeingLanded, lineOf, queuedHeadsOf } from '../policy/line';
import { entryNumbered, lostNeeds, unmetAmong } from '../policy/needs';
import { combine, changesOnly, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { isConcluded } from '../states';
import type { Instant, PendingReason } from '../vocabulary';
import { releaseMembers } from './release-members';

/**
 * An entry becomes not ready when a dependency left without landing, and keeps its order of submission. If a dependency
 * is no longer ahead, or no longer assumed to pass, the entry waits outside the line until it is, because no tree may
 * contain the entry without its dependencies.
 */
export function followNeeds(queue: QueueSnapshot, now: Instant): StepResult {
  for (const entry of queue.entries) {
    if (entry.needs === undefined || isConcluded(entry.state) || entry.state === 'not_ready') continue;
    if (isBeingLanded(queue, entry)) continue;
    if (lostNeeds(queue, entry).length > 0) return withoutNeeds(queue, entry, now);
    const missing = missingAhead(queue, entry);
    if (missing !== null) return backOutside(queue, entry, missing, now);
  }
  return NOTHING;
}

function withoutNeeds(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const lost = moved(entry, 'not_ready', 'readiness_lost', now, { run: entry.stateRun ?? undefined });
  return combine(
    releaseMembers(queue, entry, 'prerequisite_merge_item_cancelled', now),
    changesOnly(lost, ...outOfLine([entry])),
  );
}

function backOutside(queue: QueueSnapshot, entry: Entry, missing: Entry, now: Instant): StepResult {
  const because: PendingReason =
    missing.state === 'pending_failure' ? 'prerequisite_merge_item_failed' : 'rebuild_required';
  const waits =
    entry.state === 'pending' ? [] : [moved(entry, 'pending', because, now, { run: entry.stateRun ?? undefined })];
  return combine(releaseMembers(queue, entry, because, now), changesOnly(...waits, ...outOfLine([entry])));
}

/**
 * The first dependency that is missing: not on the target, and not ahead of the entry in the line or in its bisection.
 * Null if none is missing.
 */
function missingAhead(queue: QueueSnapshot, entry: Entry): Entry | null {
  const ahead = headsAhead(queue, entry);
  const [missing] = ahead === null ? [] : unmetAmong(queue, entry, ahead);
  return missing === undefined ? null : entryNumbered(queue, missing.number);
}

/**
 * The changes ahead of the entry in its bisection, or assumed to pass ahead of it in the line. Null if the entry is in
 * no bisection and not in the line.
 */
function headsAhead(queue: QueueSnapshot, entry: Entry): readonly QueuedHead[] | null {
  const search = queue.searches.find(({ number }) => number === entry.search);
  if (search) return upTo(entry, search.members);
  const group = lineOf(queue).find(({ place }) => place === entry.place);
  return group ? [...expectedBase(queue, group), ...upTo(entry, queuedHeadsOf(group))] : null;
}

function upTo({ id }: Entry, heads: readonly QueuedHead[]): readonly QueuedHead[] {
  return heads.slice(
    0,
    heads.findIndex(({ entryId }) => entryId === id),
  );
}
