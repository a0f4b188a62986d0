import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { childEnvironment, networkEnvironment } from '../../platform/config/child-environment';
import { Clock } from '../../platform/clock/clock';
import { Config, type HostConfig } from '../../platform/config/config';
import type { CodeHost } from '../../domain/code-host.port';
import { CodeHostAdapter } from '../host-kinds';
import { committerOf } from '../git/committer';
import { GitClones } from '../git/git-clone';
import { GitCommand } from '../git/git-command';
import { writeGitConfig } from '../git/git-config-file';
import { GitHost } from '../git/git-host';
import { GitHosts } from '../git/git-hosts';
import { KeyExaminer } from '../git/signing/examine-key';
import { AppCredentials } from './client/app-credentials';
import { TokenCredentials, type Credentials } from './client/credentials';
import { GitHubApi } from './client/github-api';
import { RateGate } from './client/rate-gate';
import { Transport } from './client/transport';
import { GitHubDoctor } from './doctor/github-doctor';
import { GitHubQuestions } from './doctor/questions';
import { GitHubHost } from './github-host';
import { GitHubHosts } from './github-hosts';
import { GitHubRemotes } from './github-remotes';
import { RepositoryIdentities } from '../repository-identities';
import { ToldPushers } from './told-pushers';
import { type GitHubSettings, readGitHubSettings } from './github-settings';

/** Checks are GitHub's own: pushing the branch is asking for them. */
const NO_CHECKS = { prepare: () => Promise.resolve(), cancel: () => Promise.resolve(), whyOff: () => null };

/** Kind `github`: github.com, or an Enterprise server. Polls find only what no delivery told, and GitHub limits them. */
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

  create(host: HostConfig): CodeHost {
    const settings = readGitHubSettings(host);
    const { clock, toldPushers } = this;
    const transport = new Transport(settings.host, settings.apiUrl);
    const gate = new RateGate(settings.host, clock);
    const credentials = this.credentialsOf(settings, transport, gate);
    const api = new GitHubApi({ transport, gate, credentials, identities: this.identities, clock });
    this.hosts.add({ host: settings.host, api, webhookSecret: settings.webhookSecret });
    const { dataDirectory, brand } = this.config;
    const git = new GitCommand({ ...childEnvironment(), ...networkEnvironment() }, writeGitConfig(dataDirectory));
    const remotes = new GitHubRemotes(settings.host, settings.gitUrl, git, credentials, (repository) =>
      api.requireSame(repository),
    );
    const clones = new GitClones(join(dataDirectory, 'clones'), git, 'row');
    this.gitHosts.addClones(clones);
    const { pollSeconds } = settings;
    const committer = committerOf(settings.committer, brand);
    const plain = new GitHost({ clock, remotes, clones, checks: NO_CHECKS, committer, pollSeconds });
    const doctor = new GitHubDoctor({
      questions: new GitHubQuestions(transport, credentials),
      web: settings.gitUrl,
      hasSecret: settings.webhookSecret !== null,
      ...{ git, keys: new KeyExaminer(committer, remotes), clock, pollSeconds },
    });
    return new GitHubHost({ api, git: plain, remotes, clock, pollSeconds, doctor, toldPushers });
  }

  private credentialsOf({ access }: GitHubSettings, transport: Transport, gate: RateGate): Credentials {
    if (access.type === 'token') return new TokenCredentials(access.token, { transport, gate });
    return new AppCredentials(access.appId, access.privateKey, { transport, gate, clock: this.clock });
  }
}
