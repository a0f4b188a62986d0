import type { Config } from '../../../src/platform/config/config';
import { readConfig } from '../../../src/platform/config/read-config';
import { fileKeyOf, SETTINGS, type SettingName } from '../../../src/platform/config/settings-table';
import { markdownTable, rowsByCode } from './table';

/** Variables with their values and defaults. People write the last column, and defaults that are no constants. */
export function variablesBlock(present: string): string {
  const known = rowsByCode(present);
  const defaults = readConfig({});
  const places = [...known.keys()];
  const names = (Object.keys(SETTINGS) as SettingName[]).sort((a, b) => placeOf(a, places) - placeOf(b, places));
  const rows = names.map((name) => {
    return [
      `\`${name}\``,
      valuesOf(name),
      defaultOf(name, defaults) ?? known.get(name)?.[2] ?? '',
      known.get(name)?.[3] ?? '',
    ];
  });
  return markdownTable(['Variable', 'Values', 'Default', 'Meaning'], rows);
}

/** A new variable comes last. */
function placeOf(name: SettingName, places: readonly string[]): number {
  return places.includes(name) ? places.indexOf(name) : places.length;
}

/** A number or a word is refused with a sentence that says which values are allowed. */
function valuesOf(name: SettingName): string {
  const kind = SETTINGS[name];
  if (kind === 'list') return 'a list, separated by commas';
  if (kind === 'hosts') return 'JSON, or the path of a JSON file';
  try {
    readConfig({ [name]: '?' });
  } catch (error) {
    const [, allowed = 'text'] = / must (?:be |begin with )(.+)\.$/.exec((error as Error).message) ?? [];
    return allowed.replace(/^one of /, '');
  }
  return 'text';
}

/** Undefined if the default depends on other settings. */
function defaultOf(name: SettingName, defaults: Config): string | undefined {
  if (SETTINGS[name] !== 'number' && SETTINGS[name] !== 'word') return undefined;
  const key = fileKeyOf(name) as keyof Config;
  const value = defaults[key];
  const withDatabase = readConfig({ DATABASE_URL: 'postgresql://localhost/sluice' })[key];
  return value === undefined || value !== withDatabase ? undefined : `\`${value as string | number}\``;
}
