import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { MemoryHostAdapter } from '../../src/code-hosts/memory/memory-host.adapter';
import type { Clock } from '../../src/platform/clock/clock';
import type { HostConfig } from '../../src/platform/config/config';
import { BareRepository } from './bare-repository';
import type { Exchange } from './forge/exchange';
import { GiteaDouble } from './gitea/gitea-double';
import type { GiteaRepositoryDouble } from './gitea/repository-double';
import { GitHubDouble } from './github/github-double';
import { GitLabDouble } from './gitlab/gitlab-double';
import type { Project } from './gitlab/state';
import { SIGNING_KEY } from './gitlab/webhooks';
import type { RepositoryDouble } from './github/repository-double';

/**
 * Provides the memory host. This host is not part of the product, so test worlds load it like the extension of another
 * team.
 */
@Module({ providers: [MemoryHostAdapter], exports: [MemoryHostAdapter] })
export class MemoryHostsModule {}

/** The code hosts of a world, shared by all instances of the service. */
export interface Hosts {
  readonly config: HostConfig;
  readonly memory: SharedMemoryHosts;
  readonly git: BareRepository | null;
  readonly github: GitHubDouble | null;
  readonly githubRepository: RepositoryDouble | null;
  readonly gitea: GiteaDouble | null;
  readonly giteaRepository: GiteaRepositoryDouble | null;
  readonly gitlab: GitLabDouble | null;
  readonly gitlabProject: Project | null;
  /** The folder for clones and similar data, which is removed when the last instance releases it. */
  readonly folder: string;
  retain(): void;
  release(): Promise<'still held' | 'closed'>;
}

/** Gives the same hosts to every instance of the service, as if the hosts were remote. */
export class SharedMemoryHosts extends MemoryHostAdapter {
  private readonly created = new Map<string, ReturnType<MemoryHostAdapter['create']>>();

  override create(config: HostConfig): ReturnType<MemoryHostAdapter['create']> {
    const host = this.created.get(config.host) ?? super.create(config);
    this.created.set(config.host, host);
    return host;
  }
}

export const WEBHOOK_SECRET = 'a secret of tests';

export type HostKind = 'memory' | 'git' | 'github' | 'gitea' | 'forgejo' | 'gitlab';

export async function openHosts(
  kind: HostKind,
  clock: Clock,
  onExchange?: (exchange: Exchange) => void,
): Promise<Hosts> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-world-'));
  const git = kind === 'git' ? BareRepository.create() : null;
  const github = kind === 'github' ? await GitHubDouble.start({ now: () => clock.now(), onExchange }) : null;
  const isGitea = kind === 'gitea' || kind === 'forgejo';
  const isForgejo = kind === 'forgejo';
  const gitea = isGitea ? await GiteaDouble.start({ now: () => clock.now(), onExchange, isForgejo }) : null;
  const gitlab = kind === 'gitlab' ? await GitLabDouble.start({ now: () => clock.now(), onExchange }) : null;
  const config = gitlab
    ? gitLabConfig(gitlab)
    : gitea
      ? giteaConfig(gitea)
      : github
        ? gitHubConfig(github)
        : plainConfig(kind, git);
  let holders = 0;
  return {
    config,
    memory: new SharedMemoryHosts(clock),
    git,
    github,
    githubRepository: github?.createRepository('acme', 'widgets') ?? null,
    gitea,
    giteaRepository: gitea?.createRepository('acme', 'widgets') ?? null,
    gitlab,
    gitlabProject: gitlab?.createProject('acme', 'widgets') ?? null,
    folder,
    retain: () => void (holders += 1),
    release: async () => {
      if (--holders > 0) return 'still held';
      git?.close();
      await github?.close();
      await gitea?.close();
      await gitlab?.close();
      rmSync(folder, { recursive: true, force: true });
      return 'closed';
    },
  };
}

function plainConfig(kind: HostKind, git: BareRepository | null): HostConfig {
  const common = { kind, pollSeconds: 5, settings: {} };
  return git ? { ...common, host: 'git.example', url: git.urlTemplate } : { ...common, host: 'memory.example' };
}

function gitHubConfig({ apiUrl, gitUrl, appId, privateKey }: GitHubDouble): HostConfig {
  const settings = { apiUrl, gitUrl, appId, privateKey, webhookSecret: WEBHOOK_SECRET };
  return { host: 'github.example', kind: 'github', pollSeconds: 60, settings };
}

function giteaConfig(gitea: GiteaDouble): HostConfig {
  const settings = { gitUrl: gitea.gitUrl, token: gitea.createToken(), webhookSecret: WEBHOOK_SECRET };
  return { host: 'gitea.example', kind: 'gitea', pollSeconds: 20, settings };
}

function gitLabConfig(gitlab: GitLabDouble): HostConfig {
  const webhookSigningToken = `whsec_${SIGNING_KEY.toString('base64')}`;
  const webhooks = { webhookSecret: WEBHOOK_SECRET, webhookSigningToken };
  const settings = { gitUrl: gitlab.gitUrl, token: gitlab.createToken(), ...webhooks };
  return { host: 'gitlab.example', kind: 'gitlab', pollSeconds: 20, settings };
}
