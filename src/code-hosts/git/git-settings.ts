import { ConfigError, type HostConfig } from '../../platform/config/config';
import { textSetting } from '../host-settings';
import { type CommitterSettings, readCommitter } from './committer';
import { GitRemotes } from './git-remote';

const CHECK_LIMIT_SECONDS = 900;
const LONGEST_CHECK_SECONDS = 86_400;
const SSH = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

export interface GitSettings {
  /** The URL of a repository, with `{owner}` and `{name}`. */
  readonly urlTemplate: string;
  readonly sshCommand: string;
  readonly committer: CommitterSettings;
  readonly checkLimitMs: number;
}

/** The settings of a host of kind `git`. Throws ConfigError. */
export function readGitSettings(config: HostConfig): GitSettings {
  const { host, url } = config;
  const problem = GitRemotes.problemOf(url);
  if (problem !== null || url === undefined) throw new ConfigError(`SLUICE_HOSTS: ${host} ${problem}.`);
  return {
    urlTemplate: url,
    sshCommand: textSetting(config, 'sshCommand') ?? SSH,
    committer: readCommitter(config),
    checkLimitMs: checkLimitSeconds(config) * 1000,
  };
}

function checkLimitSeconds({ host, settings }: HostConfig): number {
  const value = settings.checkTimeoutSeconds ?? CHECK_LIMIT_SECONDS;
  if (typeof value === 'number' && value > 0 && value <= LONGEST_CHECK_SECONDS) return value;
  throw new ConfigError(
    `SLUICE_HOSTS: "checkTimeoutSeconds" of ${host} must be a number up to ${LONGEST_CHECK_SECONDS}.`,
  );
}
