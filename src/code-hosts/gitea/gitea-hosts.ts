import { Injectable } from '@nestjs/common';

export interface ConfiguredGitea {
  readonly host: string;
  readonly webhookSecret: string | null;
  readonly bots: readonly string[];
}

/** The configured hosts of kind `gitea`. */
@Injectable()
export class GiteaHosts {
  private readonly hosts = new Map<string, ConfiguredGitea>();

  add(configured: ConfiguredGitea): void {
    this.hosts.set(configured.host, configured);
  }

  get(host: string): ConfiguredGitea | null {
    return this.hosts.get(host.toLowerCase()) ?? null;
  }
}
