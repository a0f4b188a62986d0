import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CodeHostAdapter } from '../host-kinds';
import type { CodeHost } from '../../domain/code-host.port';
import { childEnvironment } from '../../platform/config/child-environment';
import { Clock } from '../../platform/clock/clock';
import { Config, type HostConfig } from '../../platform/config/config';
import { CheckRuns } from './check-runner/check-runs';
import { committerOf } from './committer';
import { GitClones } from './git-clone';
import { GitCommand } from './git-command';
import { writeGitConfig } from './git-config-file';
import { GitHost } from './git-host';
import { GitHosts } from './git-hosts';
import { readGitSettings } from './git-settings';
import { GitRemotes } from './git-remote';

/**
 * Kind `git`. `url`: an absolute path or ssh URL with `{owner}` and `{name}`. Settings: `sshCommand`, `committerName`,
 * `committerEmail`, `signingKeyFile`, `checkTimeoutSeconds`.
 */
@Injectable()
@CodeHostAdapter({ kind: 'git', checkSettings: readGitSettings, usesGit: true })
export class GitHostAdapter {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly checks: CheckRuns,
    private readonly hosts: GitHosts,
  ) {}

  create(host: HostConfig): CodeHost {
    const { urlTemplate, sshCommand, checkLimitMs, committer } = readGitSettings(host);
    const { dataDirectory, brand } = this.config;
    if (urlTemplate.startsWith(`${dataDirectory}/`)) makeRoot(urlTemplate);
    const git = new GitCommand(childEnvironment(), writeGitConfig(dataDirectory));
    const remotes = new GitRemotes(host.host, urlTemplate, git, sshCommand);
    const clones = new GitClones(join(dataDirectory, 'clones'), git);
    this.hosts.add(host.host, { remotes, clones, checkLimitMs });
    return new GitHost({
      clock: this.clock,
      remotes,
      clones,
      checks: this.checks,
      committer: committerOf(committer, brand),
      pollSeconds: host.pollSeconds,
    });
  }
}

/** Creates the root of the default URL, but no other root, which may be missing because a disk is not mounted. */
function makeRoot(template: string): void {
  mkdirSync(template.slice(0, template.slice(0, template.indexOf('{')).lastIndexOf('/')), { recursive: true });
}
