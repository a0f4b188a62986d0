import { QUEUE_SETTINGS, type QueueSettingTable } from '../../domain/queue-settings';
import type { QueueSetting, ReturnedSettings } from '../../domain/setting-kinds';
import { readQueueSettings } from '../../domain/stored-settings';
import type { QueueState } from '../../engine/vocabulary';
import type { Queue } from '../../generated/prisma/client';
import type { QueueRecord } from './queue-record.dto';

export function queueRecord(row: Queue, brand: string): QueueRecord {
  return {
    state: row.state as QueueState,
    branch: row.branch,
    // The requested mode: `state` says whether this mode is in effect yet.
    ...returnedSettings({ ...readQueueSettings(row.settings, brand), mode: row.requestedMode ?? row.mode }),
  };
}

function returnedSettings(stored: Readonly<Record<string, unknown>>): ReturnedSettings<QueueSettingTable> {
  const settings = Object.entries<QueueSetting>(QUEUE_SETTINGS).map(([name, setting]): [string, unknown] => {
    const followed = 'follows' in setting && setting.follows !== undefined ? stored[setting.follows] : null;
    return [name, stored[name] ?? followed];
  });
  return Object.fromEntries(settings) as ReturnedSettings<QueueSettingTable>;
}
