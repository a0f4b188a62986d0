import type { EntryMoved } from '../changes';
import type { QueueSnapshot } from '../model';
import { countedOnce } from '../flow-facts/chances';
import { flowOf } from '../flow-facts/scheduling';
import type { FlowState } from '../flow-state';

/** `yes`: the entry failed its tests. `no`: it merged, or passed as a dry run. Null: it left for another reason. */
export function outcomeOf({ to, because }: EntryMoved): 'yes' | 'no' | null {
  if (because === 'merge_graph_merge' || because === 'dry_run_passed') return 'no';
  return to === 'failed' && isByTests(because) ? 'yes' : null;
}

function isByTests(because: string | null): boolean {
  return because === 'test_run_required_status_failed' || because === 'test_run_timeout';
}

export function learning(
  queue: QueueSnapshot,
  figure: keyof FlowState['learned'],
  outcome: 'yes' | 'no',
): QueueSnapshot {
  const flow = flowOf(queue);
  const learned = { ...flow.learned, [figure]: countedOnce(figure, flow.learned[figure], outcome) };
  return { ...queue, flow: { ...flow, learned } };
}
