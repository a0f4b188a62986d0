import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type HostEntry } from './config';
import { isHostName } from '../repository-name';
import { type Environment, givenBy } from './environment';

const NAME = 'SLUICE_HOSTS';
/** Makes the error for a wrong list of hosts. */
type Refusal = (what: string) => ConfigError;

const LONGEST_POLL_SECONDS = 86_400;

/** `SLUICE_HOSTS` is JSON or the path of a JSON file. Absent: no entries. */
export function readHosts(env: Environment): readonly HostEntry[] {
  const text = env[NAME]?.trim();
  if (!text) return Object.freeze([]);
  const subject = givenBy(env, NAME);
  const mustBe: Refusal = (what) => new ConfigError(`${subject} must be ${what}.`);
  const entries = parse(text, mustBe);
  if (!Array.isArray(entries) || entries.length === 0) throw mustBe('a JSON array with at least one host');
  const hosts = entries.map((entry, index) => readHost(entry, `entry ${index + 1}`, mustBe));
  const twice = hosts.find((host, index) => hosts.findIndex((other) => other.host === host.host) !== index);
  if (twice)
    throw new ConfigError(
      `${subject} names the host ${JSON.stringify(twice.host)} twice, but each host must have one entry.`,
    );
  return Object.freeze(hosts.map(frozen));
}

/** Absolute. Undefined: no file, or the variable holds the JSON itself. */
export function hostsFileOf(env: Environment): string | undefined {
  const text = env[NAME]?.trim();
  return text && !isJson(text) ? resolve(text) : undefined;
}

function isJson(text: string): boolean {
  return text.startsWith('[') || text.startsWith('{');
}

function parse(text: string, mustBe: Refusal): unknown {
  const inline = isJson(text);
  try {
    return JSON.parse(inline ? text : readFileSync(resolve(text), 'utf8')) as unknown;
  } catch {
    // The error does not repeat the text, because it may hold secrets.
    throw inline
      ? mustBe('valid JSON')
      : mustBe(`JSON or the path of a readable JSON file, and ${resolve(text)} is neither`);
  }
}

function readHost(entry: unknown, where: string, mustBe: Refusal): HostEntry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw mustBe(`an array of objects, and ${where} is none`);
  }
  const { host, kind, url, pollSeconds, ...settings } = entry as Record<string, unknown>;
  if (typeof host !== 'string' || !isHostName(host)) {
    throw mustBe(`an array whose entries have a "host" such as "git.example", and ${where} has none`);
  }
  if (typeof kind !== 'string' || !/^[a-z][a-z0-9-]*$/.test(kind)) {
    throw mustBe(`an array whose entries have a "kind" such as "git", and ${where} (${host}) has none`);
  }
  if (url !== undefined && typeof url !== 'string') {
    throw mustBe(`an array whose entries have a "url" that is text, unlike the "url" of ${where} (${host})`);
  }
  if (pollSeconds != null && !isPollInterval(pollSeconds)) {
    throw mustBe(
      `an array whose "pollSeconds" are numbers up to ${LONGEST_POLL_SECONDS}, unlike the "pollSeconds" of ${where} (${host})`,
    );
  }
  return { host: host.toLowerCase(), kind, url, pollSeconds: pollSeconds ?? undefined, settings };
}

function isPollInterval(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= LONGEST_POLL_SECONDS;
}

function frozen(host: HostEntry): HostEntry {
  return Object.freeze({ ...host, settings: Object.freeze(host.settings) });
}
