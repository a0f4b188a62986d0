import type { Change } from '../changes';
import type { Entry, QueueSnapshot } from '../model';
import { lineOf } from '../policy/line';
import { combine, changesOnly, ended, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { isProven } from '../policy/proof';
import { endSearch, membersOf, type ReturnedGroup, sendBack, smallerThan } from '../policy/search-end';
import { holdsSlot } from '../states';
import type { Instant } from '../vocabulary';

/**
 * The other mode comes into force once nothing is built, tested or being landed; what another run proved waits for no
 * test any more. Everything that is in the line or in a search goes back to waiting in the order in which it stands, and
 * is judged by the new mode.
 */
export function finishModeSwitch(queue: QueueSnapshot, now: Instant): StepResult {
  const { state, requestedMode, stateAfterSwitch } = queue;
  if (state !== 'switching_modes' || requestedMode === null || stateAfterSwitch === null) return NOTHING;
  if (queue.landing !== null || queue.runs.some((run) => holdsSlot(run.phase) && !isProven(queue, run))) return NOTHING;
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

/** What was one batch of a line need not be one of a lane. */
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
