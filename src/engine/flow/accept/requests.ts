import type { QueueEvent } from '../../events';
import type { Entry, QueueSnapshot } from '../../model';
import { changesOnly, combine, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { openNeeds } from '../needs';
import { flowRuns, isOwnOf } from '../runs';
import { backToFront, isAt, stands } from '../standing';
import { JUST_WAITING } from '../../flow-state';
import { asAnother } from '../steps/lose-needs';
import { standingOf } from '../../flow-facts/scheduling';

type RestartRequested = Extract<QueueEvent, { type: 'restartRequested' }>;

/**
 * The entry goes behind the waiting entries and keeps its failures: repeated restarts of a failing entry take no slot
 * from the others, and in the end it fails. A run that also tests other entries continues for them.
 */
export function restartInFlow(
  queue: QueueSnapshot,
  entry: Entry,
  { via, actor }: RestartRequested,
  now: Instant,
): StepResult {
  const because = via === 'api' ? 'tests_restarted_by_api_request' : 'tests_restarted_by_user';
  const state = entry.state === 'pending' ? NOTHING : changesOnly(moved(entry, 'pending', because, now, { actor }));
  const { reds, streaks } = standingOf(entry);
  return combine(
    changesOnly(...asAnother(entry), stands({ ...entry, flow: JUST_WAITING }, { reds, streaks })),
    changesOnly({ type: 'entryPutBehind', entryId: entry.id, order: queue.nextOrder }),
    changesOnly({ type: 'entriesToTestAnew', entryIds: [entry.id] }),
    state,
  );
}

/**
 * An entry that becomes urgent, and its dependencies: those that are suspects, but in no run, go back to the front of
 * the waiting entries. An entry under test keeps its place.
 */
export function raiseInFlow(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const raised = new Set([entry]);
  for (const one of raised) for (const needed of openNeeds(queue, one)) raised.add(needed);
  const idle = [...raised].filter(
    (one) =>
      isAt(queue, one, 'suspect') &&
      standingOf(one).redAlone === null &&
      !flowRuns(queue).some((run) => isOwnOf(run, one)),
  );
  return backToFront(queue, idle, 'rebuild_required', now);
}
