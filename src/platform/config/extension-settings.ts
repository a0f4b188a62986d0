import { ConfigError } from './config';
import { choice, type Environment, givenBy, integer } from './environment';
import { extensionVariable } from './extension-variable';
import { FILE } from './file-settings';
import { processEnvironment } from './process-environment';

/** Reads one variable. Throws a ConfigError that names the variable and the allowed values. */
type Setting<T> = (env: Environment, variable: string) => T;

/** The kinds of settings for extensions. A text without a default is required. */
export const setting = {
  text:
    (rule: { readonly default?: string } = {}): Setting<string> =>
    (env, variable) => {
      const value = env[variable] || rule.default;
      if (value === undefined) throw new ConfigError(`${variable} is not set; the extension cannot work without it.`);
      return value;
    },
  wholeNumber:
    (rule: { readonly default: number; readonly from: number; readonly to: number }): Setting<number> =>
    (env, variable) =>
      integer(env, variable, rule),
  oneOf:
    <T extends string>(allowed: readonly T[], fallback: T): Setting<T> =>
    (env, variable) =>
      choice(env, variable, allowed, fallback),
} as const;

/**
 * Reads the settings of an extension: `retryLimit` of `acme` is the variable `SLUICE_EXT_ACME_RETRY_LIMIT`, and
 * `ext.acme.retryLimit` in the configuration file. Read all settings in one call, because other keys of the extension
 * in the file are refused. An empty variable counts as absent. Throws a ConfigError for the first wrong setting, which
 * stops the start.
 */
export function readExtensionSettings<T extends Readonly<Record<string, Setting<unknown>>>>(
  extension: string,
  settings: T,
  env: Environment = processEnvironment(),
): { readonly [Name in keyof T]: ReturnType<T[Name]> } {
  refuseUnknownExtensionKeys(extension, Object.keys(settings), env);
  const read = Object.entries(settings).map(
    ([name, one]) => [name, one(env, extensionVariable(extension, name))] as const,
  );
  return Object.freeze(Object.fromEntries(read)) as { readonly [Name in keyof T]: ReturnType<T[Name]> };
}

/** Throws a ConfigError for a key of the configuration file that the extension does not know. */
function refuseUnknownExtensionKeys(extension: string, names: readonly string[], env: Environment): void {
  const known = names.map((name) => extensionVariable(extension, name));
  const unknown = Object.entries(env[FILE]?.places ?? {}).find(
    ([variable, { key }]) => key.startsWith(`ext.${extension}.`) && !known.includes(variable),
  );
  if (unknown === undefined) return;
  throw new ConfigError(
    `${givenBy(env, unknown[0])} is not a setting of the extension ${extension}, which has ${names.join(', ')}.`,
  );
}
