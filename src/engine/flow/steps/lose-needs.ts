import type { Change } from '../../changes';
import type { Entry, QueueSnapshot } from '../../model';
import { isOverdue, lacksDemand } from '../../policy/readiness';
import { lostNeeds } from '../../policy/needs';
import { changesOnly, moved, NOTHING, type StepResult } from '../../policy/step-result';
import { isConcluded } from '../../states';
import type { Instant } from '../../vocabulary';
import { headNow, headsLanding, holds } from '../heads';
import { hasPassedInFlow } from '../next-landing';

/**
 * A dependency left without landing, or the host has a new demand: the entry is not ready, and keeps its place. A test
 * that included an entry which left can never land, so the entry gets a new generation.
 */
export function loseNeeds(queue: QueueSnapshot, now: Instant): StepResult {
  for (const entry of queue.entries) {
    if (isConcluded(entry.state) || entry.state === 'not_ready') continue;
    if (holds(headsLanding(queue), headNow(entry))) continue;
    const lost = lostNeeds(queue, entry);
    if (lost.length > 0) return changesOnly(...asAnother(entry), notReady(entry, now));
    if (lacksDemand(entry) || (isOverdue(queue, entry, now) && hasPassedInFlow(queue, entry)))
      return changesOnly(notReady(entry, now));
  }
  return NOTHING;
}

function notReady(entry: Entry, now: Instant): Change {
  return moved(entry, 'not_ready', 'readiness_lost', now, { run: entry.stateRun ?? undefined });
}

/** Runs with the earlier generation of the entry can never land it. */
export function asAnother(entry: Entry): readonly Change[] {
  return [{ type: 'generationRaised', entryId: entry.id }];
}
