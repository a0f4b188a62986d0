import { HostUnavailable, type HostRepository } from '../../domain/code-host.port';
import type { GitCommand } from '../git/git-command';
import type { GitRemote } from '../git/git-remote';
import type { RepositoryPath } from '../repository-path';
import type { TokenGate } from '../token-gate';

/** What git says when the server does not take the token. */
const REFUSED_TOKEN = /Authentication failed|could not read (Username|Password)|returned error: 401/i;
/** What git says when the server hides the repository, does not take the token, or does not let the service do this. */
const NOT_LET =
  /Authentication failed|could not read (Username|Password)|repository .*not found|returned error: 40[134]|permission .*denied/i;

/**
 * The repositories of a GitLab for git, over HTTP with the token. It goes to each command by its environment: never into an
 * address, an argument or a file, where error texts would show it.
 */
export class GitLabRemotes {
  private readonly git: GitCommand;

  constructor(
    private readonly host: string,
    private readonly gitUrl: string,
    git: GitCommand,
    token: string,
    /** The same for the API. */
    private readonly gate: TokenGate,
  ) {
    const { protocol } = new URL(gitUrl);
    const basic = Buffer.from(`oauth2:${token}`).toString('base64');
    const header = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${gitUrl}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    };
    // Under its old name a repository that was renamed redirects: nothing is pushed to where that leads.
    this.git = git.with(header, [`protocol.${protocol.slice(0, -1)}.allow=always`, 'http.followRedirects=false']);
  }

  /** Null: the name cannot exist there. */
  find(repository: HostRepository): Promise<GitRemote | null> {
    if (!isGitLabName(repository)) return Promise.resolve(null);
    const url = `${this.gitUrl}/${repository.owner}/${repository.name}.git`;
    return Promise.resolve({ host: this.host, url, git: this.git, pullRequestRefs: 'refs/merge-requests/*/head' });
  }

  async require(repository: HostRepository): Promise<GitRemote> {
    const remote = await this.find(repository);
    if (remote !== null) return remote;
    const what = `${repository.owner}/${repository.name} is no name of a repository`;
    throw new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }

  /** Does the work; where the server answered git but refuses the service, that is no silence. */
  async using<Result>({ owner, name }: HostRepository, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.gate.asOne(work);
      this.gate.taken();
      return result;
    } catch (error) {
      const isRefusal = error instanceof HostUnavailable && error.kind === 'no_answer' && NOT_LET.test(error.message);
      if (!isRefusal) throw error;
      if (REFUSED_TOKEN.test(error.message)) throw this.gate.refused(error.message);
      const what = `${this.host} does not let the service use ${owner}/${name}: ${error.message}`;
      throw new HostUnavailable(this.host, 'no_access', what);
    }
  }
}

/** Whether GitLab allows the name; owners are groups within groups. It cannot leave a folder or begin an option. */
export function isGitLabName({ owner, name }: RepositoryPath): boolean {
  const parts = [...owner.split('/'), name];
  return parts.every(
    (part) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/.test(part) && !/\.(git|atom|lock)$|\.$/i.test(part),
  );
}
