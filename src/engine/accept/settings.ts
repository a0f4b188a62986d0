import type { Change } from '../changes';
import type { Refused } from '../decision';
import type { SettingsChanged } from '../events';
import type { QueueSnapshot } from '../model';
import { changesOnly, type Outcome } from '../policy/outcome';

/** Applies to what starts later: a run keeps what it started with, and a smaller concurrency stops nothing. */
export function changeSettings(queue: QueueSnapshot, event: SettingsChanged): Outcome {
  const changes: Change[] = [];
  if (Object.keys(event.settings).length > 0)
    changes.push({ type: 'settingsChanged', settings: event.settings, actor: event.actor });
  if (event.mode !== undefined && event.mode !== queue.mode)
    changes.push({ type: 'modeChanged', mode: event.mode, requested: null, actor: event.actor });
  if (event.state !== undefined && event.state !== queue.state)
    changes.push({
      type: 'queueMoved',
      from: queue.state,
      to: event.state,
      stateAfterSwitch: null,
      actor: event.actor,
    });
  return changesOnly(...changes);
}

/** A queue goes only when it is empty; not_ready entries count. */
export function deleteQueue(activeEntries: number): Outcome | Refused {
  if (activeEntries === 0) return changesOnly({ type: 'queueDeleted' });
  const message = `${activeEntries} pull request(s) are still in the queue: cancel them or wait until they have merged`;
  return { type: 'refused', refusal: { code: 'QUEUE_HAS_ACTIVE_ENTRIES', message } };
}
