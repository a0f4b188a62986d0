import type { Change } from '../changes';
import type { Refused } from '../decision';
import type { SettingsChanged } from '../events';
import { requestedScheduling, schedulingOf } from '../flow-facts/scheduling';
import { counted } from '../wording/words';
import type { QueueSnapshot } from '../model';
import { misfitOfSettings } from '../settings-fit';
import { changesOnly, type StepResult } from '../policy/step-result';
import type { QueueMode, Scheduling } from '../vocabulary';

/** New settings apply to later runs: a run keeps its settings, and a lower concurrency stops no run. */
export function changeSettings(queue: QueueSnapshot, event: SettingsChanged): StepResult | Refused {
  const { requestedMode } = queue;
  const scheduling = requestedScheduling(queue);
  if (requestedMode !== null && event.mode !== undefined && event.mode !== requestedMode)
    return switching('mode', requestedMode);
  if (scheduling !== null && (event.settings.scheduling ?? scheduling) !== scheduling)
    return switching('scheduling', scheduling);
  const misfit = misfitOfSettings({ ...queue.settings, ...event.settings }, event.mode ?? requestedMode ?? queue.mode);
  if (misfit !== null) return misfit;
  const changes: Change[] = [];
  const settings = { ...event.settings, ...(event.state === 'running' && { pauseReason: null }) };
  if (Object.keys(event.settings).length > 0 || (event.state === 'running' && queue.settings.pauseReason !== null))
    changes.push({ type: 'settingsChanged', settings, actor: event.actor });
  if (event.mode !== undefined && event.mode !== (requestedMode ?? queue.mode))
    changes.push({ type: 'modeChanged', mode: queue.mode, requested: event.mode, actor: event.actor });
  return changesOnly(...changes, ...movesOf(queue, event));
}

/**
 * A new mode or scheduling waits until nothing is in flight. A state requested meanwhile takes effect after the switch.
 */
function movesOf(queue: QueueSnapshot, event: SettingsChanged): readonly Change[] {
  const { state: from, stateAfterSwitch } = queue;
  const { mode, state, actor } = event;
  const { scheduling = schedulingOf(queue) } = event.settings;
  if (from === 'switching_modes') {
    if (state === undefined || state === stateAfterSwitch) return [];
    return [{ type: 'queueMoved', from, to: from, stateAfterSwitch: state, actor }];
  }
  if ((mode !== undefined && mode !== queue.mode) || scheduling !== schedulingOf(queue))
    return [{ type: 'queueMoved', from, to: 'switching_modes', stateAfterSwitch: state ?? from, actor }];
  if (state === undefined || state === from) return [];
  return [{ type: 'queueMoved', from, to: state, stateAfterSwitch: null, actor }];
}

function switching(what: 'mode' | 'scheduling', to: QueueMode | Scheduling): Refused {
  const message = `the queue is switching to ${what} ${to}: try again when its state is no longer switching_modes`;
  return { type: 'refused', refusal: { code: 'MODE_CHANGE_IN_PROGRESS', message } };
}

/**
 * Only an empty queue can be deleted. `activeEntries`: the number of entries in the queue, with those that are not
 * ready.
 */
export function deleteQueue(queue: QueueSnapshot, activeEntries: number): StepResult | Refused {
  if (activeEntries === 0 && queue.runs.length === 0) return changesOnly({ type: 'queueDeleted' });
  // Somebody must learn whether a partial landing made the target fail.
  const message =
    activeEntries === 0
      ? 'the last merge is still being tested: wait until that test has ended'
      : `${counted(activeEntries, 'pull request')} still in the queue: cancel them, or wait until they have left it`;
  return { type: 'refused', refusal: { code: 'QUEUE_HAS_ACTIVE_ENTRIES', message } };
}
