import {
  type ExaminedRepository,
  type Finding,
  nameOfRepository,
  ok,
  problem,
  unknown,
} from '../../domain/host-examination';
import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import { GitStopped, type GitCommand } from './git-command';

/** The first version with `merge-tree --write-tree`, which does all merges. */
const OLDEST = [2, 38] as const;
export const OLDEST_GIT = OLDEST.join('.');

export async function examineGit(about: string, git: GitCommand): Promise<Finding> {
  try {
    return checkVersion(about, (await git.run(['--version'])).toString());
  } catch (error) {
    const why = error instanceof GitStopped ? error.message : String(error);
    return problem(about, `git cannot be started: ${why}`, 'Install git in a folder that is in PATH of the service.');
  }
}

export function checkVersion(about: string, text: string): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const what = text.trim();
  if (major === undefined) return unknown(about, `git did not say which version it is: ${what}`);
  const [oldestMajor, oldestMinor] = OLDEST;
  const isNewEnough = Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
  return isNewEnough ? ok(about, what) : problem(about, `${what} is too old`, `Install git ${OLDEST_GIT} or newer.`);
}

export async function examineReachability(
  { repository }: ExaminedRepository,
  find: (repository: HostRepository) => Promise<'found' | 'unknown'>,
): Promise<Finding> {
  const about = nameOfRepository(repository);
  try {
    if ((await find(repository)) === 'found') return ok(about, 'answers as a git repository');
    return problem(about, 'does not exist, or is not a git repository', 'Check the "url" of the host in SLUICE_HOSTS.');
  } catch (error) {
    if (!(error instanceof HostUnavailable)) throw error;
    if (error.isLasting)
      return problem(about, error.message, 'Give Sluice another repository, or repair this repository.');
    return problem(about, `does not answer: ${error.message}`, 'Check the "url" of the host in SLUICE_HOSTS.');
  }
}
