import type { QueueSnapshot } from '../../model';
import { mayStartTests } from '../../policy/slots';
import { combine, ended, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { freeSlots, runsUnderTest } from '../runs';
import { givenBack } from '../standing';
import { urgentWaiting } from '../waiting';

/** If an urgent entry waits and no slot is free, stops the newest run that tests no urgent entry. */
export function yieldToUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue) || freeSlots(queue) > 0 || urgentWaiting(queue, now).length === 0) return NOTHING;
  const last = runsUnderTest(queue)
    .filter(({ flow }) => !flow.isUrgent)
    .sort((a, b) => a.number - b.number)
    .at(-1);
  if (!last) return NOTHING;
  const because = 'skip_the_line_interrupted';
  return combine(ended(last, because), givenBack(queue, last, because, now));
}
