import type { QueueSnapshot, TestRun } from '../model';
import { holdsSlot } from '../states';
import { lineOf, standsInLine } from './line';

/** How many runs of the line may be built and tested at once. */
export function slotsOf(queue: QueueSnapshot): number {
  return Math.min(queue.settings.concurrency, queue.limits.runsInFlight);
}

export function slotsInUse(queue: QueueSnapshot): number {
  return queue.runs.filter((run) => standsInLine(run) && holdsSlot(run)).length;
}

/**
 * How many runs of bisections, and of the target for them, may be built and tested at once, in parallel to the line.
 */
export function searchSlotsOf(queue: QueueSnapshot): number {
  const { bisectionConcurrency, concurrency } = queue.settings;
  return Math.min(bisectionConcurrency ?? concurrency, queue.limits.runsInFlight);
}

export function searchSlotsInUse(queue: QueueSnapshot): number {
  return queue.runs.filter((run) => (run.search !== null || isControl(queue, run)) && holdsSlot(run)).length;
}

/** Whether it tests the target as it is, to learn whether the tests work; not the result of a partial landing. */
export function isControl({ partialLanding }: QueueSnapshot, { kind, flow }: TestRun): boolean {
  return flow === undefined ? kind === 'target' && partialLanding === null : flow.role === 'target';
}

/** Bounds what is in flight, and so the cost of a decision. */
export function lineHasCapacity(queue: QueueSnapshot): boolean {
  return lineOf(queue).length + queue.searches.length < queue.limits.runsInFlight;
}

/** Only in a running queue with a known target that does not itself wait for a test. */
export function mayStartTests(queue: QueueSnapshot): boolean {
  return queue.state === 'running' && queue.tip !== null && queue.partialLanding === null;
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
