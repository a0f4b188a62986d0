import { ConfigError } from './config';
import { choice, type Environment, integer } from './environment';

/** Reads one variable. Throws a ConfigError that names it and what is allowed. */
type Setting<T> = (env: Environment, variable: string) => T;

/** The kinds of settings that an extension can have. A text without a default must be given. */
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
 * The settings of an extension, from variables of the environment: `retryLimit` of `acme` is `SLUICE_EXT_ACME_RETRY_LIMIT`.
 * An empty variable counts as absent. Throws a ConfigError for the first one that is wrong, which stops the start.
 */
export function readExtensionSettings<T extends Readonly<Record<string, Setting<unknown>>>>(
  extension: string,
  settings: T,
  env: Environment = process.env,
): { readonly [Name in keyof T]: ReturnType<T[Name]> } {
  const read = Object.entries(settings).map(([name, one]) => [name, one(env, variableOf(extension, name))] as const);
  return Object.freeze(Object.fromEntries(read)) as { readonly [Name in keyof T]: ReturnType<T[Name]> };
}

function variableOf(extension: string, name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return `SLUICE_EXT_${extension}_${words}`.toUpperCase();
}
