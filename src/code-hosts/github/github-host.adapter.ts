import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Config, type HostConfig } from '../../platform/config/config';
import type { CodeHost } from '../../domain/code-host.port';
import { DialectHost } from '../forge/dialect-host';
import { hostGitOf } from '../forge/host-git';
import { CodeHostAdapter } from '../host-kinds';
import { GitHosts } from '../git/git-hosts';
import { AppCredentials } from './client/app-credentials';
import { TokenCredentials, type Credentials } from './client/credentials';
import { GitHubApi } from './client/github-api';
import { RateGate } from './client/rate-gate';
import { Transport } from './client/transport';
import { GitHubDoctor } from './doctor/github-doctor';
import { GitHubQuestions } from './doctor/questions';
import { GitHubGitAccess } from './git-access';
import { gitHubDialect, isGitHubName } from './github-dialect';
import { GitHubHosts } from './github-hosts';
import { RepositoryIdentities } from '../repository-identities';
import { ToldPushers } from './told-pushers';
import { type GitHubSettings, readGitHubSettings } from './github-settings';

/**
 * Kind `github`: github.com, or an Enterprise server. Hosts of this kind are polled seldom, because polls only find
 * changes that no delivery reported, and GitHub limits requests.
 */
@Injectable()
@CodeHostAdapter({
  kind: 'github',
  letterCase: 'ignored',
  pollSeconds: 60,
  checkSettings: readGitHubSettings,
  usesGit: true,
})
export class GitHubHostAdapter {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly hosts: GitHubHosts,
    private readonly gitHosts: GitHosts,
    private readonly identities: RepositoryIdentities,
    private readonly toldPushers: ToldPushers,
  ) {}

  create(entry: HostConfig): CodeHost {
    const settings = readGitHubSettings(entry);
    const { config, clock, gitHosts, toldPushers } = this;
    const transport = new Transport(settings.host, settings.apiUrl);
    const gate = new RateGate(settings.host, clock);
    const credentials = this.credentialsOf(settings, transport, gate);
    const api = new GitHubApi({ transport, gate, credentials, identities: this.identities, clock });
    this.hosts.add({ host: settings.host, api, webhookSecret: settings.webhookSecret });
    const { pollSeconds } = settings;
    const { byGit, git, keys } = hostGitOf({ config, clock, gitHosts }, settings, {
      ...{ user: 'x-access-token', isName: isGitHubName, pullRequestRefs: 'refs/pull/*/head' },
      ...{ access: new GitHubGitAccess(credentials, api), followsRedirects: true },
    });
    const doctor = new GitHubDoctor({
      questions: new GitHubQuestions(transport, credentials),
      web: settings.gitUrl,
      hasSecret: settings.webhookSecret !== null,
      ...{ git, keys, clock, pollSeconds },
    });
    return new DialectHost({ dialect: gitHubDialect({ api, byGit, clock, toldPushers }), byGit, doctor, pollSeconds });
  }

  private credentialsOf({ access }: GitHubSettings, transport: Transport, gate: RateGate): Credentials {
    if (access.type === 'token') return new TokenCredentials(access.token, { transport, gate });
    return new AppCredentials(access.appId, access.privateKey, { transport, gate, clock: this.clock });
  }
}
