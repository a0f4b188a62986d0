import type { FreezeWindow } from '../engine/model';

/** A row of the table of queue settings, and the types that follow from a table. */
export type QueueSetting = AnySetting &
  (
    | StatusReportersSetting
    | IntegerSetting
    | BooleanSetting
    | ChoiceSetting
    | TextSetting
    | NamesSetting
    | BatchingRulesSetting
    | FreezeWindowsSetting
  );

export type SettingTable = Readonly<Record<string, QueueSetting>>;

interface AnySetting {
  /**
   * engine: part of the engine's own `QueueSettings`, changed under the queue's lock. mode switch: as `engine`, but in
   * force only after the running tests have ended. user requests: looked up for commands and labels. nothing: only
   * stored and returned.
   */
  readonly actedOnBy: 'engine' | 'mode switch' | 'user requests' | 'nothing';
  /** The effect of the setting, for users. Range, null and default are added where the text is shown. */
  readonly words: string;
  /** For settings whose default is no good example. */
  readonly example?: unknown;
}

/** For settings that have no other way back to their default: a request may send null. */
interface MaybeNull {
  readonly nullMeans?: string;
}

interface Defaults<Value> {
  readonly default: Value;
  /** The value for queues that are older than the setting and keep the earlier behaviour. Absent: the default. */
  readonly whenAbsent?: Value;
}

/** The default may lie outside the range: 0 means off. */
interface IntegerSetting extends MaybeNull, Defaults<number | null> {
  readonly kind: 'integer';
  readonly range: { readonly minimum: number; readonly maximum: number };
  /** Null is a value, not the default. */
  readonly storesNull?: true;
  /** If this setting is null, a record shows the value of the named setting. */
  readonly follows?: string;
}

interface BooleanSetting extends Defaults<boolean> {
  readonly kind: 'boolean';
}

interface ChoiceSetting extends Defaults<string> {
  readonly kind: 'choice';
  readonly choices: readonly string[];
}

/** `<brand>` in the default stands for the configured brand of the service. */
interface TextSetting extends MaybeNull, Defaults<string | null> {
  readonly kind: 'text';
  readonly maxLength: number;
}

interface NamesSetting extends MaybeNull, Defaults<readonly string[]> {
  readonly kind: 'names';
}

interface BatchingRulesSetting extends Defaults<readonly Rule[]> {
  readonly kind: 'batching rules';
}

interface FreezeWindowsSetting extends Defaults<readonly FreezeWindow[]> {
  readonly kind: 'freeze windows';
}

interface StatusReportersSetting extends Defaults<readonly ReporterOfStatus[]> {
  readonly kind: 'status reporters';
}

type ReporterOfStatus = { name: string; reporter: string };

// Prisma accepts a type alias as JSON, but no interface.
type Rule = { targetPattern: string; policy: 'isolate' };

type ValueOf<Setting> = Setting extends IntegerSetting
  ? number
  : Setting extends BooleanSetting
    ? boolean
    : Setting extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : Setting extends TextSetting
        ? string
        : Setting extends NamesSetting
          ? string[]
          : Setting extends FreezeWindowsSetting
            ? FreezeWindow[]
            : Setting extends StatusReportersSetting
              ? ReporterOfStatus[]
              : Rule[];

type StoredValue<Setting> =
  | ValueOf<Setting>
  | (Setting extends { readonly default: null } | { readonly whenAbsent: null } | { readonly storesNull: true }
      ? null
      : never);

/** Settings in requests; an absent setting keeps its value. */
export type RequestedSettings<Table extends SettingTable> = {
  [Name in keyof Table]?: ValueOf<Table[Name]> | (Table[Name] extends { readonly nullMeans: string } ? null : never);
};

/** Settings as stored, the mode included. */
export type StoredSettings<Table extends SettingTable> = { [Name in keyof Table]: StoredValue<Table[Name]> };

/** Settings in records. */
export type ReturnedSettings<Table extends SettingTable> = {
  [Name in keyof Table]: Table[Name] extends { readonly follows: string }
    ? ValueOf<Table[Name]>
    : StoredValue<Table[Name]>;
};

/** The effect of the setting, and whether any part of the service uses it. */
export function describeSetting({ words, actedOnBy }: QueueSetting): string {
  return actedOnBy === 'nothing' ? `${words} Stored and returned only.` : words;
}

/** "Default: 300.", "Null, the default: off." or "Default: 10. Null: off." */
export function describeDefault(setting: QueueSetting): string {
  if (storesNull(setting)) return `Default: ${setting.default}. Null: ${setting.nullMeans}.`;
  if ('nullMeans' in setting && setting.nullMeans !== undefined) return `Null, the default: ${setting.nullMeans}.`;
  return `Default: ${isList(setting) ? 'an empty list' : setting.default}.`;
}

export function storesNull(setting: QueueSetting): setting is AnySetting & IntegerSetting {
  return setting.kind === 'integer' && setting.storesNull === true;
}

function isList(
  setting: QueueSetting,
): setting is AnySetting & (NamesSetting | BatchingRulesSetting | FreezeWindowsSetting | StatusReportersSetting) {
  return ['names', 'batching rules', 'freeze windows', 'status reporters'].includes(setting.kind);
}
