import { HostConversation } from '../forge/conversation/host-conversation';
import { type ByGit, confirmedByGit, type HostDialect } from '../forge/dialect-host';
import { textAt } from '../reading';
import type { RepositoryPath } from '../repository-path';
import { gitLabCalls } from './conversation/gitlab-conversation';
import { GitLabLanding } from './landing/gitlab-landing';
import { stopGitLabPipelines } from './landing/stop-jobs';
import { MergeRequests, type MergeRequestsParts } from './reading/merge-requests';
import { findMergeRequestsByBranch, readOpenMergeRequests } from './reading/open-merge-requests';
import { readPipelineProgress, WHOLE_PIPELINE } from './reading/pipelines';

export interface GitLabDialectParts extends MergeRequestsParts {
  readonly byGit: ByGit;
  /** Logins, in lower case, of bot accounts. */
  readonly bots: readonly string[];
}

export function gitLabDialect(parts: GitLabDialectParts): HostDialect {
  const { api, byGit, clock, identities, bots, closesWhatLanded } = parts;
  const reader = new MergeRequests({ api, clock, identities, closesWhatLanded });
  const conversation = new HostConversation(gitLabCalls(api, bots, clock));
  const landing = new GitLabLanding({ api, clock, byGit, reader, closesWhatLanded, conversation });
  return {
    conversation,
    tellsMerges: false,
    isName: isGitLabName,
    findName: async (repository) => textAt(await api.findRepository(repository), 'path_with_namespace'),
    /** Always, because one push lands all merge requests of a run. */
    landsWholeRuns: () => true,
    mergesItself: () => false,
    readPullRequest: async (repository, number, targetBranch, mergeMethod) => {
      const seen = await reader.read(repository, number, targetBranch, mergeMethod);
      return confirmedByGit(byGit, repository, seen, targetBranch);
    },
    /** `branch`, or `<project number>:branch` for a branch of a fork. */
    findPullRequestsByBranch: (repository, headBranch) => findMergeRequestsByBranch(api, repository, headBranch),
    /** GitLab cannot require statuses by name, only that the pipeline succeeds. */
    readDemandedStatuses: async (repository) => ((await reader.demandsPipeline(repository)) ? [WHOLE_PIPELINE] : []),
    readReports: (repository, commit) => reader.readReports(repository, commit),
    readProgress: (repository, commit, names) => readPipelineProgress(api, repository, commit, names),
    readOpen: (repository, numbers) => readOpenMergeRequests(api, repository, numbers),
    /** Cancels pipelines, because GitLab lets them run to their end when their branch is removed. */
    stopJobs: (repository, tested) => stopGitLabPipelines(api, repository, tested),
    land: (request) => landing.land(request),
    showMerged: (repository, landed) => landing.showMerged(repository, landed),
  };
}

/** Whether GitLab allows such a path. The owner may be a nested group, such as `group/subgroup`. */
export function isGitLabName({ owner, name }: RepositoryPath): boolean {
  const parts = [...owner.split('/'), name];
  return parts.every(
    (part) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/.test(part) && !/\.(git|atom|lock)$|\.$/i.test(part),
  );
}
