import { Injectable } from '@nestjs/common';
import { ConfiguredHosts } from '../forge/configured-hosts';
import type { GitHubApi } from './client/github-api';

export interface ConfiguredGitHub {
  readonly host: string;
  readonly api: GitHubApi;
  readonly webhookSecret: string | null;
}

const PUBLIC_HOST = 'github.com';

/** The configured hosts of kind `github`. */
@Injectable()
export class GitHubHosts extends ConfiguredHosts<ConfiguredGitHub> {
  /**
   * The sender of a delivery whose path names no host. Enterprise servers name themselves. Otherwise the sender is
   * github.com, or else the first host.
   */
  senderOf(enterpriseHost: string | undefined): ConfiguredGitHub | null {
    if (enterpriseHost !== undefined) return this.get(enterpriseHost);
    const [first] = this.hosts.values();
    return this.get(PUBLIC_HOST) ?? first ?? null;
  }
}
