import { Injectable } from '@nestjs/common';
import type { GitHubApi } from './client/github-api';

export interface ConfiguredGitHub {
  readonly host: string;
  readonly api: GitHubApi;
  readonly webhookSecret: string | null;
}

const PUBLIC_HOST = 'github.com';

/** The configured hosts of kind `github`. */
@Injectable()
export class GitHubHosts {
  private readonly hosts = new Map<string, ConfiguredGitHub>();

  add(configured: ConfiguredGitHub): void {
    this.hosts.set(configured.host, configured);
  }

  get(host: string): ConfiguredGitHub | null {
    return this.hosts.get(host.toLowerCase()) ?? null;
  }

  /** Whose delivery it is where the path names no host: Enterprise names itself; else github.com, or the first host. */
  senderOf(enterpriseHost: string | undefined): ConfiguredGitHub | null {
    if (enterpriseHost !== undefined) return this.get(enterpriseHost);
    const [first] = this.hosts.values();
    return this.get(PUBLIC_HOST) ?? first ?? null;
  }
}
