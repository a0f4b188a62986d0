import type { HostConfig } from '../../platform/config/config';
import { readTokenSettings, type TokenSettings } from '../forge/token-settings';
import { flagSetting } from '../host-settings';

export interface GiteaSettings extends TokenSettings {
  /** Whether the server makes every merge, which is needed for rules that no call shows. */
  readonly hostMerges: boolean;
}

/** The settings of a host of kind `gitea`. Throws ConfigError, whose message never repeats a value. */
export function readGiteaSettings(config: HostConfig): GiteaSettings {
  const settings = readTokenSettings(config, ['hostMerges'], '/api/v1');
  return { ...settings, hostMerges: flagSetting(config, 'hostMerges') };
}
