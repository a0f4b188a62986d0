import { ConfigError, type HostConfig } from '../../platform/config/config';
import { readTokenSettings, type TokenSettings } from '../forge/token-settings';
import { flagSetting, secretSetting } from '../host-settings';

export interface GitLabSettings extends TokenSettings {
  /** Null: signatures of deliveries are ignored. */
  readonly webhookKey: Buffer | null;
  /** Squash and rebase can land, too. GitLab does not mark these as merged, so they are closed with a comment. */
  readonly closesWhatLanded: boolean;
}

/** The key format of Standard Webhooks. */
const SIGNING_TOKEN = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/;

/** The settings of a host of kind `gitlab`. Throws ConfigError; its message never repeats a value. */
export function readGitLabSettings(config: HostConfig): GitLabSettings {
  const others = ['webhookSigningToken', 'webhookSigningTokenFile', 'closesWhatLanded'];
  return {
    ...readTokenSettings(config, others, '/api/v4'),
    webhookKey: webhookKeyOf(config),
    closesWhatLanded: flagSetting(config, 'closesWhatLanded'),
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
