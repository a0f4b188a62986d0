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
 * What it needs left without landing, or the host demands something of it again: it is not ready, and keeps its place. What was
 * tested with something that left never lands: it is another one from then on.
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

/** Runs that hold it as it was can never land it. */
export function asAnother(entry: Entry): readonly Change[] {
  return [{ type: 'generationRaised', entryId: entry.id }];
}
