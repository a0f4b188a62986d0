import { Injectable } from '@nestjs/common';
import { ConfiguredHosts } from '../forge/configured-hosts';
import type { TokenSettings } from '../forge/token-settings';

export type ConfiguredGitea = Pick<TokenSettings, 'host' | 'webhookSecret' | 'bots'>;

/** The configured hosts of kind `gitea`. */
@Injectable()
export class GiteaHosts extends ConfiguredHosts<ConfiguredGitea> {}
