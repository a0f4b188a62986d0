import type { QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';
import { agreeing, duration, forLength, pullRequests } from './words';

/** What a mode switch waits for. */
export interface InFlight {
  readonly tested: readonly number[];
  readonly landing: readonly number[];
}

export function nothingStarts(queue: QueueSnapshot, inFlight: InFlight): string {
  switch (queue.state) {
    case 'running':
      return `The target branch ${queue.branch} is not there: nothing starts until it is`;
    case 'paused':
    case 'draining':
      return `The queue is ${queue.state}: no test starts until it is running`;
    case 'switching_modes':
      return isSwitching(queue, inFlight);
  }
}

function isSwitching(queue: QueueSnapshot, { tested, landing }: InFlight): string {
  const open = [
    ...(tested.length === 0 ? [] : [`${pullRequests(tested)} ${agreeing(tested, 'is', 'are')} being tested`]),
    ...(landing.length === 0 ? [] : [`${pullRequests(landing)} ${agreeing(landing, 'is', 'are')} being merged`]),
  ];
  const what = open.length === 0 ? '' : ` (${open.join('; ')})`;
  const after = queue.stateAfterSwitch ?? 'running';
  const then = after === 'running' ? 'After that it is running' : `After that it is ${after}: still no test starts`;
  return `The queue is switching to mode ${queue.requestedMode}: no test starts until what is in flight is done${what}. ${then}`;
}

export function hostIsSilent(queue: QueueSnapshot, since: Instant, now: Instant): string {
  return `${queue.host} has not answered${forLength(now - since)}; the queue keeps asking and keeps its order`;
}

export function nothingMerges(queue: QueueSnapshot): string {
  if (queue.tip === null) return `the target branch ${queue.branch} is not there: nothing merges until it is`;
  if (queue.state === 'switching_modes')
    return `the queue is switching to mode ${queue.requestedMode} and paused: nothing merges until it is running`;
  return `the queue is ${queue.state}: nothing merges until it is running`;
}

export function anotherIsMerged(numbers: readonly number[], since: Instant, now: Instant): string {
  const are = agreeing(numbers, 'is', 'are');
  return `${pullRequests(numbers)} ${are} being merged first, ordered ${duration(now - since)} ago: one landing at a time`;
}

/** The setting is stored, and nothing follows from it here. */
export function mergesOneAtATime(queue: QueueSnapshot): string {
  return `canOptimisticallyMerge is stored but not acted on: ${queue.host} cannot merge several pull requests in one move`;
}

export function isDue(): string {
  return 'Nothing keeps it: the queue goes on with it in its next decision';
}
