import type {
  AboveMergedQuestion,
  BranchRemoval,
  BranchTip,
  BuildRequest,
  BundleRequest,
  CandidateOutcome,
  ChangedFilesQuestion,
  CiProgress,
  CodeHost,
  CommitsQuestion,
  FileChangeQuestion,
  FileVersionsRequest,
  Finding,
  HostCapabilities,
  HostExamination,
  HostRepository,
  HostState,
  MergedPullRequest,
  LandOutcome,
  LandRequest,
  MergeMethod,
  PullRequestObservation,
  PushOutcome,
  PushRequest,
  StatusReport,
  TestingBranchTip,
  TooLarge,
  UnmetDemand,
  WrittenBundle,
} from '../../domain/code-host.port';
import type { Clock } from '../../platform/clock/clock';
import type { GitHost } from '../git/git-host';
import { isCommitId, isGitBranchName, isPullRequestNumber } from '../git/names';
import type { GitLabApi } from './client/gitlab-api';
import { GitLabConversation } from './conversation/gitlab-conversation';
import type { GitLabDoctor } from './doctor/gitlab-doctor';
import { type GitLabRemotes, isGitLabName } from './gitlab-remotes';
import { GitLabLanding, type GitLabLandingParts } from './landing/gitlab-landing';
import { stopGitLabPipelines } from './landing/stop-jobs';
import { readPipelineProgress } from './reading/ci-progress';
import { WHOLE_PIPELINE } from './reading/pipelines';
import { MergeRequests } from './reading/merge-requests';
import { findMergeRequestsByBranch, readOpenMergeRequests } from './reading/open-merge-requests';
import type { RepositoryIdentities } from '../repository-identities';

export interface GitLabHostParts {
  readonly api: GitLabApi;
  /** The same repositories as git sees them. */
  readonly git: GitHost;
  readonly remotes: GitLabRemotes;
  readonly clock: Clock;
  readonly pollSeconds: number;
  readonly doctor: GitLabDoctor;
  /** Null: nothing is registered. */
  readonly identities: Pick<RepositoryIdentities, 'isSame'> | null;
  /** Logins, in lower case, of accounts that are programs. */
  readonly bots: readonly string[];
  readonly closesWhatLanded: boolean;
}

/** GitLab: the API says what merge requests, approvals and pipelines are; branches and commits come and go by git. */
export class GitLabHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: true, hasOwnStatuses: true };
  readonly pollSeconds: number;

  readonly conversation: GitLabConversation;
  private readonly landing: GitLabLanding;
  private readonly reader: MergeRequests;

  constructor(private readonly parts: GitLabHostParts) {
    this.pollSeconds = parts.pollSeconds;
    const { api, clock, identities, bots, closesWhatLanded } = parts;
    this.conversation = new GitLabConversation(api, bots, clock);
    this.reader = new MergeRequests({ api, clock, identities, closesWhatLanded });
    const byGit: GitLabLandingParts['byGit'] = (request, work) => this.byGit(request.repository, work);
    this.landing = new GitLabLanding({ api, clock, byGit, reader: this.reader, closesWhatLanded });
  }

  /** One push lands the whole run. */
  landsWholeRuns(): boolean {
    return true;
  }

  async findRepository(repository: HostRepository): Promise<'found' | 'unknown'> {
    if (!isGitLabName(repository)) return 'unknown';
    return (await this.parts.api.findProject(repository)) === null ? 'unknown' : 'found';
  }

  async readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null> {
    if (!isGitBranchName(branch)) return null;
    return this.byGit(repository, (git) => git.readBranch(repository, branch));
  }

  async readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
    mergeMethod?: MergeMethod,
  ): Promise<PullRequestObservation | null> {
    if (!isPullRequestNumber(number)) return null;
    const seen = await this.reader.read(repository, number, targetBranch, mergeMethod);
    if (seen === null || seen.state !== 'open') return seen;
    const byGit = await this.byGit(repository, (git) => git.readPullRequest(repository, number, targetBranch));
    // The ref follows a push some time after it.
    if (byGit?.head !== seen.head) return { ...seen, mergeability: 'in_progress' };
    // The host notices a merge by push some time after it.
    if (byGit.state === 'merged' && seen.base === targetBranch) return { ...seen, state: 'merged' };
    return seen.mergeability === 'unspecified' ? { ...seen, mergeability: byGit.mergeability } : seen;
  }

  examineAboveMerged(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand> {
    return this.byGit(repository, (git) => git.examineAboveMerged(repository, question));
  }

  /** `branch`, or `number of the project:branch` for one in a fork. */
  findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[]> {
    return findMergeRequestsByBranch(this.parts.api, repository, headBranch);
  }

  readTree(repository: HostRepository, commit: string): Promise<string | null> {
    return this.byGit(repository, (git) => git.readTree(repository, commit));
  }

  containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean> {
    return this.byGit(repository, (git) => git.containsCommit(repository, commit, ancestor));
  }

  findContained(repository: HostRepository, commit: string, heads: readonly string[]): Promise<readonly string[]> {
    return this.byGit(repository, (git) => git.findContained(repository, commit, heads));
  }

  findBranchesWith(
    repository: HostRepository,
    commit: string,
    branches: readonly string[],
  ): Promise<readonly string[]> {
    return this.byGit(repository, (git) => git.findBranchesWith(repository, commit, branches));
  }

  readFile(
    repository: HostRepository,
    commit: string,
    path: string,
    maxBytes?: number,
  ): Promise<string | null | TooLarge> {
    return this.byGit(repository, (git) => git.readFile(repository, commit, path, maxBytes));
  }

  readFileVersions(request: FileVersionsRequest): Promise<readonly (string | null)[]> {
    return this.byGit(request.repository, (git) => git.readFileVersions(request));
  }

  changesFile(repository: HostRepository, question: FileChangeQuestion): Promise<boolean> {
    return this.byGit(repository, (git) => git.changesFile(repository, question));
  }

  listChangedFiles(
    repository: HostRepository,
    question: ChangedFilesQuestion,
  ): Promise<readonly string[] | 'too_many' | 'unknown'> {
    return this.byGit(repository, (git) => git.listChangedFiles(repository, question));
  }

  listCommits(repository: HostRepository, question: CommitsQuestion): Promise<readonly string[]> {
    return this.byGit(repository, (git) => git.listCommits(repository, question));
  }

  writeBundle(request: BundleRequest): Promise<WrittenBundle> {
    return this.byGit(request.repository, (git) => git.writeBundle(request));
  }

  /** The host knows no names of checks, only that pipelines must succeed. */
  async readProtectedStatuses(repository: HostRepository): Promise<readonly string[]> {
    return (await this.reader.demandsPipeline(repository)) ? [WHOLE_PIPELINE] : [];
  }

  async readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]> {
    return isCommitId(commit) ? this.reader.readReports(repository, commit) : [];
  }

  async readCiProgress(
    repository: HostRepository,
    commit: string,
    names: readonly string[],
  ): Promise<CiProgress | null> {
    return isCommitId(commit) ? readPipelineProgress(this.parts.api, repository, commit, names) : null;
  }

  async readState(
    repository: HostRepository,
    branches: readonly string[],
    numbers: readonly number[],
  ): Promise<HostState> {
    const pullRequests = await readOpenMergeRequests(this.parts.api, repository, numbers);
    const state = await this.byGit(repository, (git) => git.readState(repository, branches, []));
    return { ...state, ...pullRequests };
  }

  buildCandidate(request: BuildRequest): Promise<CandidateOutcome> {
    return this.byGit(request.repository, (git) => git.buildCandidate(request));
  }

  pushTestingBranch(request: PushRequest): Promise<PushOutcome> {
    return this.byGit(request.repository, (git) => git.pushTestingBranch(request));
  }

  /** Removing a branch cancels nothing at this host: pipelines that still run for it would run to their end. */
  stopJobs(repository: HostRepository, tested: TestingBranchTip): Promise<void> {
    return stopGitLabPipelines(this.parts.api, repository, tested);
  }

  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval> {
    return this.byGit(repository, (git) => git.removeTestingBranch(repository, branch, testRunId));
  }

  showMerged(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    return this.landing.showMerged(repository, landed);
  }

  land(request: LandRequest): Promise<LandOutcome> {
    return this.landing.land(request);
  }

  examine(examination: HostExamination): Promise<readonly Finding[]> {
    return this.parts.doctor.examine(examination);
  }

  private byGit<Result>(repository: HostRepository, work: (git: GitHost) => Promise<Result>): Promise<Result> {
    return this.parts.remotes.using(repository, () => work(this.parts.git));
  }
}
