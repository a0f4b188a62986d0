import { QUEUE_SETTINGS, type QueueSettingName } from '../../domain/queue-settings';
import { type QueueSetting, storesNull } from '../../domain/setting-kinds';
import { initialSettings, type StoredQueueSettings } from '../../domain/stored-settings';
import type { QueueSettingsRequest } from './queue-settings.dto';

/** The settings in the request, in their stored form, without mode and state, which change by other means. */
export function settingsPatch(request: QueueSettingsRequest): Partial<StoredQueueSettings> {
  const names = Object.keys(QUEUE_SETTINGS) as QueueSettingName[];
  const named = names.filter((name) => name !== 'mode' && request[name] !== undefined);
  const patch = Object.fromEntries(named.map((name) => [name, storedValue(QUEUE_SETTINGS[name], request[name])]));
  return { ...patch, ...(request.deleteRequiredStatuses ? { requiredStatuses: [] } : {}) };
}

/** The columns of a new queue that a request decides. */
export function requestedNewQueue(request: QueueSettingsRequest, brand: string) {
  const { state = 'running', mode = QUEUE_SETTINGS.mode.default } = request;
  return { state, mode, settings: { ...initialSettings(brand), ...settingsPatch(request) } };
}

/** Null resets a setting to its default, unless null is a value of the setting. */
function storedValue(setting: QueueSetting, value: unknown): unknown {
  if (value === null) return storesNull(setting) ? null : setting.default;
  switch (setting.kind) {
    case 'names':
      return [...new Set(value as readonly string[])];
    case 'batching rules':
      return (value as StoredQueueSettings['batchingRules']).map(({ targetPattern, policy }) => ({
        targetPattern,
        policy,
      }));
    case 'status reporters':
      return (value as StoredQueueSettings['statusReporters']).map(({ name, reporter }) => ({ name, reporter }));
    case 'freeze windows':
      return (value as StoredQueueSettings['freezeWindows']).map(
        ({ days, from, to, timeZone, exceptPriorityAtMost = null }) => {
          return { days: [...new Set(days)], from, to, timeZone, exceptPriorityAtMost };
        },
      );
    default:
      return value;
  }
}
