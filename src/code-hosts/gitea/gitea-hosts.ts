import { Injectable } from '@nestjs/common';
import { ConfiguredHosts } from '../forge/configured-hosts';

export interface ConfiguredGitea {
  readonly host: string;
  readonly webhookSecret: string | null;
  readonly bots: readonly string[];
}

/** The configured hosts of kind `gitea`. */
@Injectable()
export class GiteaHosts extends ConfiguredHosts<ConfiguredGitea> {}
