import { realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import { GitFailed, GitStopped, lastLine, type GitCommand } from './git-command';
import { isPlainRepository, type PullRequestRefs } from './names';

const ASK_LIMIT_MS = 30_000;
const NOT_A_REPOSITORY =
  /not appear to be a git repository|not a git repository|no such repository|repository .*(not found|does not exist)/i;

/** Where one repository is, and a git that may speak to it. */
export interface GitRemote extends PullRequestRefs {
  readonly host: string;
  readonly url: string;
  readonly git: GitCommand;
}

/** The repositories of one host by a template with `{owner}` and `{name}`: an absolute path, or an ssh address. */
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

  /** Whether the template can be used; the answer says what is wrong. */
  static problemOf(template: string | undefined): string | null {
    if (template === undefined || !template.includes('{owner}') || !template.includes('{name}')) {
      return 'needs a "url" with {owner} and {name}, such as /srv/git/{owner}/{name}.git';
    }
    const ssh = /^ssh:\/\/[^-/{}][^/{}]*\/|^[A-Za-z0-9_.]+@[A-Za-z0-9_[][^/{}:]*:/;
    if (template.startsWith('/') || ssh.test(template)) return null;
    return 'needs a "url" that is an absolute path or an ssh address such as git@git.example:{owner}/{name}.git';
  }

  /** Null: the host has no such repository. Throws HostUnavailable when even the folder of them is not there. */
  async find(repository: HostRepository): Promise<GitRemote | null> {
    if (!isPlainRepository(repository)) return null;
    const url = this.template.replaceAll('{owner}', repository.owner).replaceAll('{name}', repository.name);
    const place = this.isLocal ? await this.resolve(url) : url;
    return place === null ? null : { host: this.host, url: place, git: this.git, pullRequestRefs: 'refs/pull/*/head' };
  }

  /** As `find`, for a repository that was there before. */
  async require(repository: HostRepository): Promise<GitRemote> {
    const remote = await this.find(repository);
    if (remote !== null) return remote;
    throw new HostUnavailable(this.host, 'no_answer', `${repository.owner}/${repository.name} is not there.`);
  }

  /** The real path under the real root: a symbolic link may not lead out of it. */
  private async resolve(path: string): Promise<string | null> {
    const root = this.template.slice(0, this.template.slice(0, this.template.indexOf('{')).lastIndexOf('/') + 1);
    const realRoot = await realpath(root).catch(() => null);
    if (realRoot === null) throw new HostUnavailable(this.host, 'no_answer', `The folder ${root} is not there.`);
    const real = await realpath(path).catch(() => null);
    if (real === null || !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return null;
    return (await isInsideRepository(real, realRoot)) ? null : real;
  }
}

/** Whoever pushes branches makes files in a repository, which may look like another one: `refs/heads/x/HEAD`. */
async function isInsideRepository(path: string, root: string): Promise<boolean> {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    const head = await stat(join(folder, 'HEAD')).catch(() => null);
    if (head !== null) return true;
  }
  return false;
}

/** Whether something answers as a git repository there. */
export async function isRepository(remote: GitRemote): Promise<boolean> {
  try {
    await listRefs(remote, ['HEAD']);
    return true;
  } catch (error) {
    if (error instanceof HostUnavailable && NOT_A_REPOSITORY.test(error.message)) return false;
    throw error;
  }
}

/** The commits of the named refs that exist, in one request. */
export async function listRefs(remote: GitRemote, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(refs);
  const output = await askRemote(remote, ['ls-remote', '--end-of-options', remote.url, ...patternsOf(remote, refs)]);
  const found = new Map<string, string>();
  for (const line of output.toString().split('\n')) {
    const [commit, ref] = line.split('\t');
    // Patterns match the end of a name, so that refs/x/refs/heads/main comes as well.
    if (commit !== undefined && ref !== undefined && wanted.has(ref)) found.set(ref, commit);
  }
  return found;
}

/** Beyond this the command line would grow too long, and all branches and pull requests are listed. */
const MOST_PATTERNS = 1_000;

function patternsOf({ pullRequestRefs }: PullRequestRefs, refs: readonly string[]): readonly string[] {
  return refs.length <= MOST_PATTERNS ? refs : ['refs/heads/*', pullRequestRefs];
}

/** Runs a command that asks the other side; throws HostUnavailable when it does not answer. */
export async function askRemote(remote: GitRemote, args: readonly string[], limitMs = ASK_LIMIT_MS): Promise<Buffer> {
  try {
    return await remote.git.run(args, { limitMs });
  } catch (error) {
    throw asUnavailable(remote.host, error);
  }
}

export function asUnavailable(host: string, error: unknown): unknown {
  if (error instanceof GitStopped) return new HostUnavailable(host, 'no_answer', error.message);
  if (error instanceof GitFailed) return new HostUnavailable(host, 'no_answer', lastLine(error.result.stderr));
  return error;
}
