import type { Change } from '../changes';
import { isFlow, isOutsideFlow, requestedScheduling } from '../flow-facts/scheduling';
import type { Entry, QueueSnapshot } from '../model';
import { lineOf } from '../policy/line';
import { comparePending } from '../policy/order';
import { combine, changesOnly, ended, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { isProven } from '../policy/proof';
import { endSearch, membersOf, type ReturnedGroup, sendBack, smallerThan } from '../policy/search-end';
import { holdsSlot, isConcluded } from '../states';
import type { Instant } from '../vocabulary';

/**
 * The new mode or scheduling comes into force once nothing is being built, tested or landed, apart from tests of proven
 * runs. All entries in the line, in a bisection or in flow scheduling then wait again, in their present order, and
 * their readiness is checked again.
 */
export function finishModeSwitch(queue: QueueSnapshot, now: Instant): StepResult {
  const { state, stateAfterSwitch } = queue;
  if (state !== 'switching_modes' || stateAfterSwitch === null) return NOTHING;
  if (queue.landing !== null || queue.runs.some((run) => holdsSlot(run) && !isProven(queue, run))) return NOTHING;
  const inLine = lineOf(queue).flatMap((group) => group.entries);
  const inProgress = isFlow(queue) ? inProgressInFlow(queue) : inLine;
  const moved: Change = { type: 'queueMoved', from: state, to: stateAfterSwitch, stateAfterSwitch: null, actor: null };
  return combine(
    ...queue.runs.map((run) => ended(run, 'rebuild_required')),
    ...queue.searches.map((search) => endSearch(queue, search, 'mode_switched')),
    changesOnly(...outOfLine(inLine)),
    sendBack([asItStood(inProgress), ...searched(queue)], queue.nextOrder, now),
    changesOnly(...whatComesIntoForce(queue), moved),
  );
}

function whatComesIntoForce(queue: QueueSnapshot): readonly Change[] {
  const { requestedMode } = queue;
  const scheduling = requestedScheduling(queue);
  return [
    ...(requestedMode === null
      ? []
      : [{ type: 'modeChanged', mode: requestedMode, requested: null, actor: null } as const]),
    ...(scheduling === null ? [] : [{ type: 'schedulingChanged', scheduling } as const]),
  ];
}

/** Entries that have a run or standing in flow scheduling, which are useless after the switch. */
function inProgressInFlow({ entries }: QueueSnapshot): readonly Entry[] {
  return entries
    .filter(({ state }) => !isConcluded(state) && state !== 'not_ready')
    .filter((entry) => entry.state !== 'pending' || !isOutsideFlow(entry))
    .sort(comparePending);
}

/** Dissolves the batches, because entries of one batch may be in different lanes. */
function asItStood(entries: readonly Entry[]): ReturnedGroup {
  return { entries, batchedWith: 'any', because: 'rebuild_required', batchAtMost: null };
}

function searched(queue: QueueSnapshot): readonly ReturnedGroup[] {
  return queue.searches.map((search) => ({
    entries: membersOf(queue, search.members),
    because: 'rebuild_required',
    batchAtMost: smallerThan(search),
  }));
}
