import { ConfigError, type HostConfig } from '../../platform/config/config';
import { addressSetting, flagSetting, refuseUnknownSettings, secretSetting } from '../host-settings';
import { COMMITTER_SETTINGS, type CommitterSettings, readCommitter } from '../git/committer';

export interface GitLabSettings {
  readonly host: string;
  /** Both without a slash at the end. */
  readonly apiUrl: string;
  readonly gitUrl: string;
  readonly token: string;
  /** Null: no delivery is taken for a secret that it carries. */
  readonly webhookSecret: string | null;
  /** Null: no signature of a delivery is looked at. */
  readonly webhookKey: Buffer | null;
  readonly committer: CommitterSettings;
  /** Logins, in lower case, of accounts that are programs, besides those of project and group tokens. */
  readonly bots: readonly string[];
  /** Squash and rebase land, too: GitLab marks none of these as merged, so they are closed with a comment. */
  readonly closesWhatLanded: boolean;
  readonly pollSeconds: number;
}

const KNOWN = [
  ...['apiUrl', 'gitUrl', 'token', 'tokenFile', 'webhookSecret', 'webhookSecretFile'],
  ...['webhookSigningToken', 'webhookSigningTokenFile', ...COMMITTER_SETTINGS, 'bots', 'closesWhatLanded'],
];
/** As Standard Webhooks writes keys. */
const SIGNING_TOKEN = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/;

/** The settings of a host of kind `gitlab`. Throws ConfigError, whose message never repeats a value. */
export function readGitLabSettings(config: HostConfig): GitLabSettings {
  const { host, pollSeconds } = config;
  refuseUnknownSettings(config, KNOWN);
  if (config.url !== undefined) {
    throw new ConfigError(`SLUICE_HOSTS: ${host} needs no "url"; another address is given by "apiUrl" and "gitUrl".`);
  }
  const token = secretSetting(config, 'token');
  if (token === null) throw new ConfigError(`SLUICE_HOSTS: ${host} needs "token" or "tokenFile".`);
  const closesWhatLanded = flagSetting(config, 'closesWhatLanded');
  const gitUrl = addressSetting(config, 'gitUrl', `https://${host}`);
  return {
    ...{ host, gitUrl, token, pollSeconds, closesWhatLanded },
    apiUrl: addressSetting(config, 'apiUrl', `${gitUrl}/api/v4`),
    webhookSecret: secretSetting(config, 'webhookSecret'),
    webhookKey: webhookKeyOf(config),
    committer: readCommitter(config),
    bots: botsOf(config),
  };
}

function webhookKeyOf(config: HostConfig): Buffer | null {
  const token = secretSetting(config, 'webhookSigningToken');
  if (token === null) return null;
  const key = SIGNING_TOKEN.exec(token)?.[1];
  if (key !== undefined) return Buffer.from(key, 'base64');
  const what = `"webhookSigningToken" of ${config.host} must be a signing token as GitLab shows it, whsec_…`;
  throw new ConfigError(`SLUICE_HOSTS: ${what}. A secret token is "webhookSecret".`);
}

function botsOf({ host, settings }: HostConfig): readonly string[] {
  const { bots = [] } = settings;
  const isList = Array.isArray(bots) && bots.every((one) => typeof one === 'string' && one !== '');
  if (isList) return (bots as string[]).map((login) => login.toLowerCase());
  throw new ConfigError(`SLUICE_HOSTS: "bots" of ${host} must be a list of logins, such as ["renovate"].`);
}
