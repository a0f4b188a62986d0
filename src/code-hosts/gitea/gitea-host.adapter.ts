import { Injectable } from '@nestjs/common';
import type { CodeHost } from '../../domain/code-host.port';
import { Clock } from '../../platform/clock/clock';
import { Config, type HostConfig } from '../../platform/config/config';
import { DialectHost } from '../forge/dialect-host';
import { hostGitOf } from '../forge/host-git';
import { oneTokenAccess } from '../forge/http-remotes';
import { GitHosts } from '../git/git-hosts';
import { CodeHostAdapter } from '../host-kinds';
import { RepositoryIdentities } from '../repository-identities';
import { TokenGate } from '../token-gate';
import { GiteaApi } from './client/gitea-api';
import { giteaDialect, isGiteaName } from './gitea-dialect';
import { GiteaDoctor } from './gitea-doctor';
import { GiteaHosts } from './gitea-hosts';
import { readGiteaSettings } from './gitea-settings';

/**
 * Kind `gitea`: Gitea and Forgejo. Forgejo sends no webhook for statuses, so hosts of this kind are polled more often
 * than GitHub.
 */
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

  create(entry: HostConfig): CodeHost {
    const settings = readGiteaSettings(entry);
    const { config, clock, gitHosts, identities } = this;
    const { host, token, webhookSecret, bots, hostMerges, pollSeconds } = settings;
    this.hosts.add({ host, webhookSecret, bots });
    const gate = new TokenGate(host, clock);
    const api = new GiteaApi({ ...settings, gate, clock });
    const { byGit, git, keys } = hostGitOf({ config, clock, gitHosts }, settings, {
      ...{ user: 'sluice', isName: isGiteaName, pullRequestRefs: 'refs/pull/*/head' },
      ...{ access: oneTokenAccess(token, gate), followsRedirects: false },
    });
    const dialect = giteaDialect({ api, byGit, clock, identities, bots, hostMerges });
    const doctor = new GiteaDoctor({ api, git, keys, hasSecret: webhookSecret !== null, hostMerges, pollSeconds });
    return new DialectHost({ dialect, byGit, doctor, pollSeconds });
  }
}
