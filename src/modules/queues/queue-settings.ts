import {
  ENGINE_SETTINGS,
  QUEUE_SETTINGS,
  type QueueSettingName,
  type QueueSettingTable,
} from '../../domain/queue-settings';
import { type QueueSetting, type RequestedSettings, type StoredSettings, storesNull } from '../../domain/setting-kinds';
import type { QueueSettings } from '../../engine/model';
import type { Prisma } from '../../generated/prisma/client';
import type { QueueSettingsRequest } from './queue-settings.dto';

type Stored = StoredSettings<QueueSettingTable>;
type EngineSettings = Pick<Stored, (typeof ENGINE_SETTINGS)[number]>;
type ColumnSettings = Omit<Stored, keyof EngineSettings | 'mode'>;

const OF_ENGINE: readonly (keyof QueueSettings)[] = ENGINE_SETTINGS;

/** What the engine decides on: changed only by an event, under the queue's lock. */
export function engineSettings(request: QueueSettingsRequest): Partial<EngineSettings> {
  const changed = changedSettings(request);
  const own = Object.entries(changed).filter(([name]) => isOfEngine(name));
  return { ...Object.fromEntries(own), ...(request.deleteRequiredStatuses ? { requiredStatuses: [] } : {}) };
}

/** What the engine does not know: plain columns. */
export function columnSettings(request: QueueSettingsRequest): Partial<ColumnSettings> {
  const changed = Object.entries(changedSettings(request));
  return Object.fromEntries(changed.filter(([name]) => !isOfEngine(name) && name !== 'mode'));
}

/** A new queue before its request. */
export function defaultSettings(brand: string) {
  const defaults = Object.entries<QueueSetting>(QUEUE_SETTINGS).map(([name, setting]) => [
    name,
    setting.kind === 'text' && setting.default !== null ? setting.default.replace('<brand>', brand) : setting.default,
  ]);
  return {
    state: 'running',
    ...(Object.fromEntries(defaults) as Stored),
  } satisfies Partial<Prisma.QueueUncheckedCreateInput>;
}

/** The columns of a new queue as its request wants them. */
export function newQueueSettings(request: QueueSettingsRequest, brand: string) {
  const { state, mode } = request;
  return {
    ...defaultSettings(brand),
    ...engineSettings(request),
    ...columnSettings(request),
    ...(state && { state }),
    ...(mode && { mode }),
  };
}

/** The settings that the request names, as the columns have them. */
function changedSettings(request: RequestedSettings<QueueSettingTable>): Partial<Stored> {
  const names = Object.keys(QUEUE_SETTINGS) as QueueSettingName[];
  const named = names.filter((name) => request[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, storedValue(QUEUE_SETTINGS[name], request[name])]));
}

/** Null puts a setting back to its default, if it is no value of its own. */
function storedValue(setting: QueueSetting, value: unknown): unknown {
  if (value === null) return storesNull(setting) ? null : setting.default;
  switch (setting.kind) {
    case 'names':
      return [...new Set(value as readonly string[])];
    case 'batching rules':
      return (value as Stored['batchingRules']).map(({ targetPattern, policy }) => ({ targetPattern, policy }));
    case 'status reporters':
      return (value as Stored['statusReporters']).map(({ name, reporter }) => ({ name, reporter }));
    case 'freeze windows':
      return (value as Stored['freezeWindows']).map(({ days, from, to, timeZone, exceptPriorityAtMost = null }) => {
        return { days: [...new Set(days)], from, to, timeZone, exceptPriorityAtMost };
      });
    default:
      return value;
  }
}

function isOfEngine(name: string): boolean {
  return (OF_ENGINE as readonly string[]).includes(name);
}
