import type { QueueSnapshot, TestRun } from '../model';
import { entriesOf } from './line';
import { combine, changesOnly, ended, moved, type StepResult } from './step-result';
import type { Instant } from '../vocabulary';

/**
 * Ends a run without a result. The run is started again in its place, with a new commit. `details`: why, for people.
 */
export function testAgain(queue: QueueSnapshot, run: TestRun, now: Instant, details?: string): StepResult {
  const moves = entriesOf(queue, run)
    .filter(({ state }) => state !== 'pending' && state !== 'not_ready')
    // In a bisection, other runs may test the entry, too: it becomes pending only if its state names this run.
    .filter(({ search, stateRun }) => search === null || stateRun === run.number)
    .map((entry) => moved(entry, 'pending', 'rebuild_required', now, { run: run.number, details }));
  return combine(ended(run, 'rebuild_required'), changesOnly(...moves));
}
