import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import type { GitCommand } from '../git/git-command';
import type { GitRemote, GitRemotes } from '../git/git-remote';
import type { PullRequestRefs } from '../git/names';
import type { RepositoryPath } from '../repository-path';
import type { TokenGate } from '../token-gate';

/** What git says when the server does not take the token: it would ask for a user name, but prompts are off. */
const REFUSED_TOKEN = /Authentication failed|could not read (Username|Password)|returned error: 401/i;
/** What git says when the server hides the repository, or does not let the service do this in it. */
const NOT_LET = /repository .*not found|returned error: 40[34]|not granted|permission .*denied/i;

/** With which token git comes. */
export interface GitAccess {
  /** Null: the service has no access to the repository. */
  tokenFor(repository: HostRepository): Promise<string | null>;
  /** Runs work of git; it may repeat it once with another token. */
  using<Result>(repository: HostRepository, work: () => Promise<Result>): Promise<Result>;
}

export interface HttpRemotesParts extends PullRequestRefs {
  readonly host: string;
  /** Without a slash at the end. */
  readonly gitUrl: string;
  readonly git: GitCommand;
  /** The name beside the token. */
  readonly user: string;
  readonly access: GitAccess;
  /** False: under its old name a repository that was renamed redirects, and nothing may be pushed to where that leads. */
  readonly followsRedirects: boolean;
  isName(repository: RepositoryPath): boolean;
}

/**
 * The repositories of a code host for git, over HTTP with a token. It goes to each command by its environment: never into an
 * address, an argument or a file, where error texts would show it.
 */
export class HttpRemotes implements Pick<GitRemotes, 'find' | 'require'> {
  private readonly git: GitCommand;

  constructor(private readonly parts: HttpRemotesParts) {
    const { protocol } = new URL(parts.gitUrl);
    const staysHere = parts.followsRedirects ? [] : ['http.followRedirects=false'];
    this.git = parts.git.with({}, [`protocol.${protocol.slice(0, -1)}.allow=always`, ...staysHere]);
  }

  /** Null: the name cannot exist there, or the service has no access. */
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

  /** Does the work; where the server answered git but refuses the service, that is no silence. */
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

/** One token for all repositories. `gate`: the same for the API. */
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

/** Git was told that the token is not valid. */
export function isRefusedToken(error: unknown): error is HostUnavailable {
  return isSaidByGit(error, REFUSED_TOKEN);
}

function isSaidByGit(error: unknown, words: RegExp): error is HostUnavailable {
  return error instanceof HostUnavailable && error.kind === 'no_answer' && words.test(error.message);
}
