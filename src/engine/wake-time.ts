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

/** The earliest moment at which time alone changes something; `now` when there is more to load and decide at once. */
export function wakeTime(queue: QueueSnapshot, now: Instant): Instant | null {
  if (queue.moreToLoad.unchecked || couldStartMore(queue, now)) return now;
  const moments = [
    queue.nextDeadlineOutside,
    ...queue.entries.map((entry) => {
      if (entry.state === 'not_ready') return notReadyDeadline(queue, entry);
      if (passedAndWaits(queue, entry)) return overdueLater(queue, entry, now);
      // A past time: the entry waits for a slot or is being built, and time alone changes nothing.
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
    // A past time: the run failed for a while and does not any more, or it is proven.
    ...queue.runs.map((run) => (isAwaitingUploads(queue, run, now) ? uploadsAwaitedUntil(queue, run) : null)),
  ].filter((moment): moment is Instant => moment !== null);
  return moments.length === 0 ? null : Math.max(now, Math.min(...moments));
}

/** When the target is tested, or tested once more; null: never, or its test is under way. */
function controlDue(queue: QueueSnapshot, now: Instant): Instant | null {
  return queue.runs.some(({ kind }) => kind === 'target') ? null : controlDueAt(queue, now);
}

/** When passed runs may land; null: none waits for a time, or one lands in this decision. */
export function landingDue(queue: QueueSnapshot, now: Instant): Instant | null {
  const from = (isFlow(queue) ? nextFlowLanding(queue, now)?.from : nextLanding(queue, now)?.from) ?? 0;
  return from > now ? from : null;
}

/** A slot is free, more entries wait, and the snapshot holds none of them. */
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

/** When only statuses that the run itself drops are missing; null: others are missing, or the time has passed. */
function droppedLater(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  const at = run.dropped === undefined ? null : droppedAt(queue, run, statusesOf(queue, run));
  return at !== null && at > now ? at : null;
}

/** When the run fails for statuses that CI will never report; null: none of them is missing, or the time has passed. */
function unheardLater(queue: QueueSnapshot, run: TestRun, now: Instant): Instant | null {
  const at = run.ciEnd === undefined ? null : (neverReported(queue, run, statusesOf(queue, run))?.at ?? null);
  return at !== null && at > now ? at : null;
}

function passedAndWaits(queue: QueueSnapshot, entry: Entry): boolean {
  return entry.state === 'tests_passed' || (isFlow(queue) && hasPassedInFlow(queue, entry));
}

/** When the entry stops waiting for a check of its head; null: it waits for none, or the time has passed. */
function overdueLater(queue: QueueSnapshot, entry: Entry, now: Instant): Instant | null {
  const at = overdueAt(queue, entry);
  return at !== null && at > now ? at : null;
}

/** A member of a bisection may be in a test and waiting for the host at once. */
function isOpen(entry: Entry): boolean {
  return entry.state === 'pending' || (entry.state === 'testing' && entry.search !== null);
}
