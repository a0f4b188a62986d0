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
import { lookAboveMerged } from '../git/above-merged';
import type { GitHost } from '../git/git-host';
import { examineAboveMerged } from '../examine-above-merged';
import { isCommitId, isGitBranchName, isPullRequestNumber } from '../git/names';
import type { GiteaApi } from './client/gitea-api';
import { GiteaConversation } from './conversation/gitea-conversation';
import type { GiteaDoctor } from './gitea-doctor';
import { type GiteaRemotes, isGiteaName } from './gitea-remotes';
import { GiteaLanding, type GiteaLandingParts } from './landing/gitea-landing';
import { stopGiteaJobs } from './landing/stop-jobs';
import { readWorkflowProgress } from './reading/ci-progress';
import { GiteaPullRequests } from './reading/gitea-pull-requests';
import { findByBranch, readOpenPullRequests } from './reading/open-pull-requests';
import { textAt } from '../reading';
import type { RepositoryIdentities } from '../repository-identities';

export interface GiteaHostParts {
  readonly api: GiteaApi;
  /** The same repositories as git sees them. */
  readonly git: GitHost;
  readonly remotes: GiteaRemotes;
  readonly clock: Clock;
  readonly pollSeconds: number;
  readonly doctor: GiteaDoctor;
  /** Null: nothing is registered. */
  readonly identities: Pick<RepositoryIdentities, 'isSame'> | null;
  /** Logins, in lower case, of accounts that are programs. */
  readonly bots: readonly string[];
  readonly hostMerges: boolean;
}

/** Gitea and Forgejo: the API says what pull requests, protection and statuses are; branches and commits come and go by git. */
export class GiteaHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: true, hasOwnStatuses: true };
  readonly pollSeconds: number;

  readonly conversation: GiteaConversation;
  private readonly landing: GiteaLanding;
  private readonly reader: GiteaPullRequests;

  constructor(private readonly parts: GiteaHostParts) {
    this.pollSeconds = parts.pollSeconds;
    const { api, clock, identities, bots, hostMerges } = parts;
    this.conversation = new GiteaConversation(api, bots, clock);
    this.reader = new GiteaPullRequests({ api, clock, identities });
    const byGit: GiteaLandingParts['byGit'] = (request, work) => this.byGit(request.repository, work);
    this.landing = new GiteaLanding({ api, clock, byGit, reader: this.reader, hostMerges });
  }

  /** One push lands the whole run with every merge method, where the service may push. */
  landsWholeRuns(repository: HostRepository): boolean {
    return !this.landing.mergesOneByOne(repository);
  }

  async findRepository(repository: HostRepository): Promise<'found' | 'unknown'> {
    if (!isGiteaName(repository)) return 'unknown';
    const name = textAt(await this.parts.api.findRepository(repository), 'full_name');
    const isIt = name?.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase();
    return isIt ? 'found' : 'unknown';
  }

  async readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null> {
    if (!isGitBranchName(branch)) return null;
    return this.byGit(repository, (git) => git.readBranch(repository, branch));
  }

  async readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
  ): Promise<PullRequestObservation | null> {
    if (!isPullRequestNumber(number)) return null;
    const landsBy = this.landing.means(repository, targetBranch);
    const seen = await this.reader.read(repository, number, targetBranch, landsBy);
    if (seen === null || seen.state !== 'open') return seen;
    const byGit = await this.byGit(repository, (git) => git.readPullRequest(repository, number, targetBranch));
    // The ref follows a push some time after it.
    if (byGit?.head !== seen.head) return { ...seen, mergeability: 'in_progress' };
    // The host notices a merge by hand only where the repository is set up so.
    if (byGit.state === 'merged' && seen.base === targetBranch) return { ...seen, state: 'merged' };
    return seen.unmet === undefined ? { ...seen, mergeability: byGit.mergeability } : seen;
  }

  async examineAboveMerged(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand> {
    const isMergedByHost = this.landing.means(repository, question.targetBranch) === 'merge';
    const found = await this.byGit(repository, async (git) => lookAboveMerged(await git.clone(repository), question));
    return examineAboveMerged(found, question, isMergedByHost);
  }

  /** `branch`, or `owner:branch` for one in a fork. */
  findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[]> {
    return findByBranch(this.parts.api, repository, headBranch);
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

  /** Patterns are names here: `readStatuses` has a report for each of them. */
  async readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]> {
    if (!isGitBranchName(branch)) return [];
    return [...new Set((await this.reader.readDemands(repository, branch)).contexts)];
  }

  async readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]> {
    return isCommitId(commit) ? this.reader.readReports(repository, commit) : [];
  }

  async readCiProgress(
    repository: HostRepository,
    commit: string,
    names: readonly string[],
  ): Promise<CiProgress | null> {
    return isCommitId(commit) ? readWorkflowProgress(this.parts.api, repository, commit, names) : null;
  }

  async readState(
    repository: HostRepository,
    branches: readonly string[],
    numbers: readonly number[],
  ): Promise<HostState> {
    const pullRequests = await readOpenPullRequests(this.parts.api, repository, numbers);
    const state = await this.byGit(repository, (git) => git.readState(repository, branches, []));
    return { ...state, ...pullRequests };
  }

  buildCandidate(request: BuildRequest): Promise<CandidateOutcome> {
    return this.byGit(request.repository, (git) => git.buildCandidate(this.landing.asItLands(request)));
  }

  pushTestingBranch(request: PushRequest): Promise<PushOutcome> {
    return this.byGit(request.repository, (git) => git.pushTestingBranch(request));
  }

  stopJobs(repository: HostRepository, tested: TestingBranchTip): Promise<void> {
    return stopGiteaJobs(this.parts.api, repository, tested);
  }

  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval> {
    return this.byGit(repository, (git) => git.removeTestingBranch(repository, branch, testRunId));
  }

  land(request: LandRequest): Promise<LandOutcome> {
    return this.landing.land(request);
  }

  showMerged(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    return this.landing.showMerged(repository, landed);
  }

  examine(examination: HostExamination): Promise<readonly Finding[]> {
    return this.parts.doctor.examine(examination);
  }

  private byGit<Result>(repository: HostRepository, work: (git: GitHost) => Promise<Result>): Promise<Result> {
    return this.parts.remotes.using(repository, () => work(this.parts.git));
  }
}
