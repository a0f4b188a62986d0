import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type HostConfig } from '../platform/config/config';

/**
 * Throws ConfigError for a setting that hosts of the kind do not have. No error message of this file contains a value.
 */
export function refuseUnknownSettings({ host, kind, settings }: HostConfig, known: readonly string[]): void {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `SLUICE_HOSTS: ${host} has the setting "${unknown}", but a ${kind} host knows only ${known.join(', ')}.`,
  );
}

/**
 * The value of the setting `name`, or the content of the file that the setting `<name>File` names. Null if neither is
 * set.
 */
export function secretSetting(config: HostConfig, name: string): string | null {
  const value = textSetting(config, name);
  const file = textSetting(config, `${name}File`);
  if (file === null) return value;
  if (value !== null) throw new ConfigError(`SLUICE_HOSTS: ${config.host} has both "${name}" and "${name}File".`);
  const content = contentOf(config, name, file).trim();
  if (content !== '') return content;
  throw new ConfigError(`SLUICE_HOSTS: the file that "${name}File" of ${config.host} names is empty.`);
}

function contentOf({ host }: HostConfig, name: string, file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8');
  } catch {
    throw new ConfigError(`SLUICE_HOSTS: "${name}File" of ${host} names ${resolve(file)}, which cannot be read.`);
  }
}

/** The setting as a URL to which secrets may be sent, without a slash at the end. */
export function addressSetting(config: HostConfig, name: string, usual: string): string {
  const value = textSetting(config, name) ?? usual;
  const url = URL.canParse(value) ? new URL(value) : null;
  // Tokens are sent to this URL, so unencrypted HTTP is allowed only to this machine.
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url !== null && isFit && url.username === '' && url.password === '') return value.replace(/\/+$/, '');
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${config.host} must be an https:// address without a user name.`);
}

/** The value of a text setting; null if it is not set. */
export function textSetting({ host, settings }: HostConfig, name: string): string | null {
  const value = settings[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${host} must be text that is not empty.`);
}

/** The value of a yes-or-no setting; false if it is not set. */
export function flagSetting({ host, settings }: HostConfig, name: string): boolean {
  const value = settings[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${host} must be true or false.`);
}
