import type { Change } from '../changes';
import type { QueueSnapshot } from '../model';
import { type Group, isLanding, lineOf } from '../policy/line';
import { waitingOutside } from '../policy/order';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { placed } from '../policy/places';
import { mayStartTests } from '../policy/slots';
import { type Instant, URGENT } from '../vocabulary';

/**
 * An urgent entry goes to the head at once, behind what is being landed and behind urgent ones before it, and runs
 * alone. What it overtakes is no longer on its base. Nothing is interrupted while no test may start.
 */
export function placeUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue)) return NOTHING;
  const entry = waitingOutside(queue, now).find(({ priority }) => priority === URGENT);
  if (!entry) return NOTHING;
  const line = lineOf(queue);
  const at = 1 + line.findLastIndex((group) => isLanding(group) || group.entries.some((other) => other.urgentInLine));
  const urgent: Group = { place: 0, entries: [{ ...entry, urgentInLine: true }], run: null };
  const change: Change = {
    type: 'entriesPlaced',
    places: placed(queue, [urgent, ...line.slice(at)]),
    because: 'urgent',
  };
  return changesOnly(change);
}
