import type { QueueSnapshot } from '../model';
import { holdsSlot } from '../states';

/** How many runs of the line may be built and tested at once. */
export function slotsOf(queue: QueueSnapshot): number {
  return Math.min(queue.settings.concurrency, queue.limits.runsInFlight);
}

export function slotsInUse(queue: QueueSnapshot): number {
  return queue.runs.filter((run) => run.kind === 'line' && holdsSlot(run.phase)).length;
}

/** Tests start only in a running queue that knows its target. */
export function mayStartTests(queue: QueueSnapshot): boolean {
  return queue.state === 'running' && queue.tip !== null;
}

export function mayLand(queue: QueueSnapshot): boolean {
  switch (queue.state) {
    case 'running':
    case 'draining':
      return true;
    case 'paused':
      return false;
    case 'switching_modes':
      return queue.stateAfterSwitch !== 'paused';
  }
}
