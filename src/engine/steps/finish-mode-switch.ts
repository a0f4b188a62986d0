import type { Change } from '../changes';
import type { Entry, QueueSnapshot } from '../model';
import { lineOf } from '../policy/line';
import { combine, changesOnly, ended, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { isProven } from '../policy/proof';
import { endSearch, membersOf, type ReturnedGroup, sendBack, smallerThan } from '../policy/search-end';
import { holdsSlot } from '../states';
import type { Instant } from '../vocabulary';

/**
 * The new mode applies once nothing is being built, tested or landed; tests of proven runs do not count. Everything in the
 * line or in a search then goes back to waiting, in its present order, and its readiness is checked again.
 */
export function finishModeSwitch(queue: QueueSnapshot, now: Instant): StepResult {
  const { state, requestedMode, stateAfterSwitch } = queue;
  if (state !== 'switching_modes' || requestedMode === null || stateAfterSwitch === null) return NOTHING;
  if (queue.landing !== null || queue.runs.some((run) => holdsSlot(run) && !isProven(queue, run))) return NOTHING;
  const inLine = lineOf(queue).flatMap((group) => group.entries);
  const mode: Change = { type: 'modeChanged', mode: requestedMode, requested: null, actor: null };
  const moved: Change = { type: 'queueMoved', from: state, to: stateAfterSwitch, stateAfterSwitch: null, actor: null };
  return combine(
    ...queue.runs.map((run) => ended(run, 'rebuild_required')),
    ...queue.searches.map((search) => endSearch(queue, search, 'mode_switched')),
    changesOnly(...outOfLine(inLine)),
    sendBack([lineAsItStood(inLine), ...searched(queue)], queue.nextOrder, now),
    changesOnly(mode, moved),
  );
}

/** The batches are dissolved: entries of one batch may be in different lanes. */
function lineAsItStood(entries: readonly Entry[]): ReturnedGroup {
  return { entries, batchedWith: 'any', because: 'rebuild_required', batchAtMost: null };
}

function searched(queue: QueueSnapshot): readonly ReturnedGroup[] {
  return queue.searches.map((search) => ({
    entries: membersOf(queue, search.members),
    because: 'rebuild_required',
    batchAtMost: smallerThan(search),
  }));
}
