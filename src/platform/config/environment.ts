import { ConfigError } from './config';
import { FILE, type FileSettings, placeIn } from './file-settings';

/**
 * `process.env`, or its replacement in a test, with the settings of a configuration file if there is one. An empty
 * value counts as absent, because container tools write absent values as empty values.
 */
export type Environment = Readonly<Record<string, string | undefined>> & { readonly [FILE]?: FileSettings };

/** The name of the variable, or its place in the configuration file if the value comes from there. */
export function givenBy(env: Environment, variable: string): string {
  const file = env[FILE];
  return (file && placeIn(file, variable)) ?? variable;
}

export function integer(env: Environment, name: string, range: { default: number; from: number; to: number }): number {
  const text = env[name];
  if (!text) return range.default;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= range.from && value <= range.to) return value;
  throw wrong(env, name, text, `a whole number from ${range.from} to ${range.to}`);
}

export function choice<T extends string>(env: Environment, name: string, allowed: readonly T[], fallback: T): T {
  const text = env[name];
  if (!text) return fallback;
  const found = allowed.find((value) => value === text.toLowerCase());
  if (found !== undefined) return found;
  throw wrong(env, name, text, `one of ${allowed.join(', ')}`);
}

export function matching(
  env: Environment,
  name: string,
  rule: { default: string; pattern: RegExp; allowed: string },
): string {
  const text = env[name];
  if (!text) return rule.default;
  if (rule.pattern.test(text)) return text;
  throw wrong(env, name, text, rule.allowed);
}

/** The error does not repeat the value, because a URL may contain a password. */
export function webAddress(env: Environment, name: string, protocols: readonly string[], fallback: string): string {
  const text = env[name] || fallback;
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol !== undefined && protocols.includes(protocol)) return text;
  throw new ConfigError(`${givenBy(env, name)} is not a valid address; it must begin with ${allowedStart(protocols)}.`);
}

function wrong(env: Environment, name: string, text: string, allowed: string): ConfigError {
  return new ConfigError(`${givenBy(env, name)} is ${JSON.stringify(text)}, but must be ${allowed}.`);
}

function allowedStart(protocols: readonly string[]): string {
  return protocols.map((protocol) => `${protocol}//`).join(' or ');
}
