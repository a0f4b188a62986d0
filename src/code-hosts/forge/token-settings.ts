import { ConfigError, type HostConfig } from '../../platform/config/config';
import { COMMITTER_SETTINGS, type CommitterSettings, readCommitter } from '../git/committer';
import { addressSetting, refuseUnknownSettings, secretSetting } from '../host-settings';

/** The settings of a code host that the service uses with one token. */
export interface TokenSettings {
  readonly host: string;
  /** The URLs of the API and of git, both without a slash at the end. */
  readonly apiUrl: string;
  readonly gitUrl: string;
  readonly token: string;
  /** The secret of webhooks; null if deliveries are not accepted. */
  readonly webhookSecret: string | null;
  readonly committer: CommitterSettings;
  /** Logins, in lower case, of bot accounts that the host does not mark as bots. */
  readonly bots: readonly string[];
  readonly pollSeconds: number;
}

const KNOWN = [
  ...['apiUrl', 'gitUrl', 'token', 'tokenFile', 'webhookSecret', 'webhookSecretFile'],
  ...[...COMMITTER_SETTINGS, 'bots'],
];

/**
 * `others`: the names of settings that only this kind has. `apiPath`: the path of the API below the URL of git. Throws
 * ConfigError, whose message never repeats a value.
 */
export function readTokenSettings(config: HostConfig, others: readonly string[], apiPath: string): TokenSettings {
  const { host, pollSeconds } = config;
  refuseUnknownSettings(config, [...KNOWN, ...others]);
  if (config.url !== undefined) {
    throw new ConfigError(`SLUICE_HOSTS: ${host} needs no "url"; for another server, set "apiUrl" and "gitUrl".`);
  }
  const token = secretSetting(config, 'token');
  if (token === null) throw new ConfigError(`SLUICE_HOSTS: ${host} needs "token" or "tokenFile".`);
  const gitUrl = addressSetting(config, 'gitUrl', `https://${host}`);
  return {
    ...{ host, gitUrl, token, pollSeconds },
    apiUrl: addressSetting(config, 'apiUrl', `${gitUrl}${apiPath}`),
    webhookSecret: secretSetting(config, 'webhookSecret'),
    committer: readCommitter(config),
    bots: botsOf(config),
  };
}

function botsOf({ host, settings }: HostConfig): readonly string[] {
  const { bots = [] } = settings;
  const isList = Array.isArray(bots) && bots.every((one) => typeof one === 'string' && one !== '');
  if (isList) return (bots as string[]).map((login) => login.toLowerCase());
  throw new ConfigError(`SLUICE_HOSTS: "bots" of ${host} must be a list of logins, such as ["renovate"].`);
}
