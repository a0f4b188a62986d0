import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError, type HostConfig } from '../../platform/config/config';
import { addressSetting, refuseUnknownSettings, secretSetting } from '../host-settings';
import { COMMITTER_SETTINGS, type CommitterSettings, readCommitter } from '../git/committer';

export type GitHubAccess =
  | { readonly type: 'app'; readonly appId: number | string; readonly privateKey: KeyObject }
  | { readonly type: 'token'; readonly token: string };

export interface GitHubSettings {
  readonly host: string;
  /** The URLs of the API and of git, both without a slash at the end. */
  readonly apiUrl: string;
  readonly gitUrl: string;
  readonly access: GitHubAccess;
  /** The secret of webhooks; null if deliveries of this host are refused. */
  readonly webhookSecret: string | null;
  readonly committer: CommitterSettings;
  readonly pollSeconds: number;
}

const KNOWN = [
  ...['apiUrl', 'gitUrl', 'appId', 'privateKey', 'privateKeyFile', 'token', 'tokenFile'],
  ...['webhookSecret', 'webhookSecretFile', ...COMMITTER_SETTINGS],
];

/** The settings of a host of kind `github`. Throws ConfigError, whose message never repeats a value. */
export function readGitHubSettings(config: HostConfig): GitHubSettings {
  const { host, pollSeconds } = config;
  refuseUnknownSettings(config, KNOWN);
  if (config.url !== undefined) {
    throw new ConfigError(
      `SLUICE_HOSTS: ${host} needs no "url"; for your own GitHub server, set "apiUrl" and "gitUrl".`,
    );
  }
  const api = host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`;
  return {
    host,
    apiUrl: addressSetting(config, 'apiUrl', api),
    gitUrl: addressSetting(config, 'gitUrl', `https://${host}`),
    access: readAccess(config),
    webhookSecret: secretSetting(config, 'webhookSecret'),
    committer: readCommitter(config),
    pollSeconds,
  };
}

function readAccess(config: HostConfig): GitHubAccess {
  const { host, settings } = config;
  const { appId } = settings;
  const token = secretSetting(config, 'token');
  const key = secretSetting(config, 'privateKey');
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
