import type { Entry, QueueSnapshot } from '../../model';
import { failForTests } from '../../policy/blame';
import { changesOnly, combine, moved, NOTHING, type StepResult } from '../../policy/step-result';
import { isDropped } from '../../policy/verdict';
import type { Instant } from '../../vocabulary';
import { redsNeeded } from '../../flow-facts/chances';
import { runsUnderTest } from '../runs';
import { isAt, stands } from '../standing';
import type { FlowStanding, RedAlone } from '../../flow-state';
import { OUTAGE_FROM, redsIn } from '../../flow-facts/streaks';
import { flowOf, standingOf } from '../../flow-facts/scheduling';

/**
 * Fails an entry that failed in isolation on the target, once a test has passed after that failure and so shows that
 * the tests work. During a likely outage, or with fewer failures than `redsNeeded`, the entry is tested once more
 * instead.
 */
export function failRedAlone(queue: QueueSnapshot, now: Instant): StepResult {
  for (const entry of queue.entries) {
    const standing = standingOf(entry);
    if (standing.redAlone === null || !isAt(queue, entry, 'suspect')) continue;
    const red = standing.redAlone;
    if (isDropped(red.failure)) return fails(queue, entry, red, now);
    if (!isControlled(queue, standing, red) || hasOpenDepth(queue, red)) continue;
    if (!counts(queue, standing, red)) return testedOnceMore(entry, now);
    return fails(queue, entry, red, now);
  }
  return NOTHING;
}

/**
 * Whether a test passed after the failure, or the target was undecided so often that the queue no longer waits for it
 * to pass.
 */
function isControlled(queue: QueueSnapshot, { reds }: FlowStanding, { result }: RedAlone): boolean {
  const { lastPass, lastUndecided, undecided } = flowOf(queue);
  return lastPass > result || (lastUndecided > result && (reds > 1 || undecided > 1));
}

/**
 * Whether `pendingFailureDepth` still lets people restart the test, because fewer pull requests than that were tested
 * since.
 */
function hasOpenDepth(queue: QueueSnapshot, { tested }: RedAlone): boolean {
  const { pendingFailureDepth: depth } = queue.settings;
  return flowOf(queue).tested - tested < depth && runsUnderTest(queue).length > 0;
}

function counts(queue: QueueSnapshot, { reds, streaks }: FlowStanding, { failure, streak }: RedAlone): boolean {
  // A time-out alone never fails an entry.
  if (reds < Math.max(redsNeeded(queue), failure.type === 'status' ? 1 : 2)) return false;
  return redsIn(queue, streak) < OUTAGE_FROM || streaks.length > 1;
}

function testedOnceMore(entry: Entry, now: Instant): StepResult {
  return changesOnly(stands(entry, { redAlone: null }), moved(entry, 'pending', 'bisection_required', now));
}

function fails(queue: QueueSnapshot, entry: Entry, { run, failure }: RedAlone, now: Instant): StepResult {
  const shown = { ...entry, state: 'pending_failure' } as const;
  const red = entry.state === shown.state ? NOTHING : changesOnly(moved(entry, shown.state, null, now, { run }));
  return combine(red, failForTests(shown, run, failure, now));
}
