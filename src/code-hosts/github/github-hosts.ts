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

  all(): readonly ConfiguredGitHub[] {
    return [...this.hosts.values()];
  }

  get(host: string): ConfiguredGitHub | null {
    return this.hosts.get(host.toLowerCase()) ?? null;
  }

  /** Whose delivery it is: Enterprise names itself; else github.com, or the only host there is. */
  senderOf(enterpriseHost: string | undefined): ConfiguredGitHub | null {
    if (enterpriseHost !== undefined) return this.get(enterpriseHost);
    const [only, another] = this.all();
    return this.get(PUBLIC_HOST) ?? (another === undefined ? (only ?? null) : null);
  }
}
