import type { Clock } from '../../platform/clock/clock';
import type { ByGit, HostDialect } from '../forge/dialect-host';
import { listAt, numberAt, textAt } from '../reading';
import type { GitHubApi } from './client/github-api';
import type { RepositoryPath } from './client/routes';
import { GitHubConversation } from './conversation/github-conversation';
import { GitHubLanding } from './landing/github-landing';
import { stopGitHubJobs } from './landing/stop-jobs';
import { buildAsGitHubMerges } from './landing/test-merge';
import { namesOf, pinsOf } from './reading/branch-rules';
import { readActionsProgress } from './reading/ci-progress';
import { GitHubPullRequests } from './reading/github-pull-requests';
import { readPullRequestStates } from './reading/open-pull-requests';
import { isRewriteByGitHub } from './reading/rewrites';
import { seenForTarget } from './reading/seen-for-target';
import type { ToldPushers } from './told-pushers';

const MOST_FOUND = 100;

export interface GitHubDialectParts {
  readonly api: GitHubApi;
  readonly byGit: ByGit;
  readonly clock: Clock;
  /** The pushers that deliveries have named; null if no repository is registered. */
  readonly toldPushers: ToldPushers | null;
}

export function gitHubDialect({ api, byGit, clock, toldPushers }: GitHubDialectParts): HostDialect {
  const conversation = new GitHubConversation(api);
  const reader = new GitHubPullRequests(api, clock, toldPushers);
  const landing = new GitHubLanding({ api, clock, byGit, reader });
  return {
    conversation,
    tellsMerges: true,
    isName: isGitHubName,
    findName: async (repository) => textAt(await api.findRepository(repository), 'full_name'),
    /** The merge button takes one pull request at a time, and only the button can squash or rebase. */
    landsWholeRuns: (_repository, mergeMethod) => mergeMethod === 'merge_commit',
    mergesItself: (repository, targetBranch, mergeMethod) =>
      landing.means(repository, targetBranch, mergeMethod) === 'button',
    readPullRequest: async (repository, number, targetBranch, mergeMethod) => {
      const landsBy = landing.means(repository, targetBranch, mergeMethod);
      const seen = await reader.read(repository, number, { targetBranch, landsBy, mergeMethod });
      return seen && byGit({ repository }, (git) => seenForTarget(git, repository, seen, targetBranch));
    },
    isRewritten: (question) => isRewriteByGitHub({ people: conversation.people, byGit }, question),
    /** `headBranch`: `branch`, or `owner:branch` for a branch of a fork. */
    findPullRequestsByBranch: async (repository, headBranch) => {
      const head = headBranch.includes(':') ? headBranch : `${repository.owner}:${headBranch}`;
      const answer = await api.read(repository, 'GET /repos/{owner}/{repo}/pulls', {
        ...{ head, state: 'all', sort: 'created', direction: 'desc', per_page: MOST_FOUND },
      });
      const found = listAt(answer?.body).toSorted((a, b) => closedOf(a) - closedOf(b));
      return found.map((one) => numberAt(one, 'number')).filter((number) => number !== null);
    },
    readDemandedStatuses: async (repository, branch) => namesOf((await reader.readDemands(repository, branch)).checks),
    readStatusPins: async (repository, branch) => pinsOf((await reader.readDemands(repository, branch)).checks),
    readReports: (repository, commit) => reader.readReports(repository, commit),
    readProgress: (repository, commit) => readActionsProgress(api, repository, commit),
    readOpen: (repository, numbers) => readPullRequestStates(api, repository, numbers),
    build: buildAsGitHubMerges,
    stopJobs: (repository, tested) => stopGitHubJobs(api, repository, tested),
    land: (request) => landing.land(request),
  };
}

function closedOf(pullRequest: unknown): number {
  return textAt(pullRequest, 'state') === 'open' ? 0 : 1;
}

/** Whether GitHub can have a repository with the name. The logins of some companies contain a `_`. */
export function isGitHubName({ owner, name }: RepositoryPath): boolean {
  const isOwner = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner);
  return isOwner && /^[A-Za-z0-9._-]{1,100}$/.test(name) && !/^\.{1,2}$|\.git$/.test(name);
}
