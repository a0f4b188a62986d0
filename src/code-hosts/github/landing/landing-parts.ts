import type { Clock } from '../../../platform/clock/clock';
import type { LandRequest } from '../../../domain/code-host.port';
import type { GitHost } from '../../git/git-host';
import type { GitHubApi } from '../client/github-api';

export interface GitHubLandingParts {
  readonly api: GitHubApi;
  /** The same repositories as git sees them, with a token that is renewed when git is told that it is not valid. */
  byGit<Result>(order: LandRequest, work: (git: GitHost) => Promise<Result>): Promise<Result>;
  readonly clock: Clock;
}
