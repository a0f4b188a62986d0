import { ConfigError, type HostConfig } from '../../platform/config/config';
import { addressSetting, flagSetting, refuseUnknownSettings, secretSetting } from '../host-settings';
import { COMMITTER_SETTINGS, type CommitterSettings, readCommitter } from '../git/committer';

export interface GiteaSettings {
  readonly host: string;
  /** Both without a slash at the end. */
  readonly apiUrl: string;
  readonly gitUrl: string;
  readonly token: string;
  /** Null: no webhook of this host is taken. */
  readonly webhookSecret: string | null;
  readonly committer: CommitterSettings;
  /** Logins, in lower case, of accounts that are programs: the host does not say. */
  readonly bots: readonly string[];
  /** Every merge is left to the server, as for rules that no call shows. */
  readonly hostMerges: boolean;
  readonly pollSeconds: number;
}

const KNOWN = [
  ...['apiUrl', 'gitUrl', 'token', 'tokenFile', 'webhookSecret', 'webhookSecretFile'],
  ...[...COMMITTER_SETTINGS, 'bots', 'hostMerges'],
];

/** The settings of a host of kind `gitea`. Throws ConfigError, whose message never repeats a value. */
export function readGiteaSettings(config: HostConfig): GiteaSettings {
  const { host, pollSeconds } = config;
  refuseUnknownSettings(config, KNOWN);
  if (config.url !== undefined) {
    throw new ConfigError(`SLUICE_HOSTS: ${host} needs no "url"; another address is given by "apiUrl" and "gitUrl".`);
  }
  const token = secretSetting(config, 'token');
  if (token === null) throw new ConfigError(`SLUICE_HOSTS: ${host} needs "token" or "tokenFile".`);
  const gitUrl = addressSetting(config, 'gitUrl', `https://${host}`);
  return {
    ...{ host, gitUrl, token, pollSeconds },
    apiUrl: addressSetting(config, 'apiUrl', `${gitUrl}/api/v1`),
    webhookSecret: secretSetting(config, 'webhookSecret'),
    committer: readCommitter(config),
    bots: botsOf(config),
    hostMerges: flagSetting(config, 'hostMerges'),
  };
}

function botsOf({ host, settings }: HostConfig): readonly string[] {
  const { bots = [] } = settings;
  const isList = Array.isArray(bots) && bots.every((one) => typeof one === 'string' && one !== '');
  if (isList) return (bots as string[]).map((login) => login.toLowerCase());
  throw new ConfigError(`SLUICE_HOSTS: "bots" of ${host} must be a list of logins, such as ["renovate"].`);
}
