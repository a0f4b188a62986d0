import { acceptEvent } from './accept-event';
import type { Change } from './changes';
import type { Command } from './commands';
import type { Decision } from './decision';
import type { QueueEvent } from './events';
import { evolve } from './evolve';
import { FLOW_STEPS } from './flow/flow-steps';
import { isFlow } from './flow-facts/scheduling';
import type { QueueSnapshot } from './model';
import type { StepResult, Step } from './policy/step-result';
import { blameFailedRun } from './steps/blame-failed-run';
import { concludeDryRuns } from './steps/conclude-dry-runs';
import { finishModeSwitch } from './steps/finish-mode-switch';
import { followNeeds } from './steps/follow-needs';
import { followPullRequests } from './steps/follow-pull-requests';
import { followRuns } from './steps/follow-runs';
import { checkReadiness, recheckPending } from './steps/check-readiness';
import { dropLostResult, loseReadiness } from './steps/lose-readiness';
import { evaluateRuns } from './steps/evaluate-runs';
import { landPassedRun } from './steps/land-passed-run';
import { placeUrgent } from './steps/place-urgent';
import { rebuildRuns } from './steps/rebuild-runs';
import { settleSearches } from './steps/settle-searches';
import { startNextRun } from './steps/start-next-run';
import { startSearchRuns } from './steps/start-search-runs';
import { takeSearchResults } from './steps/take-search-results';
import { askTarget, testTarget } from './steps/test-target';
import { yieldSlotToUrgent } from './steps/yield-slot-to-urgent';
import type { Instant } from './vocabulary';
import { areStatusesByHand } from './policy/order';
import { wakeTime } from './wake-time';

/**
 * The rules of sequential and parallel mode, in their order. When a rule changes something, all rules run again.
 *
 *     event ──▶ accept ──▶ facts
 *                            │
 *     ┌──────────────────────▼───────────────────────────────────────────────────┐
 *     │ pull requests   gone or changed? dependencies met? ready?                │
 *     │      ▼                                                                   │
 *     │ results         the state of each entry, statuses, time-outs             │
 *     │      ▼                                                                   │
 *     │ bisections      take their results, end them                             │◀──┐
 *     │      ▼                                                                   │   │
 *     │ bases           rebuild a run that is off its base, blame a failed one   │   │ a change:
 *     │      ▼                                                                   │   │ again from
 *     │ merges          test the target, end dry runs, merge what passed         │   │ the top
 *     │      ▼                                                                   │   │
 *     │ order           switch the mode, place urgent entries, free their slot   │───┘
 *     │      ▼                                                                   │
 *     │ free slots      the next run, a test of the target, bisections           │
 *     └──────────────────────┬───────────────────────────────────────────────────┘
 *                            ▼ no change
 *                 decision: changes, commands, wakeAt
 */
export const STEPS: readonly Step[] = [
  // pull requests
  followPullRequests,
  followNeeds,
  loseReadiness,
  dropLostResult,
  checkReadiness,
  recheckPending,
  // results
  followRuns,
  evaluateRuns,
  // bisections
  takeSearchResults,
  settleSearches,
  // bases
  rebuildRuns,
  blameFailedRun,
  // merges
  testTarget,
  concludeDryRuns,
  landPassedRun,
  // order
  finishModeSwitch,
  placeUrgent,
  yieldSlotToUrgent,
  // free slots
  startNextRun,
  askTarget,
  startSearchRuns,
];

/**
 * Decides what one event means for a queue: the event changes facts, the steps derive everything else.
 * @throws when the steps do not come to rest, which is a bug: the transaction is to be abandoned.
 */
export function decide(before: QueueSnapshot, event: QueueEvent, now: Instant): Decision {
  const accepted = acceptEvent(before, event, now);
  if ('type' in accepted) return accepted;
  let so = fold({ after: before, changes: [], commands: [] }, accepted);
  for (let rounds = 0; rounds < roundsAtMost(before); rounds++) {
    const outcome = firstOutcome(so.after, now);
    if (outcome === null) return { type: 'decided', ...so, wakeAt: nextLook(before, so.after, now) };
    so = fold(so, outcome);
  }
  throw new Error(`the queue ${before.id} still has changes to make after ${event.type}`);
}

/**
 * The time of the next decision. At once, if more entries must be loaded: entries checked in the old mode, or entries
 * held back because of another mode, tip or source of required statuses.
 */
function nextLook(before: QueueSnapshot, after: QueueSnapshot, now: Instant): Instant | null {
  const isReleased = before.moreToLoad.held && isOtherConfig(before, after);
  const isSwitched = after.mode !== before.mode || isFlow(after) !== isFlow(before);
  return isSwitched || isReleased ? now : wakeTime(after, now);
}

function isOtherConfig(before: QueueSnapshot, after: QueueSnapshot): boolean {
  return before.tip?.commit !== after.tip?.commit || areStatusesByHand(before) !== areStatusesByHand(after);
}

/** Every round concludes, moves or starts something of a bounded snapshot. */
function roundsAtMost(queue: QueueSnapshot): number {
  return 100 + 10 * (queue.entries.length + queue.runs.length);
}

function firstOutcome(queue: QueueSnapshot, now: Instant): StepResult | null {
  for (const step of isFlow(queue) ? FLOW_STEPS : STEPS) {
    const outcome = step(queue, now);
    if (outcome.changes.length > 0) return outcome;
  }
  return null;
}

interface Accumulated {
  readonly after: QueueSnapshot;
  readonly changes: readonly Change[];
  readonly commands: readonly Command[];
}

function fold(acc: Accumulated, result: StepResult): Accumulated {
  return {
    after: result.changes.reduce(evolve, acc.after),
    changes: [...acc.changes, ...result.changes],
    commands: [...acc.commands, ...result.commands],
  };
}
