import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import type { GitCommand } from '../git/git-command';
import type { GitRemote, GitRemotes } from '../git/git-remote';
import type { PullRequestRefs } from '../git/names';
import type { RepositoryPath } from '../repository-path';
import type { TokenGate } from '../token-gate';

/** Git's message when the server rejects the token. Git would ask for a user name, but prompts are off. */
const REFUSED_TOKEN = /Authentication failed|could not read (Username|Password)|returned error: 401/i;
/** Git's message when the server hides the repository, or forbids this operation in it. */
const NOT_LET = /repository .*not found|returned error: 40[34]|not granted|permission .*denied/i;

/** The token for git commands. */
export interface GitAccess {
  /** The token for the repository; null if the service has no access to it. */
  tokenFor(repository: HostRepository): Promise<string | null>;
  /** Runs work that uses git, and may repeat the work once with another token. */
  using<Result>(repository: HostRepository, work: () => Promise<Result>): Promise<Result>;
}

export interface HttpRemotesParts extends PullRequestRefs {
  readonly host: string;
  /** The URL of the repositories for git, without a slash at the end. */
  readonly gitUrl: string;
  readonly git: GitCommand;
  /** The user name that goes with the token. */
  readonly user: string;
  readonly access: GitAccess;
  /**
   * Whether git may follow redirects. False if the old name of a renamed repository redirects, because nothing may be
   * pushed to the other name.
   */
  readonly followsRedirects: boolean;
  isName(repository: RepositoryPath): boolean;
}

/**
 * The repositories of a code host for git, over HTTP with a token. Each command gets the token in its environment, and
 * never in a URL, an argument or a file, because error texts would show it.
 */
export class HttpRemotes implements Pick<GitRemotes, 'find' | 'require'> {
  private readonly git: GitCommand;

  constructor(private readonly parts: HttpRemotesParts) {
    const { protocol } = new URL(parts.gitUrl);
    const staysHere = parts.followsRedirects ? [] : ['http.followRedirects=false'];
    this.git = parts.git.with({}, [`protocol.${protocol.slice(0, -1)}.allow=always`, ...staysHere]);
  }

  /** The remote of a repository; null if the host cannot have the name, or the service has no access. */
  async find(repository: HostRepository): Promise<GitRemote | null> {
    const { host, gitUrl, user, access, pullRequestRefs } = this.parts;
    const token = this.parts.isName(repository) ? await access.tokenFor(repository) : null;
    if (token === null) return null;
    const basic = Buffer.from(`${user}:${token}`).toString('base64');
    const git = this.git.with({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${gitUrl}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    });
    return { host, url: `${gitUrl}/${repository.owner}/${repository.name}.git`, git, pullRequestRefs };
  }

  async require(repository: HostRepository): Promise<GitRemote> {
    const remote = await this.find(repository);
    if (remote !== null) return remote;
    const what = `${repository.owner}/${repository.name} is not there, or the service has no access to it`;
    throw new HostUnavailable(this.parts.host, 'no_access', `${this.parts.host}: ${what}`);
  }

  /**
   * Runs the work with the token of the repository. If the server answers but refuses the service, throws
   * HostUnavailable with the kind `no_access`.
   */
  async using<Result>(repository: HostRepository, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.parts.access.using(repository, work);
    } catch (error) {
      if (!isRefusedToken(error) && !isSaidByGit(error, NOT_LET)) throw error;
      const { host } = this.parts;
      const what = `${host} does not let the service use ${repository.owner}/${repository.name}: ${error.message}`;
      throw new HostUnavailable(host, 'no_access', what);
    }
  }
}

/** Gives the same token for all repositories. `gate`: the gate for the token, which the API shares. */
export function oneTokenAccess(token: string, gate: TokenGate): GitAccess {
  return {
    tokenFor: () => Promise.resolve(token),
    using: async (_repository, work) => {
      try {
        const result = await gate.asOne(work);
        gate.taken();
        return result;
      } catch (error) {
        throw isRefusedToken(error) ? gate.refused(error.message) : error;
      }
    },
  };
}

/** Whether the error means that the server rejected the token of a git command. */
export function isRefusedToken(error: unknown): error is HostUnavailable {
  return isSaidByGit(error, REFUSED_TOKEN);
}

function isSaidByGit(error: unknown, words: RegExp): error is HostUnavailable {
  return error instanceof HostUnavailable && error.kind === 'no_answer' && words.test(error.message);
}
