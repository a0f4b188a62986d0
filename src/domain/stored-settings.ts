import { ENGINE_SETTINGS, QUEUE_SETTINGS, type QueueSettingTable } from './queue-settings';
import { type QueueSetting, type SettingTable, type StoredSettings, storesNull } from './setting-kinds';

/** The settings without the mode, which is part of the queue's state and has columns of its own. */
type Stored<Table extends SettingTable> = {
  [Name in keyof Table as Table[Name]['actedOnBy'] extends 'mode switch' ? never : Name]: StoredSettings<Table>[Name];
};
/** The names of the settings whose default contains the brand of the service. */
type Branded<Table extends SettingTable> = {
  [Name in keyof Table]: Table[Name]['default'] extends `${string}<brand>${string}` ? Name : never;
}[keyof Table];

/** `Queue.settings`: every setting but the mode. */
export type StoredQueueSettings = Stored<QueueSettingTable>;
/** The settings that can be read without knowing the brand of the service. */
export type UnbrandedSettings = Omit<StoredQueueSettings, Branded<QueueSettingTable>>;

/**
 * Decodes `Queue.settings`. If a setting is absent, the queue is older than the setting: it gets `whenAbsent` or its
 * default. Settings that only a newer version of Sluice knows are left out, and a choice that only a newer version
 * knows is kept. Without `brand`, a setting whose default contains the brand may be absent. Throws for a value of the
 * wrong kind, because the queue must not use a default in its place.
 */
export function readQueueSettings(stored: unknown): UnbrandedSettings;
export function readQueueSettings(stored: unknown, brand: string): StoredQueueSettings;
export function readQueueSettings(stored: unknown, brand?: string): UnbrandedSettings {
  return decodeSettings(QUEUE_SETTINGS, stored, brand);
}

/** Like `readQueueSettings`, for any table. */
export function decodeSettings<Table extends SettingTable>(
  table: Table,
  stored: unknown,
  brand?: string,
): Stored<Table> {
  const document = stored as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const [name, setting] of rowsOf(table)) {
    const value = document[name];
    if (value === undefined) {
      const absent = setting.whenAbsent === undefined ? setting.default : setting.whenAbsent;
      if (brand !== undefined || !isBranded(absent)) read[name] = withBrand(absent, brand ?? '');
    } else {
      requireKind(name, setting, value);
      read[name] = value;
    }
  }
  return read as Stored<Table>;
}

/**
 * Every setting of a new queue. All settings are stored, so that a changed default in a later version does not change
 * the queue.
 */
export function initialSettings(brand: string): StoredQueueSettings {
  const defaults = rowsOf(QUEUE_SETTINGS).map(([name, setting]) => [name, withBrand(setting.default, brand)]);
  return Object.fromEntries(defaults) as StoredQueueSettings;
}

type EngineSettings = Pick<UnbrandedSettings, (typeof ENGINE_SETTINGS)[number]>;

/** The settings that the engine uses. */
export function engineSettings(settings: UnbrandedSettings): EngineSettings;
export function engineSettings(settings: object): Partial<EngineSettings>;
export function engineSettings(settings: object): Partial<EngineSettings> {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  const names = ENGINE_SETTINGS.filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

const rows = new WeakMap<SettingTable, readonly (readonly [string, QueueSetting])[]>();

/** The rows of a table, computed once for each table, because every decision needs them. */
function rowsOf(table: SettingTable): readonly (readonly [string, QueueSetting])[] {
  let known = rows.get(table);
  if (known === undefined) {
    known = Object.entries(table).filter(([, { actedOnBy }]) => actedOnBy !== 'mode switch');
    rows.set(table, known);
  }
  return known;
}

function isBranded(value: unknown): boolean {
  return typeof value === 'string' && value.includes('<brand>');
}

function withBrand(value: unknown, brand: string): unknown {
  return typeof value === 'string' ? value.replace('<brand>', brand) : value;
}

function requireKind(name: string, setting: QueueSetting, value: unknown): void {
  if (value === null ? mayBeNull(setting) : isOfKind(setting, value)) return;
  throw new Error(`The stored queue setting ${name} is ${JSON.stringify(value)}, but its kind is ${setting.kind}.`);
}

function mayBeNull(setting: QueueSetting): boolean {
  return setting.default === null || setting.whenAbsent === null || storesNull(setting);
}

function isOfKind({ kind }: QueueSetting, value: unknown): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
    case 'text':
      return typeof value === 'string';
    default:
      return Array.isArray(value);
  }
}
