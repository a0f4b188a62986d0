import type { Entry, QueueSnapshot } from '../../model';
import { combine, ended, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant, PendingReason } from '../../vocabulary';
import { contentOf, entryOfId, hasLanded, headNow, isExact, isSame, openEntries } from '../heads';
import { type FlowTestRun, runsUnderTest } from '../runs';
import { givenBack, isAt } from '../standing';
import { isAnybodyReady } from '../../policy/readiness';

/**
 * Stops tests that have become useless. If one of several entries left, the run continues: it can never land, but if it
 * passes, the remaining entries await a combined test.
 */
export function stopVoidRuns(queue: QueueSnapshot, now: Instant): StepResult {
  for (const run of runsUnderTest(queue)) {
    if (run.own.length === 0 && isAnybodyReady(queue)) continue;
    const because = whyVoid(queue, run);
    if (because !== null) return combine(ended(run, because), givenBack(queue, run, because, now));
  }
  return NOTHING;
}

function whyVoid(queue: QueueSnapshot, run: FlowTestRun): PendingReason | null {
  if (!openEntries(queue, run.own).some((entry) => isTestedFor(queue, run, entry))) return 'rebuild_required';
  if (run.flow.role === 'check' && !isExact(queue, run)) return 'rebuild_required';
  if (holdsFailed(queue, run)) return 'prerequisite_merge_item_failed';
  if (run.flow.role === 'alone' && run.base.epoch !== queue.epoch) return 'manual_push_to_target_branch';
  return assumesWhatFailed(queue, run) ? 'prerequisite_merge_item_failed' : null;
}

/** Whether the entry's place is still the one for which the run was started. */
function isTestedFor(queue: QueueSnapshot, { flow }: FlowTestRun, entry: Entry): boolean {
  if (isAt(queue, entry, 'waiting') || isAt(queue, entry, 'suspect')) return true;
  return isAt(queue, entry, 'passed') && (flow.role === 'check' || flow.isUrgent);
}

function holdsFailed(queue: QueueSnapshot, run: FlowTestRun): boolean {
  return contentOf(run).some((head) => {
    const entry = entryOfId(queue, head.entryId);
    return entry?.state === 'failed' && isSame(headNow(entry), head) && !hasLanded(queue, head);
  });
}

function assumesWhatFailed(queue: QueueSnapshot, { flow: { assumed } }: FlowTestRun): boolean {
  return assumed.some((head) => {
    const entry = entryOfId(queue, head.entryId);
    if (!entry || !isSame(headNow(entry), head)) return false;
    return entry.state === 'not_ready' || isAt(queue, entry, 'suspect');
  });
}
