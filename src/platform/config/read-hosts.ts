import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type HostConfig } from './config';
import type { Environment } from './environment';

const NAME = 'SLUICE_HOSTS';
const DEFAULT_POLL_SECONDS = 5;
/** GitHub tells what happens; the look is for what got lost, and has a rate limit. */
const GITHUB_POLL_SECONDS = 60;
const LONGEST_POLL_SECONDS = 86_400;

/** `SLUICE_HOSTS` is JSON or the path of a JSON file. Without it: one plain git host, `local`, under the data directory. */
export function readHosts(env: Environment, dataDirectory: string): readonly HostConfig[] {
  const text = env[NAME]?.trim();
  if (!text) return [frozen(localHost(dataDirectory))];
  const entries = parse(text);
  if (!Array.isArray(entries) || entries.length === 0) throw mustBe('a JSON array with at least one host');
  const hosts = entries.map((entry, index) => readHost(entry, `entry ${index + 1}`));
  const twice = hosts.find((host, index) => hosts.findIndex((other) => other.host === host.host) !== index);
  if (twice)
    throw new ConfigError(
      `${NAME} names the host ${JSON.stringify(twice.host)} twice, but each host must have one entry.`,
    );
  return Object.freeze(hosts.map(frozen));
}

function localHost(dataDirectory: string): HostConfig {
  const url = join(dataDirectory, 'repositories', '{owner}', '{name}.git');
  return { host: 'local', kind: 'git', url, pollSeconds: DEFAULT_POLL_SECONDS, settings: {} };
}

function parse(text: string): unknown {
  const inline = text.startsWith('[') || text.startsWith('{');
  try {
    return JSON.parse(inline ? text : readFileSync(resolve(text), 'utf8')) as unknown;
  } catch {
    // The text is not repeated: it may hold secrets.
    throw inline
      ? mustBe('valid JSON')
      : mustBe(`JSON or the path of a readable JSON file, and ${resolve(text)} is neither`);
  }
}

function readHost(entry: unknown, where: string): HostConfig {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw mustBe(`an array of objects, and ${where} is none`);
  }
  const { host, kind, url, pollSeconds: given, ...settings } = entry as Record<string, unknown>;
  if (typeof host !== 'string' || !/^[a-z0-9][a-z0-9.-]{0,252}(:\d{1,5})?$/i.test(host)) {
    throw mustBe(`an array whose entries have a "host" such as "git.example", and ${where} has none`);
  }
  if (typeof kind !== 'string' || !/^[a-z][a-z0-9-]*$/.test(kind)) {
    throw mustBe(`an array whose entries have a "kind" such as "git", and ${where} (${host}) has none`);
  }
  if (url !== undefined && typeof url !== 'string') {
    throw mustBe(`an array whose entries have a "url" that is text, and that of ${where} (${host}) is not`);
  }
  const pollSeconds = given ?? (kind === 'github' ? GITHUB_POLL_SECONDS : DEFAULT_POLL_SECONDS);
  if (typeof pollSeconds !== 'number' || !(pollSeconds > 0 && pollSeconds <= LONGEST_POLL_SECONDS)) {
    throw mustBe(
      `an array whose "pollSeconds" are numbers up to ${LONGEST_POLL_SECONDS}, and that of ${where} (${host}) is not`,
    );
  }
  return { host: host.toLowerCase(), kind, url, pollSeconds, settings };
}

function frozen(host: HostConfig): HostConfig {
  return Object.freeze({ ...host, settings: Object.freeze(host.settings) });
}

function mustBe(what: string): ConfigError {
  return new ConfigError(`${NAME} must be ${what}.`);
}
