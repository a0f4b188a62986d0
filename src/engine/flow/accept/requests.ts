import type { QueueEvent } from '../../events';
import type { Entry, QueueSnapshot } from '../../model';
import { changesOnly, combine, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { flowRuns, isOwnOf } from '../runs';
import { backToFront, isAt, standingOf } from '../standing';
import { asAnother } from '../steps/lose-needs';

type RestartRequested = Extract<QueueEvent, { type: 'restartRequested' }>;

/** To the front of what waits, as if nothing had been tested. Runs that hold others, too, go on for those. */
export function restartInFlow(
  queue: QueueSnapshot,
  entry: Entry,
  { via, actor }: RestartRequested,
  now: Instant,
): StepResult {
  const because = via === 'api' ? 'tests_restarted_by_api_request' : 'tests_restarted_by_user';
  const state = entry.state === 'pending' ? NOTHING : changesOnly(moved(entry, 'pending', because, now, { actor }));
  const { batchAtMost, greenRetests } = entry;
  const returned = { entryId: entry.id, order: queue.nextOrder, group: 0, batchAtMost, greenRetests };
  return combine(
    changesOnly(...asAnother(entry), { type: 'entriesReturned', returns: [returned] }),
    changesOnly({ type: 'entriesToTestAnew', entryIds: [entry.id] }),
    state,
  );
}

/** A suspect that no run tests waits as an urgent one from then on. What is tested keeps its place. */
export function raiseInFlow(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  if (!isAt(queue, entry, 'suspect') || standingOf(entry).redAlone !== null) return NOTHING;
  if (flowRuns(queue).some((run) => isOwnOf(run, entry))) return NOTHING;
  return backToFront(queue, [entry], 'rebuild_required', now);
}
