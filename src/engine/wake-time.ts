import type { Entry, QueueSnapshot, TestRun } from './model';
import { flowMoments, flowWantsMore } from './flow/wake';
import { hasPassedInFlow, nextFlowLanding } from './flow/next-landing';
import { isFlow } from './flow-facts/scheduling';
import { nextBatches } from './policy/batches';
import { controlDueAt } from './policy/control';
import { droppedAt } from './policy/dropped';
import { freezeMoments } from './policy/freeze';
import { nextLanding } from './policy/next-landing';
import { mayBeTried, isWaitingOutside } from './policy/order';
import { neverReported } from './policy/never-reported';
import { isProven } from './policy/proof';
import { overdueAt } from './policy/readiness';
import { lineHasCapacity, mayStartTests, slotsInUse, slotsOf } from './policy/slots';
import { statusesOf } from './policy/statuses';
import { isAwaitingUploads, uploadsAwaitedUntil } from './policy/suspect-run';
import { maySomethingTimeOut, timesOutAt } from './policy/time-out';
import { isTargetRed } from './policy/verdict';
import { notReadyDeadline } from './steps/check-readiness';
import type { Instant } from './vocabulary';

/**
 * The earliest moment at which the queue must decide although no event comes; `now` if more entries must be loaded and
 * decided about at once.
 */
export function wakeTime(queue: QueueSnapshot, now: Instant): Instant | null {
  if (queue.moreToLoad.unchecked || couldStartMore(queue, now)) return now;
  const moments = [
    queue.nextDeadlineOutside,
    ...queue.entries.map((entry) => {
      if (entry.state === 'not_ready') return notReadyDeadline(queue, entry);
      if (passedAndWaits(queue, entry)) return overdueLater(queue, entry, now);
      // A time in the past does not count: the entry then waits for a slot or is being built.
      return isOpen(entry) && entry.askAgainAt !== null && entry.askAgainAt > now ? entry.askAgainAt : null;
    }),
    ...batchesDue(queue, now),
    controlDue(queue, now),
    landingDue(queue, now),
    ...freezeMoments(queue, now),
    ...queue.runs.flatMap((run) =>
      isSubjectToTimeout(queue, run, now)
        ? [timesOutAt(queue, run), droppedLater(queue, run, now), unheardLater(queue, run, now)]
        : [],
    ),
    // A time in the past does not count: the run failed for a while and no longer does, or it is proven.
    ...queue.runs.map((run) => (isAwaitingUploads(queue, run, now) ? uploadsAwaitedUntil(queue, run) : null)),
  ].filter((moment): moment is Instant => moment !== null);
  return moments.length === 0 ? null : Math.max(now, Math.min(...moments));
}

/** When the target is tested, or tested once more; null if no test is planned, or one is under way. */
function controlDue(queue: QueueSnapshot, now: Instant): Instant | null {
  return queue.runs.some(({ kind }) => kind === 'target') ? null : controlDueAt(queue, now);
}

/** When passed runs may land; null if none waits for a later time. */
export function landingDue(queue: QueueSnapshot, now: Instant): Instant | null {
  const from = (isFlow(queue) ? nextFlowLanding(queue, now)?.from : nextLanding(queue, now)?.from) ?? 0;
  return from > now ? from : null;
}

/** Whether a slot is free, entries wait outside the snapshot, and no entry of the snapshot waits. */
function couldStartMore(queue: QueueSnapshot, now: Instant): boolean {
  if (isFlow(queue)) return flowWantsMore(queue, now);
  if (!queue.moreToLoad.waiting || !mayStartTests(queue) || isTargetRed(queue)) return false;
  if (slotsInUse(queue) >= slotsOf(queue)) return false;
  if (queue.runs.some((run) => run.kind === 'line' && run.phase === 'building')) return false;
  if (!lineHasCapacity(queue)) return false;
  return !queue.entries.some((entry) => isWaitingOutside(entry) && mayBeTried(queue, entry, now));
}

/** A batch that waits for more members starts without them when its oldest member has waited long enough. */
function batchesDue(queue: QueueSnapshot, now: Instant): readonly Instant[] {
  if (isFlow(queue)) return flowMoments(queue, now);
  if (!mayStartTests(queue) || isTargetRed(queue)) return [];
  if (slotsInUse(queue) >= slotsOf(queue) || !lineHasCapacity(queue)) return [];
  return nextBatches(queue, now).waiting.map((batch) => batch.startsAt);
}

function isSubjectToTimeout(queue: QueueSnapshot, run: TestRun, now: Instant): boolean {
  const isOpen = run.phase === 'testing' && maySomethingTimeOut(queue) && !isProven(queue, run);
  // A failed run does not time out while uploads are awaited.
  return isOpen && !isAwaitingUploads(queue, run, now);
}

/**
 * When the run fails because only statuses that it drops itself are missing; null if other statuses are missing, or the
 * time has passed.
 */
function droppedLater(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  const at = run.dropped === undefined ? null : droppedAt(queue, run, statusesOf(queue, run));
  return at !== null && at > now ? at : null;
}

/**
 * When the run fails because of statuses that CI will never report; null if there are no such statuses, or the time has
 * passed.
 */
function unheardLater(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  const at = run.ciEnd === undefined ? null : (neverReported(queue, run, statusesOf(queue, run))?.at ?? null);
  return at !== null && at > now ? at : null;
}

function passedAndWaits(queue: QueueSnapshot, entry: Entry): boolean {
  return entry.state === 'tests_passed' || (isFlow(queue) && hasPassedInFlow(queue, entry));
}

/** When a check of the entry's head is overdue; null if the entry waits for no check, or the time has passed. */
function overdueLater(queue: QueueSnapshot, entry: Entry, now: Instant): Instant | null {
  const at = overdueAt(queue, entry);
  return at !== null && at > now ? at : null;
}

/** Whether the entry may wait for the host. A member of a bisection may do so even while a test of it is under way. */
function isOpen(entry: Entry): boolean {
  return entry.state === 'pending' || (entry.state === 'testing' && entry.search !== null);
}
