import type { QueueSnapshot, TestRun } from '../model';
import { type Group, isLanding, lineOf } from '../policy/line';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../policy/step-result';
import { wasRestarted } from '../policy/order';
import { mayStartTests, slotsInUse, slotsOf } from '../policy/slots';
import { holdsSlot } from '../states';
import type { Instant } from '../vocabulary';
import { startRun } from './start-next-run';

/**
 * If no slot is free, an urgent entry takes the slot of the run that started last, unless that run is urgent, too. A
 * restarted urgent entry waits for a slot instead, because a restart must not restart other runs.
 */
export function yieldSlotToUrgent(queue: QueueSnapshot, now: Instant): StepResult {
  if (!mayStartTests(queue) || slotsInUse(queue) < slotsOf(queue)) return NOTHING;
  const line = lineOf(queue);
  const urgent = line.find((group) => group.run === null && isUrgent(group) && !isRestarted(group));
  if (!urgent) return NOTHING;
  const started = line
    .filter((group) => !isUrgent(group) && !isLanding(group))
    .flatMap((group) => (group.run !== null && holdsSlot(group.run) ? [{ ...group, run: group.run }] : []))
    .sort((a, b) => a.run.number - b.run.number);
  const last = started.at(-1);
  if (!last || isBuildingAnother(queue, last.run)) return NOTHING;
  const moves = last.entries
    .filter((entry) => entry.state !== 'pending' && entry.state !== 'not_ready')
    .map((entry) => moved(entry, 'pending', 'skip_the_line_interrupted', now, { run: last.run.number }));
  return combine(ended(last.run, 'skip_the_line_interrupted'), changesOnly(...moves), startRun(queue, urgent, now));
}

function isUrgent({ entries }: Group): boolean {
  return entries.some((entry) => entry.urgentInLine);
}

function isRestarted({ entries }: Group): boolean {
  return entries.some(wasRestarted);
}

/** Whether another candidate of the line is being built: only one is built at a time. */
function isBuildingAnother(queue: QueueSnapshot, than: TestRun): boolean {
  return queue.runs.some((run) => run.kind === 'line' && run.phase === 'building' && run.number !== than.number);
}
