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
import { GitLabApi } from './client/gitlab-api';
import { GitLabDoctor } from './doctor/gitlab-doctor';
import { GitLabHost } from './gitlab-host';
import { GitLabHosts } from './gitlab-hosts';
import { GitLabRemotes } from './gitlab-remotes';
import { readGitLabSettings } from './gitlab-settings';

/** Checks are the host's own: pushing the branch is asking for them. */
const NO_CHECKS = { prepare: () => Promise.resolve(), cancel: () => Promise.resolve(), whyOff: () => null };

/** Kind `gitlab`. Its webhooks need settings of its server in many places, so polls are more frequent than at GitHub. */
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

  create(config: HostConfig): CodeHost {
    const settings = readGitLabSettings(config);
    const { clock, identities } = this;
    const { host, apiUrl, gitUrl, token, bots, pollSeconds, closesWhatLanded, webhookSecret, webhookKey } = settings;
    const { dataDirectory, brand } = this.config;
    const gate = new TokenGate(host, clock);
    const api = new GitLabApi({ host, apiUrl, token, gate, clock });
    const git = new GitCommand({ ...childEnvironment(), ...networkEnvironment() }, writeGitConfig(dataDirectory));
    const remotes = new GitLabRemotes(host, gitUrl, git, token, gate);
    const clones = new GitClones(join(dataDirectory, 'clones'), git, 'row');
    this.gitHosts.addClones(clones);
    const committer = committerOf(settings.committer, brand);
    const plain = new GitHost({ clock, remotes, clones, checks: NO_CHECKS, committer, pollSeconds });
    const hasSecret = webhookSecret !== null || webhookKey !== null;
    const doctor = new GitLabDoctor({
      api,
      git,
      keys: new KeyExaminer(committer, remotes),
      clock,
      hasSecret,
      pollSeconds,
      closesWhatLanded,
    });
    const parts = { api, git: plain, remotes, clock, pollSeconds, doctor, identities, bots, closesWhatLanded };
    const created = new GitLabHost(parts);
    const readReports: CodeHost['readStatuses'] = (repository, commit) => created.readStatuses(repository, commit);
    this.hosts.add({ host, webhookSecret, webhookKey, bots, readReports });
    return created;
  }
}
