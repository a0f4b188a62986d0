import { QUEUE_SETTINGS, type QueueSettingTable } from '../../domain/queue-settings';
import type { QueueSetting, ReturnedSettings } from '../../domain/setting-kinds';
import type { QueueState } from '../../engine/vocabulary';
import type { Queue } from '../../generated/prisma/client';
import type { QueueRecord } from './queue-record.dto';

export function queueRecord(row: Queue): QueueRecord {
  return {
    state: row.state as QueueState,
    branch: row.branch,
    ...returnedSettings(row),
    // What was asked for: `state` says that it is not in force yet.
    mode: (row.requestedMode ?? row.mode) as QueueRecord['mode'],
  };
}

function returnedSettings(row: Queue): ReturnedSettings<QueueSettingTable> {
  const columns: Readonly<Record<string, unknown>> = row;
  const settings = Object.entries<QueueSetting>(QUEUE_SETTINGS).map(([name, setting]): [string, unknown] => {
    const followed = 'follows' in setting && setting.follows !== undefined ? columns[setting.follows] : null;
    const value = columns[name] ?? followed;
    return [name, typeof value === 'bigint' ? Number(value) : value];
  });
  return Object.fromEntries(settings) as ReturnedSettings<QueueSettingTable>;
}
