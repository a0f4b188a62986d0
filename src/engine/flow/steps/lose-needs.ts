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
 * An entry becomes not ready when a dependency left without landing, or when the host has a new demand. It keeps its
 * order among the waiting entries. After the loss of a dependency, the runs that tested the entry can never land it, so
 * it gets a new generation.
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

/** Gives the entry a new generation: runs with its earlier generation can never land it. */
export function asAnother(entry: Entry): readonly Change[] {
  return [{ type: 'generationRaised', entryId: entry.id }];
}
