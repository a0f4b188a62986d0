import { isFlow } from '../flow-facts/scheduling';
import type { Entry, QueueSnapshot } from '../model';
import { entriesOf, runHolding } from '../policy/line';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../policy/step-result';
import { leaveSearch } from '../policy/search-end';
import type { Instant, PendingReason } from '../vocabulary';

/**
 * Ends the run of an entry that leaves: the other entries of the run keep their place and are tested again. In a flow
 * queue, the run continues as long as another of its entries is in the queue.
 */
export function releaseMembers(queue: QueueSnapshot, leaving: Entry, because: PendingReason, now: Instant): StepResult {
  if (isFlow(queue)) return NOTHING;
  if (leaving.search !== null) return leaveSearch(queue, leaving, because, now);
  const run = runHolding(queue, leaving);
  if (run === null) return NOTHING;
  const others = entriesOf(queue, run).filter((entry) => entry.id !== leaving.id && entry.state !== 'pending');
  return combine(ended(run, because), changesOnly(...others.map((entry) => moved(entry, 'pending', because, now))));
}
