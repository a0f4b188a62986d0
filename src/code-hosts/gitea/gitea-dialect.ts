import { HostConversation } from '../forge/conversation/host-conversation';
import { type ByGit, confirmedByGit, type HostDialect } from '../forge/dialect-host';
import { textAt } from '../reading';
import type { RepositoryPath } from '../repository-path';
import { giteaCalls } from './conversation/gitea-conversation';
import { GiteaLanding } from './landing/gitea-landing';
import { stopGiteaJobs } from './landing/stop-jobs';
import { GiteaPullRequests, type GiteaPullRequestsParts } from './reading/gitea-pull-requests';
import { findByBranch, readOpenPullRequests } from './reading/open-pull-requests';
import { readWorkflowProgress } from './reading/workflow-runs';

export interface GiteaDialectParts extends GiteaPullRequestsParts {
  readonly byGit: ByGit;
  /** Logins, in lower case, of bot accounts. */
  readonly bots: readonly string[];
  readonly hostMerges: boolean;
}

/** The dialect of Gitea and Forgejo. */
export function giteaDialect({ api, byGit, clock, identities, bots, hostMerges }: GiteaDialectParts): HostDialect {
  const reader = new GiteaPullRequests({ api, clock, identities });
  const conversation = new HostConversation(giteaCalls(api, bots, clock));
  const landing = new GiteaLanding({ api, clock, byGit, reader, hostMerges, conversation });
  return {
    conversation,
    tellsMerges: false,
    isName: isGiteaName,
    findName: async (repository) => textAt(await api.findRepository(repository), 'full_name'),
    /** If the service may push to the target, one push lands the whole run with every merge method. */
    landsWholeRuns: (repository) => !landing.mergesOneByOne(repository),
    mergesItself: (repository, targetBranch) => landing.means(repository, targetBranch) === 'merge',
    readPullRequest: async (repository, number, targetBranch) => {
      const landsBy = landing.means(repository, targetBranch);
      const seen = await reader.read(repository, number, targetBranch, landsBy);
      return confirmedByGit(byGit, repository, seen, targetBranch);
    },
    /** `headBranch`: `branch`, or `owner:branch` for a branch of a fork. */
    findPullRequestsByBranch: (repository, headBranch) => findByBranch(api, repository, headBranch),
    /** Patterns for names of statuses count as names here, because `readReports` makes a report for each pattern. */
    readDemandedStatuses: async (repository, branch) => [
      ...new Set((await reader.readDemands(repository, branch)).contexts),
    ],
    readReports: (repository, commit) => reader.readReports(repository, commit),
    readProgress: (repository, commit, names) => readWorkflowProgress(api, repository, commit, names),
    readOpen: (repository, numbers) => readOpenPullRequests(api, repository, numbers),
    stopJobs: (repository, tested) => stopGiteaJobs(api, repository, tested),
    land: (request) => landing.land(request),
    showMerged: (repository, landed) => landing.showMerged(repository, landed),
  };
}

export function isGiteaName({ owner, name }: RepositoryPath): boolean {
  const isOwner = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(owner);
  return isOwner && /^[A-Za-z0-9._-]{1,100}$/.test(name) && !/^-|^\.{1,2}$|\.(git|wiki|rss|atom)$/i.test(name);
}
