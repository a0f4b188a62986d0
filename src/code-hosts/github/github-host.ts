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
  LandOutcome,
  LandRequest,
  MergeMethod,
  PullRequestObservation,
  PushOutcome,
  PushRequest,
  RewriteQuestion,
  StatusPin,
  StatusReport,
  TestingBranchTip,
  TooLarge,
  UnmetDemand,
  WrittenBundle,
} from '../../domain/code-host.port';
import type { Clock } from '../../platform/clock/clock';
import { lookAboveMerged } from '../git/above-merged';
import type { GitHost } from '../git/git-host';
import { examineAboveMerged } from '../examine-above-merged';
import { isGitBranchName, isCommitId } from '../git/names';
import type { GitHubApi } from './client/github-api';
import { listAt, numberAt, textAt } from '../reading';
import type { GitHubDoctor } from './doctor/github-doctor';
import { type GitHubRemotes, isGitHubName } from './github-remotes';
import { GitHubLanding, type GitHubLandingParts } from './landing/github-landing';
import { stopGitHubJobs } from './landing/stop-jobs';
import { buildAsGitHubMerges } from './landing/test-merge';
import { GitHubConversation } from './conversation/github-conversation';
import { readPullRequestStates } from './reading/open-pull-requests';
import { namesOf, pinsOf } from './reading/branch-rules';
import { readActionsProgress } from './reading/ci-progress';
import { GitHubPullRequests } from './reading/github-pull-requests';
import { isRewriteByGitHub } from './reading/rewrites';
import { seenForTarget } from './reading/seen-for-target';
import type { ToldPushers } from './told-pushers';

const MOST_FOUND = 100;

export interface GitHubHostParts {
  readonly api: GitHubApi;
  /** The same repositories as git sees them. */
  readonly git: GitHost;
  readonly remotes: GitHubRemotes;
  readonly clock: Clock;
  readonly pollSeconds: number;
  readonly doctor: GitHubDoctor;
  /** Null: nothing is registered. */
  readonly toldPushers: ToldPushers | null;
}

/** GitHub: its API says what pull requests, protection and checks are; branches and commits come and go by git. */
export class GitHubHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: true, hasOwnStatuses: true };
  readonly pollSeconds: number;

  readonly conversation: GitHubConversation;
  private readonly landing: GitHubLanding;
  private readonly reader: GitHubPullRequests;

  constructor(private readonly parts: GitHubHostParts) {
    this.pollSeconds = parts.pollSeconds;
    const { api, clock, toldPushers } = parts;
    this.conversation = new GitHubConversation(api);
    this.reader = new GitHubPullRequests(api, clock, toldPushers);
    const byGit: GitHubLandingParts['byGit'] = (request, work) => this.byGit(request.repository, work);
    this.landing = new GitHubLanding({ api, clock, byGit, reader: this.reader });
  }

  /** The merge button takes one pull request at a time, and it is the only way to squash or rebase one. */
  landsWholeRuns(_repository: HostRepository, mergeMethod: MergeMethod): boolean {
    return mergeMethod === 'merge_commit';
  }

  async findRepository(repository: HostRepository): Promise<'found' | 'unknown'> {
    if (!isGitHubName(repository)) return 'unknown';
    const name = textAt(await this.parts.api.findRepository(repository), 'full_name');
    // Under its old name GitHub answers for a repository that was renamed, but its deliveries carry the new one.
    const isIt = name?.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase();
    return isIt ? 'found' : 'unknown';
  }

  /** git says where a branch is, as it moves it: the API may lag behind, and each of its answers counts. */
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
    if (!Number.isInteger(number) || number <= 0) return null;
    const means = this.landing.means(repository, targetBranch, mergeMethod);
    const seen = await this.reader.read(repository, number, { targetBranch, landsBy: means, mergeMethod });
    if (seen === null) return null;
    return this.byGit(repository, (git) => seenForTarget(git, repository, seen, targetBranch));
  }

  async examineAboveMerged(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand> {
    const isMergedByHost = this.landing.means(repository, question.targetBranch, question.mergeMethod) === 'button';
    const found = await this.byGit(repository, async (git) => lookAboveMerged(await git.clone(repository), question));
    return examineAboveMerged(found, question, isMergedByHost);
  }

  isRewritten(question: RewriteQuestion): Promise<boolean> {
    const { people } = this.conversation;
    return isRewriteByGitHub({ people, byGit: (repository, work) => this.byGit(repository, work) }, question);
  }

  /** `branch`, or `owner:branch` for one in a fork. */
  async findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[]> {
    const head = headBranch.includes(':') ? headBranch : `${repository.owner}:${headBranch}`;
    const answer = await this.parts.api.read(repository, 'GET /repos/{owner}/{repo}/pulls', {
      ...{ head, state: 'all', sort: 'created', direction: 'desc', per_page: MOST_FOUND },
    });
    const found = listAt(answer?.body).toSorted((a, b) => closedOf(a) - closedOf(b));
    return found.map((one) => numberAt(one, 'number')).filter((number) => number !== null);
  }

  readTree(repository: HostRepository, commit: string): Promise<string | null> {
    return this.byGit(repository, (git) => git.readTree(repository, commit));
  }

  containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean> {
    return this.byGit(repository, (git) => git.containsCommit(repository, commit, ancestor));
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

  async readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]> {
    if (!isGitBranchName(branch)) return [];
    return namesOf((await this.reader.readDemands(repository, branch)).checks);
  }

  async readStatusPins(repository: HostRepository, branch: string): Promise<readonly StatusPin[]> {
    if (!isGitBranchName(branch)) return [];
    return pinsOf((await this.reader.readDemands(repository, branch)).checks);
  }

  async readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]> {
    return isCommitId(commit) ? this.reader.readReports(repository, commit) : [];
  }

  async readCiProgress(repository: HostRepository, commit: string): Promise<CiProgress | null> {
    return isCommitId(commit) ? readActionsProgress(this.parts.api, repository, commit) : null;
  }

  async readState(
    repository: HostRepository,
    branches: readonly string[],
    numbers: readonly number[],
  ): Promise<HostState> {
    // The list first: it shows whose pull requests they are, so that git need not ask.
    const pullRequests = await readPullRequestStates(this.parts.api, repository, numbers);
    const state = await this.byGit(repository, (git) => git.readState(repository, branches, []));
    return { ...state, ...pullRequests };
  }

  buildCandidate(request: BuildRequest): Promise<CandidateOutcome> {
    return this.byGit(request.repository, (git) => buildAsGitHubMerges(git, this.landing.asItLands(request)));
  }

  pushTestingBranch(request: PushRequest): Promise<PushOutcome> {
    return this.byGit(request.repository, (git) => git.pushTestingBranch(request));
  }

  stopJobs(repository: HostRepository, tested: TestingBranchTip): Promise<void> {
    return stopGitHubJobs(this.parts.api, repository, tested);
  }

  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval> {
    return this.byGit(repository, (git) => git.removeTestingBranch(repository, branch, testRunId));
  }

  land(request: LandRequest): Promise<LandOutcome> {
    return this.landing.land(request);
  }

  examine(examination: HostExamination): Promise<readonly Finding[]> {
    return this.parts.doctor.examine(examination);
  }

  private byGit<Result>(repository: HostRepository, work: (git: GitHost) => Promise<Result>): Promise<Result> {
    return this.parts.remotes.renewing(repository, () => work(this.parts.git));
  }
}

function closedOf(pullRequest: unknown): number {
  return textAt(pullRequest, 'state') === 'open' ? 0 : 1;
}
