import type { QueueEvent } from '../events';
import { evolve } from '../evolve';
import type { QueueSnapshot } from '../model';
import { combine, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';
import { cancel } from './requests';

type AllCancelRequested = Extract<QueueEvent, { type: 'allCancelRequested' }>;

/** As if each of them was cancelled by itself, but decided on once. Those that cannot be cancelled stay as they are. */
export function cancelAll(queue: QueueSnapshot, { numbers, actor }: AllCancelRequested, now: Instant): StepResult {
  let left = queue;
  let all = NOTHING;
  for (const number of numbers) {
    const one = cancel(left, { type: 'cancelRequested', number, via: 'api', actor }, now);
    if ('type' in one) continue;
    left = one.changes.reduce(evolve, left);
    all = combine(all, one);
  }
  return all;
}
