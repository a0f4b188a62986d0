import type { HostRepository } from '../../domain/code-host.port';
import { type GitAccess, isRefusedToken } from '../forge/http-remotes';
import type { GitHubApi } from './client/github-api';
import type { AccessToken, Credentials } from './client/credentials';

/**
 * A token for each repository. If GitHub no longer accepts the token, the git work is repeated once with another token.
 */
export class GitHubGitAccess implements GitAccess {
  private readonly used = new Map<string, AccessToken>();

  constructor(
    private readonly credentials: Credentials,
    private readonly api: GitHubApi,
  ) {}

  async tokenFor(repository: HostRepository): Promise<string | null> {
    await this.api.requireSame(repository);
    const access = await this.credentials.tokenFor(repository);
    if (access !== null) this.used.set(repository.id, access);
    return access?.token ?? null;
  }

  async using<Result>(repository: HostRepository, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isRefusedToken(error)) throw error;
      const access = this.used.get(repository.id);
      if (access !== undefined) this.credentials.refused(repository, access);
      return work();
    }
  }
}
