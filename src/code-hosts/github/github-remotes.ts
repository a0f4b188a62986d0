import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import type { GitCommand } from '../git/git-command';
import type { GitRemote } from '../git/git-remote';
import type { AccessToken, Credentials } from './client/credentials';
import type { RepositoryPath } from './client/routes';

/** What git says when the token is refused: it would ask for a user name, but prompts are off. */
const UNAUTHORIZED = /Authentication failed|could not read (Username|Password)|returned error: 401/;

/** What git says when GitHub hides the repository, or does not let the service do this in it. */
const NOT_LET = /repository .*not found|returned error: 40[34]|not granted|permission .*denied/i;

/**
 * The repositories of GitHub for git, over HTTP with a token. The token goes to each command by its environment: never
 * into an address, an argument or a file.
 */
export class GitHubRemotes {
  private readonly git: GitCommand;
  private readonly used = new Map<string, AccessToken>();

  constructor(
    private readonly host: string,
    private readonly gitUrl: string,
    git: GitCommand,
    private readonly credentials: Credentials,
    /** Throws HostUnavailable when the name is another repository's now. */
    private readonly requireSame: (repository: HostRepository) => Promise<void>,
  ) {
    const { protocol } = new URL(gitUrl);
    this.git = git.with({}, [`protocol.${protocol.slice(0, -1)}.allow=always`]);
  }

  /** Null: GitHub has no such repository, or the service no access to it. */
  async find(repository: HostRepository): Promise<GitRemote | null> {
    if (!isGitHubName(repository)) return null;
    await this.requireSame(repository);
    const access = await this.credentials.tokenFor(repository);
    if (access === null) return null;
    this.used.set(repository.id, access);
    const url = `${this.gitUrl}/${repository.owner}/${repository.name}.git`;
    const git = this.git.with(this.headerFor(access));
    return { host: this.host, url, git, pullRequestRefs: 'refs/pull/*/head' };
  }

  async require(repository: HostRepository): Promise<GitRemote> {
    const remote = await this.find(repository);
    if (remote !== null) return remote;
    const what = `${repository.owner}/${repository.name} is not there, or the service has no access to it`;
    throw new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }

  /** Repeats the work once with another token when git was told that the token is not valid. */
  async renewing<Result>(repository: HostRepository, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isSaidByGit(error, UNAUTHORIZED)) throw this.asRefusal(repository, error);
      const access = this.used.get(repository.id);
      if (access !== undefined) this.credentials.refused(repository, access);
      return work().catch((again: unknown) => {
        throw this.asRefusal(repository, again);
      });
    }
  }

  /** GitHub answered git, but refuses the service. That is no silence. */
  private asRefusal({ owner, name }: HostRepository, error: unknown): unknown {
    if (!isSaidByGit(error, NOT_LET) && !isSaidByGit(error, UNAUTHORIZED)) return error;
    const what = `${this.host} does not let the service use ${owner}/${name}: ${error.message}`;
    return new HostUnavailable(this.host, 'no_access', what);
  }

  private headerFor({ token }: AccessToken): Record<string, string> {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    return {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${this.gitUrl}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    };
  }
}

function isSaidByGit(error: unknown, words: RegExp): error is HostUnavailable {
  return error instanceof HostUnavailable && error.kind === 'no_answer' && words.test(error.message);
}

/** Whether GitHub allows the name. It cannot leave a folder or begin an option. Some companies' logins contain a `_`. */
export function isGitHubName({ owner, name }: RepositoryPath): boolean {
  const isOwner = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner);
  return isOwner && /^[A-Za-z0-9._-]{1,100}$/.test(name) && !/^\.{1,2}$|\.git$/.test(name);
}
