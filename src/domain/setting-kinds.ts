import type { FreezeWindow } from '../engine/model';

/** A row of the table of queue settings. The types below are derived from such a table. */
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
   * The part of the service that uses the setting. `engine`: the engine; the setting is in its `QueueSettings` and
   * changes under the queue's lock. `mode switch`: the engine, but only after the running tests have ended. `user
   * requests`: the handling of commands and labels. `nothing`: the setting is only stored and returned.
   */
  readonly actedOnBy: 'engine' | 'mode switch' | 'user requests' | 'nothing';
  /** The effect of the setting, for users. Range, null and default are added where the text is shown. */
  readonly words: string;
  /** An example value, for a setting whose default is no good example. */
  readonly example?: unknown;
}

/** A request may send null for the setting, because its default cannot be requested in another way. */
interface MaybeNull {
  readonly nullMeans?: string;
}

interface Defaults<Value> {
  readonly default: Value;
  /** The value for queues that are older than the setting, so that they keep their behaviour. Absent: the default. */
  readonly whenAbsent?: Value;
}

/** A number in a range. The default may lie outside the range, such as 0 for off. */
interface IntegerSetting extends MaybeNull, Defaults<number | null> {
  readonly kind: 'integer';
  readonly range: { readonly minimum: number; readonly maximum: number };
  /** Set if null is a value of the setting and does not stand for its default. */
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

// A type alias, because Prisma does not accept an interface as JSON.
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

/** The settings in a request. A setting that is absent keeps its value. */
export type RequestedSettings<Table extends SettingTable> = {
  [Name in keyof Table]?: ValueOf<Table[Name]> | (Table[Name] extends { readonly nullMeans: string } ? null : never);
};

/** The settings as they are stored, with the mode. */
export type StoredSettings<Table extends SettingTable> = { [Name in keyof Table]: StoredValue<Table[Name]> };

/** The settings as records show them. */
export type ReturnedSettings<Table extends SettingTable> = {
  [Name in keyof Table]: Table[Name] extends { readonly follows: string }
    ? ValueOf<Table[Name]>
    : StoredValue<Table[Name]>;
};

/** The effect of the setting, and whether any part of the service uses it. */
export function describeSetting({ words, actedOnBy }: QueueSetting): string {
  return actedOnBy === 'nothing' ? `${words} The queue stores and returns this setting, and does not use it.` : words;
}

/** The default in words: "Default: 300.", "Null, the default: off." or "Default: 10. Null: off." */
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
