import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { CodeHost } from '../../domain/code-host.port';
import { Clock } from '../../platform/clock/clock';
import { childEnvironment, networkEnvironment } from '../../platform/config/child-environment';
import { Config, type HostConfig } from '../../platform/config/config';
import { committerOf } from '../git/committer';
import { GitClones } from '../git/git-clone';
import { GitCommand } from '../git/git-command';
import { writeGitConfig } from '../git/git-config-file';
import { GitHost } from '../git/git-host';
import { GitHosts } from '../git/git-hosts';
import { KeyExaminer } from '../git/signing/examine-key';
import { CodeHostAdapter } from '../host-kinds';
import { RepositoryIdentities } from '../repository-identities';
import { TokenGate } from '../token-gate';
import { GiteaApi } from './client/gitea-api';
import { GiteaDoctor } from './gitea-doctor';
import { GiteaHost } from './gitea-host';
import { GiteaHosts } from './gitea-hosts';
import { GiteaRemotes } from './gitea-remotes';
import { readGiteaSettings } from './gitea-settings';

/** Checks are the host's own: pushing the branch is asking for them. */
const NO_CHECKS = { prepare: () => Promise.resolve(), cancel: () => Promise.resolve(), whyOff: () => null };

/** Kind `gitea`: Gitea and Forgejo. Forgejo tells no statuses by webhook, so polls are more frequent than at other forges. */
@Injectable()
@CodeHostAdapter({
  kind: 'gitea',
  letterCase: 'ignored',
  pollSeconds: 20,
  checkSettings: readGiteaSettings,
  usesGit: true,
})
export class GiteaHostAdapter {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly hosts: GiteaHosts,
    private readonly gitHosts: GitHosts,
    private readonly identities: RepositoryIdentities,
  ) {}

  create(config: HostConfig): CodeHost {
    const settings = readGiteaSettings(config);
    const { clock, identities } = this;
    const { host, apiUrl, gitUrl, token, webhookSecret, bots, hostMerges, pollSeconds } = settings;
    const { dataDirectory, brand } = this.config;
    const gate = new TokenGate(host, clock);
    const api = new GiteaApi({ host, apiUrl, token, gate, clock });
    this.hosts.add({ host, webhookSecret, bots });
    const git = new GitCommand({ ...childEnvironment(), ...networkEnvironment() }, writeGitConfig(dataDirectory));
    const remotes = new GiteaRemotes(host, gitUrl, git, token, gate);
    const clones = new GitClones(join(dataDirectory, 'clones'), git, 'row');
    this.gitHosts.addClones(clones);
    const committer = committerOf(settings.committer, brand);
    const plain = new GitHost({ clock, remotes, clones, checks: NO_CHECKS, committer, pollSeconds });
    const doctor = new GiteaDoctor({
      api,
      git,
      keys: new KeyExaminer(committer, remotes),
      hasSecret: webhookSecret !== null,
      hostMerges,
      pollSeconds,
    });
    return new GiteaHost({ api, git: plain, remotes, clock, pollSeconds, doctor, identities, bots, hostMerges });
  }
}
