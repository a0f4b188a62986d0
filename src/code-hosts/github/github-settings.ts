import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type HostConfig } from '../../platform/config/config';

export type GitHubAccess =
  | { readonly type: 'app'; readonly appId: number | string; readonly privateKey: KeyObject }
  | { readonly type: 'token'; readonly token: string };

export interface GitHubSettings {
  readonly host: string;
  /** Both without a slash at the end. */
  readonly apiUrl: string;
  readonly gitUrl: string;
  readonly access: GitHubAccess;
  /** Null: no webhook of this host is taken. */
  readonly webhookSecret: string | null;
  readonly committerName: string | null;
  readonly committerEmail: string | null;
  readonly pollSeconds: number;
}

const KNOWN = [
  ...['apiUrl', 'gitUrl', 'appId', 'privateKey', 'privateKeyFile', 'token', 'tokenFile'],
  ...['webhookSecret', 'webhookSecretFile', 'committerName', 'committerEmail'],
];

/** The settings of a host of kind `github`. Throws ConfigError, whose message never repeats a value. */
export function readGitHubSettings(config: HostConfig): GitHubSettings {
  const { host, settings, pollSeconds } = config;
  const unknown = Object.keys(settings).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `SLUICE_HOSTS: ${host} has the setting "${unknown}", but a github host knows only ${KNOWN.join(', ')}.`,
    );
  }
  if (config.url !== undefined) {
    throw new ConfigError(`SLUICE_HOSTS: ${host} needs no "url"; an own GitHub is given by "apiUrl" and "gitUrl".`);
  }
  const api = host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`;
  return {
    host,
    apiUrl: address(config, 'apiUrl', api),
    gitUrl: address(config, 'gitUrl', `https://${host}`),
    access: readAccess(config),
    webhookSecret: secret(config, 'webhookSecret'),
    committerName: text(config, 'committerName'),
    committerEmail: text(config, 'committerEmail'),
    pollSeconds,
  };
}

function readAccess(config: HostConfig): GitHubAccess {
  const { host, settings } = config;
  const { appId } = settings;
  const token = secret(config, 'token');
  const key = secret(config, 'privateKey');
  if (token !== null && appId === undefined && key === null) return { type: 'token', token };
  if (token !== null || appId === undefined || key === null) {
    throw new ConfigError(
      `SLUICE_HOSTS: ${host} needs either "appId" with "privateKey" or "privateKeyFile", or "token" or "tokenFile".`,
    );
  }
  if ((typeof appId !== 'number' && typeof appId !== 'string') || !/^[A-Za-z0-9.]+$/.test(String(appId))) {
    throw new ConfigError(`SLUICE_HOSTS: "appId" of ${host} must be the number or the client id of a GitHub App.`);
  }
  return { type: 'app', appId, privateKey: parseKey(host, key) };
}

function parseKey(host: string, pem: string): KeyObject {
  try {
    // In JSON and environments line breaks are often written as backslash and n.
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new ConfigError(
      `SLUICE_HOSTS: the private key of ${host} must be the PEM file that GitHub made for the app.`,
    );
  }
}

/** The setting itself, or the content of the file that `<name>File` names. */
function secret(config: HostConfig, name: string): string | null {
  const value = text(config, name);
  const file = text(config, `${name}File`);
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

function address(config: HostConfig, name: string, usual: string): string {
  const value = text(config, name) ?? usual;
  const url = URL.canParse(value) ? new URL(value) : null;
  // Tokens are sent there: in the clear only to this machine itself.
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url !== null && isFit && url.username === '' && url.password === '') return value.replace(/\/+$/, '');
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${config.host} must be an https:// address without a user name.`);
}

function text({ host, settings }: HostConfig, name: string): string | null {
  const value = settings[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${host} must be text that is not empty.`);
}
