import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CodeHostAdapter } from '../host-kinds';
import type { CodeHost } from '../../domain/code-host.port';
import { childEnvironment } from '../../platform/config/child-environment';
import { Clock } from '../../platform/clock/clock';
import { Config, ConfigError, type HostConfig } from '../../platform/config/config';
import { CheckRuns } from './check-runner/check-runs';
import { GitClones } from './git-clone';
import { GitCommand } from './git-command';
import { writeGitConfig } from './git-config-file';
import { GitHost } from './git-host';
import { GitHosts } from './git-hosts';
import { GitRemotes } from './git-remote';

const CHECK_LIMIT_SECONDS = 900;
const LONGEST_CHECK_SECONDS = 86_400;
const SSH = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

/**
 * Kind `git`. `url`: an absolute path or ssh address with `{owner}` and `{name}`. Settings: `sshCommand`,
 * `committerName`, `committerEmail`, `checkTimeoutSeconds`.
 */
@Injectable()
@CodeHostAdapter({ kind: 'git' })
export class GitHostAdapter {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly checks: CheckRuns,
    private readonly hosts: GitHosts,
  ) {}

  create(host: HostConfig): CodeHost {
    const problem = GitRemotes.problemOf(host.url);
    if (problem !== null || host.url === undefined) throw new ConfigError(`SLUICE_HOSTS: ${host.host} ${problem}.`);
    const { dataDirectory, brand } = this.config;
    if (host.url.startsWith(`${dataDirectory}/`)) makeRoot(host.url);
    const git = new GitCommand(childEnvironment(), writeGitConfig(dataDirectory));
    const sshCommand = textSetting(host, 'sshCommand') ?? SSH;
    const remotes = new GitRemotes(host.host, host.url, git, sshCommand);
    const clones = new GitClones(join(dataDirectory, 'clones'), git);
    this.hosts.add(host.host, { remotes, clones, checkLimitMs: checkLimitSeconds(host) * 1000 });
    return new GitHost({
      clock: this.clock,
      remotes,
      clones,
      checks: this.checks,
      committer: {
        name: textSetting(host, 'committerName') ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`,
        email: textSetting(host, 'committerEmail') ?? 'sluice@localhost',
      },
      pollSeconds: host.pollSeconds,
    });
  }
}

/** Creates the default root. Any other root may be missing because a disk is not mounted, and is not created. */
function makeRoot(template: string): void {
  mkdirSync(template.slice(0, template.slice(0, template.indexOf('{')).lastIndexOf('/')), { recursive: true });
}

function checkLimitSeconds(host: HostConfig): number {
  const value = host.settings.checkTimeoutSeconds ?? CHECK_LIMIT_SECONDS;
  if (typeof value === 'number' && value > 0 && value <= LONGEST_CHECK_SECONDS) return value;
  throw new ConfigError(
    `SLUICE_HOSTS: "checkTimeoutSeconds" of ${host.host} must be a number up to ${LONGEST_CHECK_SECONDS}.`,
  );
}

function textSetting(host: HostConfig, name: string): string | undefined {
  const value = host.settings[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new ConfigError(`SLUICE_HOSTS: "${name}" of ${host.host} must be text.`);
}
