import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../code-host.port';
import type { GitClone, GitClones } from './git-clone';
import type { GitCommand } from './git-command';
import type { GitRemotes } from './git-remote';

export interface ConfiguredGitHost {
  readonly remotes: GitRemotes;
  readonly clones: GitClones;
  readonly checkLimitMs: number;
}

/** The configured hosts of kind `git`, as the check runner sees them. */
@Injectable()
export class GitHosts {
  private readonly hosts = new Map<string, ConfiguredGitHost>();

  add(host: string, configured: ConfiguredGitHost): void {
    this.hosts.set(host, configured);
  }

  names(): readonly string[] {
    return [...this.hosts.keys()];
  }

  get(host: string): ConfiguredGitHost {
    const found = this.hosts.get(host);
    if (found === undefined) throw new Error(`${host} is no git host`);
    return found;
  }

  /** Those that were used since the start. */
  openClones(): readonly { readonly directory: string; readonly git: GitCommand }[] {
    return [...this.hosts.values()].flatMap(({ clones }) => {
      return clones.directories().map((directory) => ({ directory, git: clones.git }));
    });
  }

  async cloneOf(repository: HostRepository): Promise<GitClone> {
    const { remotes, clones } = this.get(repository.host);
    return clones.of(await remotes.require(repository), repository.owner, repository.name);
  }
}
