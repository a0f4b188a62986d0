import { realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import { GitFailed, GitRefused, GitStopped, lastLine, type GitCommand } from './git-command';
import { branchRef, isPlainRepository, type PullRequestRefs } from './names';

const ASK_LIMIT_MS = 30_000;
const NOT_A_REPOSITORY =
  /not appear to be a git repository|not a git repository|no such repository|repository .*(not found|does not exist)/i;

/** The URL of one repository, and a git command with the settings to reach it. */
export interface GitRemote extends PullRequestRefs {
  readonly host: string;
  readonly url: string;
  readonly git: GitCommand;
}

/** Finds the repositories of one host by a template with `{owner}` and `{name}`: an absolute path, or an ssh URL. */
export class GitRemotes {
  private readonly git: GitCommand;
  private readonly isLocal: boolean;

  constructor(
    private readonly host: string,
    private readonly template: string,
    git: GitCommand,
    sshCommand: string,
  ) {
    this.isLocal = template.startsWith('/');
    const transport = this.isLocal ? 'file' : 'ssh';
    this.git = git.with({ GIT_SSH_COMMAND: sshCommand, GIT_SSH_VARIANT: 'ssh' }, [
      `protocol.${transport}.allow=always`,
    ]);
  }

  /** The problem with the template; null if the template can be used. */
  static problemOf(template: string | undefined): string | null {
    if (template === undefined || !template.includes('{owner}') || !template.includes('{name}')) {
      return 'needs a "url" with {owner} and {name}, such as /srv/git/{owner}/{name}.git';
    }
    const ssh = /^ssh:\/\/[^-/{}][^/{}]*\/|^[A-Za-z0-9_.]+@[A-Za-z0-9_[][^/{}:]*:/;
    if (template.startsWith('/') || ssh.test(template)) return null;
    return 'needs a "url" that is an absolute path or an ssh address such as git@git.example:{owner}/{name}.git';
  }

  /**
   * The remote of a repository; null if the host has no such repository. Throws HostUnavailable if the folder of all
   * repositories is missing.
   */
  async find(repository: HostRepository): Promise<GitRemote | null> {
    if (!isPlainRepository(repository)) return null;
    const url = this.template.replaceAll('{owner}', repository.owner).replaceAll('{name}', repository.name);
    const place = this.isLocal ? await this.resolve(url) : url;
    return place === null ? null : { host: this.host, url: place, git: this.git, pullRequestRefs: 'refs/pull/*/head' };
  }

  /** Like `find`, for a repository that existed before: throws HostUnavailable when it is missing. */
  async require(repository: HostRepository): Promise<GitRemote> {
    const remote = await this.find(repository);
    if (remote !== null) return remote;
    throw new HostUnavailable(this.host, 'no_answer', `${repository.owner}/${repository.name} is not there.`);
  }

  /** The real path; null if it is outside of the real root, for example because of a symbolic link. */
  private async resolve(path: string): Promise<string | null> {
    const root = this.template.slice(0, this.template.slice(0, this.template.indexOf('{')).lastIndexOf('/') + 1);
    const realRoot = await realpath(root).catch(() => null);
    if (realRoot === null) throw new HostUnavailable(this.host, 'no_answer', `The folder ${root} is not there.`);
    const real = await realpath(path).catch(() => null);
    if (real === null || !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return null;
    return (await isInsideRepository(real, realRoot)) ? null : real;
  }
}

/**
 * Whether the path is within another repository. A pushed branch creates files, and with a name such as `x/HEAD` it
 * creates a folder that looks like a repository.
 */
async function isInsideRepository(path: string, root: string): Promise<boolean> {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    const head = await stat(join(folder, 'HEAD')).catch(() => null);
    if (head !== null) return true;
  }
  return false;
}

/** Whether there is a git repository at this URL. */
export async function isRepository(remote: GitRemote): Promise<boolean> {
  try {
    await listRefs(remote, ['HEAD']);
    return true;
  } catch (error) {
    if (error instanceof HostUnavailable && NOT_A_REPOSITORY.test(error.message)) return false;
    throw error;
  }
}

/** Reads the commits of the named refs that exist, in one request. */
export async function listRefs(remote: GitRemote, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(refs);
  const output = await askRemote(remote, ['ls-remote', '--end-of-options', remote.url, ...patternsOf(remote, refs)]);
  const found = new Map<string, string>();
  for (const line of output.toString().split('\n')) {
    const [commit, ref] = line.split('\t');
    if (SHA_256.test(commit ?? '')) throw isSha256(remote);
    // git compares a pattern with the end of a name, so the output may also contain refs/x/refs/heads/main.
    if (commit !== undefined && ref !== undefined && wanted.has(ref)) found.set(ref, commit);
  }
  return found;
}

/**
 * Reads the tips of the default branch, if the repository has one, and of the named branches that exist, in one
 * request.
 */
export async function listTips(
  remote: GitRemote,
  branches: readonly string[],
): Promise<readonly { readonly branch: string; readonly commit: string }[]> {
  const patterns = ['HEAD', ...patternsOf(remote, branches.map(branchRef))];
  const output = await askRemote(remote, ['ls-remote', '--symref', '--end-of-options', remote.url, ...patterns]);
  const text = output.toString();
  if (SHA_256.test(text)) throw isSha256(remote);
  const found = new Map<string, string>();
  for (const [, commit, ref] of text.matchAll(/^([0-9a-f]{40})\t(.+)$/gm)) found.set(ref!, commit!);
  const named = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(text)?.[1];
  const defaultTip = found.get('HEAD');
  const tips = new Map<string, string>();
  if (named !== undefined && defaultTip !== undefined) tips.set(named, defaultTip);
  for (const branch of branches) {
    const tip = found.get(branchRef(branch));
    if (tip !== undefined) tips.set(branch, tip);
  }
  return [...tips].map(([branch, commit]) => ({ branch, commit }));
}

const SHA_256 = /^[0-9a-f]{64}\b/m;

function isSha256({ host }: GitRemote): HostUnavailable {
  return new HostUnavailable(host, 'no_access', 'the repository has SHA-256 objects, and Sluice supports only SHA-1');
}

/** The maximum number of patterns on a command line. For more patterns, all branches and pull requests are listed. */
const MOST_PATTERNS = 1_000;

function patternsOf({ pullRequestRefs }: PullRequestRefs, refs: readonly string[]): readonly string[] {
  return refs.length <= MOST_PATTERNS ? refs : ['refs/heads/*', pullRequestRefs];
}

/** Runs a git command that contacts the host. Throws HostUnavailable if the host does not answer. */
async function askRemote(remote: GitRemote, args: readonly string[]): Promise<Buffer> {
  try {
    return await remote.git.run(args, { limitMs: ASK_LIMIT_MS });
  } catch (error) {
    throw asUnavailable(remote.host, error);
  }
}

export function asUnavailable(host: string, error: unknown): unknown {
  if (error instanceof GitStopped || error instanceof GitRefused)
    return new HostUnavailable(host, 'no_answer', error.message);
  if (error instanceof GitFailed) return withoutResult(host, error.result.stderr);
  return error;
}

/** Git's message for an HTTP answer that says nothing about the request itself. */
const ANSWERED_WITHOUT_RESULT = /returned error: (5\d\d|429)\b/;

/** The error if git ended without an answer about the requested refs. */
export function withoutResult(host: string, stderr: string): HostUnavailable {
  const line = lastLine(stderr);
  return new HostUnavailable(host, ANSWERED_WITHOUT_RESULT.test(line) ? 'gateway_error' : 'no_answer', line);
}
