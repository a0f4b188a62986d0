import { ConfigError, type HostConfig } from '../../platform/config/config';
import { readTokenSettings, type TokenSettings } from '../forge/token-settings';
import { flagSetting, secretSetting } from '../host-settings';

export interface GitLabSettings extends TokenSettings {
  /** The key for signatures of deliveries; null if signatures are ignored. */
  readonly webhookKey: Buffer | null;
  /**
   * Whether squashed and rebased merge requests can land, too. GitLab does not mark them as merged, so the service
   * closes them with a comment.
   */
  readonly closesWhatLanded: boolean;
}

/** Matches a signing key in the format of Standard Webhooks. */
const SIGNING_TOKEN = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/;

/** The settings of a host of kind `gitlab`. Throws ConfigError, whose message never repeats a value. */
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
  throw new ConfigError(`SLUICE_HOSTS: ${what}. A secret token belongs in "webhookSecret".`);
}
