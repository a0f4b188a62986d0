import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../../domain/code-host.port';
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
  private readonly otherClones: GitClones[] = [];

  add(host: string, configured: ConfiguredGitHost): void {
    this.hosts.set(host, configured);
  }

  /** Adds clones for a host of another kind, so that they are repacked as well. */
  addClones(clones: GitClones): void {
    this.otherClones.push(clones);
  }

  names(): readonly string[] {
    return [...this.hosts.keys()];
  }

  get(host: string): ConfiguredGitHost {
    const found = this.hosts.get(host);
    if (found === undefined) throw new Error(`${host} is not a host of kind git`);
    return found;
  }

  /** The clones that were used since the start of the service. */
  openClones(): readonly { readonly directory: string; readonly git: GitCommand }[] {
    const own = [...this.hosts.values()].map(({ clones }) => clones);
    return [...own, ...this.otherClones].flatMap((clones) => {
      return clones.directories().map((directory) => ({ directory, git: clones.git }));
    });
  }

  async cloneOf(repository: HostRepository): Promise<GitClone> {
    const { remotes, clones } = this.get(repository.host);
    return clones.of(await remotes.require(repository), repository);
  }
}
