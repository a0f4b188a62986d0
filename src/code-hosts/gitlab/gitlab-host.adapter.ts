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
import { GitLabApi } from './client/gitlab-api';
import { GitLabDoctor } from './doctor/gitlab-doctor';
import { gitLabDialect, isGitLabName } from './gitlab-dialect';
import { GitLabHosts } from './gitlab-hosts';
import { readGitLabSettings } from './gitlab-settings';

/** Kind `gitlab`. Its webhooks need several settings of the server, so it is polled more often than GitHub. */
@Injectable()
@CodeHostAdapter({
  kind: 'gitlab',
  letterCase: 'ignored',
  pollSeconds: 20,
  checkSettings: readGitLabSettings,
  usesGit: true,
})
export class GitLabHostAdapter {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly hosts: GitLabHosts,
    private readonly gitHosts: GitHosts,
    private readonly identities: RepositoryIdentities,
  ) {}

  create(entry: HostConfig): CodeHost {
    const settings = readGitLabSettings(entry);
    const { config, clock, gitHosts, identities } = this;
    const { host, token, bots, pollSeconds, closesWhatLanded, webhookSecret, webhookKey } = settings;
    const gate = new TokenGate(host, clock);
    const api = new GitLabApi({ ...settings, gate, clock });
    const { byGit, git, keys } = hostGitOf({ config, clock, gitHosts }, settings, {
      ...{ user: 'oauth2', isName: isGitLabName, pullRequestRefs: 'refs/merge-requests/*/head' },
      ...{ access: oneTokenAccess(token, gate), followsRedirects: false },
    });
    const dialect = gitLabDialect({ api, byGit, clock, identities, bots, closesWhatLanded });
    this.hosts.add({ host, webhookSecret, webhookKey, bots, readReports: (...asked) => dialect.readReports(...asked) });
    const hasSecret = webhookSecret !== null || webhookKey !== null;
    const doctor = new GitLabDoctor({ api, git, keys, clock, hasSecret, pollSeconds, closesWhatLanded });
    return new DialectHost({ dialect, byGit, doctor, pollSeconds });
  }
}
