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
 * How many runs of bisections, and tests of the target for these, may be built and tested at once, in parallel to the
 * line.
 */
export function searchSlotsOf(queue: QueueSnapshot): number {
  const { bisectionConcurrency, concurrency } = queue.settings;
  return Math.min(bisectionConcurrency ?? concurrency, queue.limits.runsInFlight);
}

export function searchSlotsInUse(queue: QueueSnapshot): number {
  return queue.runs.filter((run) => (run.search !== null || isControl(queue, run)) && holdsSlot(run)).length;
}

/** Whether the run tests the target to learn whether the tests work, and not because of a partial landing. */
export function isControl({ partialLanding }: QueueSnapshot, { kind, flow }: TestRun): boolean {
  return flow === undefined ? kind === 'target' && partialLanding === null : flow.role === 'target';
}

/** Whether one more group may join the line. The limit bounds the work in flight, and so the cost of a decision. */
export function lineHasCapacity(queue: QueueSnapshot): boolean {
  return lineOf(queue).length + queue.searches.length < queue.limits.runsInFlight;
}

/** Whether tests may start: the queue is running, and its target is known and not untested after a partial landing. */
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
