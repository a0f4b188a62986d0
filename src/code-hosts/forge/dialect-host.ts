import type {
  BuildRequest,
  CandidateOutcome,
  CiProgress,
  CodeHost,
  HostCapabilities,
  HostRepository,
  HostState,
  MergeMethod,
  PullRequestObservation,
  StatusReport,
} from '../../domain/code-host.port';
import { examineAboveMerged } from '../examine-above-merged';
import { lookAboveMerged } from '../git/above-merged';
import type { GitHost } from '../git/git-host';
import type { BuiltByGit } from '../git/built-by-git';
import { isCommitId, isGitBranchName, isPullRequestNumber } from '../git/names';
import { type RepositoryPath, repositoryKey } from '../repository-path';

/** Runs git on the repository of a request. Throws HostUnavailable, also if the code host refuses the service. */
export type ByGit = BuiltByGit['byGit'];

export type OpenPullRequests = Pick<HostState, 'pullRequestHeads' | 'pullRequestTraits'>;

/** The API of one kind of code host, and the behaviour that only this kind has. */
export interface HostDialect
  extends
    Required<Pick<CodeHost, 'conversation' | 'stopJobs'>>,
    Pick<CodeHost, 'landsWholeRuns' | 'readPullRequest' | 'findPullRequestsByBranch' | 'land'>,
    Pick<CodeHost, 'showMerged' | 'isRewritten' | 'readStatusPins'> {
  /** Whether a repository may have the name. A valid name cannot leave a folder or look like an option. */
  isName(repository: RepositoryPath): boolean;
  /**
   * `<owner>/<name>` in the spelling of the host; null if there is no such repository, or the service cannot see it.
   */
  findName(repository: HostRepository): Promise<string | null>;
  /** Whether the host itself would make the merge, instead of a push by the service. */
  mergesItself(repository: HostRepository, targetBranch: string, mergeMethod?: MergeMethod): boolean;
  /** Whether webhooks report pull requests that people merged, so that the service need not look for them. */
  readonly tellsMerges: boolean;
  readDemandedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]>;
  readReports(repository: HostRepository, commit: string): Promise<readonly StatusReport[]>;
  readProgress(repository: HostRepository, commit: string, names: readonly string[]): Promise<CiProgress | null>;
  readOpen(repository: HostRepository, numbers: readonly number[]): Promise<OpenPullRequests>;
  /** Builds a candidate in the way of this kind of host. Absent: git alone builds candidates. */
  build?(git: GitHost, request: BuildRequest): Promise<CandidateOutcome>;
}

export interface DialectHostParts {
  readonly dialect: HostDialect;
  readonly byGit: ByGit;
  readonly doctor: Required<Pick<CodeHost, 'examine'>>;
  readonly pollSeconds: number;
}

/**
 * A code host with an API. Pull requests, protections and statuses are read by the API, which the dialect of the kind
 * knows. Branches and commits are read and written by git.
 */
export class DialectHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: true, hasOwnStatuses: true };
  readonly pollSeconds: number;
  readonly conversation: NonNullable<CodeHost['conversation']>;
  readonly findContained?: CodeHost['findContained'];
  readonly showMerged?: CodeHost['showMerged'];
  readonly isRewritten?: CodeHost['isRewritten'];
  readonly readStatusPins?: CodeHost['readStatusPins'];

  constructor(private readonly parts: DialectHostParts) {
    const { dialect, byGit, pollSeconds } = parts;
    this.pollSeconds = pollSeconds;
    this.conversation = dialect.conversation;
    this.showMerged = dialect.showMerged?.bind(dialect);
    this.isRewritten = dialect.isRewritten?.bind(dialect);
    const readPins = dialect.readStatusPins?.bind(dialect);
    if (readPins !== undefined)
      this.readStatusPins = async (repository, branch) => (isGitBranchName(branch) ? readPins(repository, branch) : []);
    if (!dialect.tellsMerges)
      this.findContained = (repository, ...asked) =>
        byGit({ repository }, (git) => git.findContained(repository, ...asked));
  }

  async findRepository(repository: HostRepository): Promise<'found' | 'unknown'> {
    const { dialect } = this.parts;
    if (!dialect.isName(repository)) return 'unknown';
    const name = await dialect.findName(repository);
    // A host may still answer requests under the old name of a renamed repository, but its deliveries have the new
    // name, so the old name is unknown here.
    return name?.toLowerCase() === repositoryKey(repository) ? 'found' : 'unknown';
  }

  readonly landsWholeRuns: CodeHost['landsWholeRuns'] = (...asked) => this.parts.dialect.landsWholeRuns(...asked);

  readonly readPullRequest: CodeHost['readPullRequest'] = async (repository, number, ...asked) =>
    isPullRequestNumber(number) ? this.parts.dialect.readPullRequest(repository, number, ...asked) : null;

  readonly examineAboveMerged: NonNullable<CodeHost['examineAboveMerged']> = async (repository, question) => {
    const { dialect, byGit } = this.parts;
    const isMergedByHost = dialect.mergesItself(repository, question.targetBranch, question.mergeMethod);
    const found = await byGit({ repository }, async (git) => lookAboveMerged(await git.clone(repository), question));
    return examineAboveMerged(found, question, isMergedByHost);
  };

  readonly findPullRequestsByBranch: CodeHost['findPullRequestsByBranch'] = (...asked) =>
    this.parts.dialect.findPullRequestsByBranch(...asked);

  readonly readProtectedStatuses: CodeHost['readProtectedStatuses'] = async (repository, branch) =>
    isGitBranchName(branch) ? this.parts.dialect.readDemandedStatuses(repository, branch) : [];

  readonly readStatuses: CodeHost['readStatuses'] = async (repository, commit) =>
    isCommitId(commit) ? this.parts.dialect.readReports(repository, commit) : [];

  readonly readCiProgress: NonNullable<CodeHost['readCiProgress']> = async (repository, commit, names) =>
    isCommitId(commit) ? this.parts.dialect.readProgress(repository, commit, names) : null;

  /**
   * The list of pull requests is read first. It shows their heads, bases and drafts, so git is not asked for these pull
   * requests.
   */
  async readState(
    repository: HostRepository,
    branches: readonly string[],
    numbers: readonly number[],
  ): Promise<HostState> {
    const pullRequests = await this.parts.dialect.readOpen(repository, numbers);
    const state = await this.byGit({ repository }, (git) => git.readState(repository, branches, []));
    return { ...state, ...pullRequests };
  }

  /** If the host itself would make the merge, the candidate is built in the same way. */
  readonly buildCandidate: CodeHost['buildCandidate'] = (request) => {
    const { dialect } = this.parts;
    const isMergedByHost = dialect.mergesItself(request.repository, request.targetBranch, request.mergeMethod);
    const asItLands = isMergedByHost ? { ...request, isMergedByHost } : request;
    return this.byGit(request, (git) => dialect.build?.(git, asItLands) ?? git.buildCandidate(asItLands));
  };

  readonly stopJobs: NonNullable<CodeHost['stopJobs']> = (...asked) => this.parts.dialect.stopJobs(...asked);
  readonly land: CodeHost['land'] = (request) => this.parts.dialect.land(request);
  readonly examine: NonNullable<CodeHost['examine']> = (examination) => this.parts.doctor.examine(examination);

  readonly readBranch: CodeHost['readBranch'] = async (repository, branch) =>
    isGitBranchName(branch) ? this.byGit({ repository }, (git) => git.readBranch(repository, branch)) : null;
  readonly readTree: CodeHost['readTree'] = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.readTree(repository, ...asked));
  readonly containsCommit: CodeHost['containsCommit'] = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.containsCommit(repository, ...asked));
  readonly findBranchesWith: NonNullable<CodeHost['findBranchesWith']> = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.findBranchesWith(repository, ...asked));
  readonly readFile: CodeHost['readFile'] = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.readFile(repository, ...asked));
  readonly readFileVersions: NonNullable<CodeHost['readFileVersions']> = (request) =>
    this.byGit(request, (git) => git.readFileVersions(request));
  readonly changesFile: NonNullable<CodeHost['changesFile']> = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.changesFile(repository, ...asked));
  readonly listChangedFiles: NonNullable<CodeHost['listChangedFiles']> = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.listChangedFiles(repository, ...asked));
  readonly listCommits: NonNullable<CodeHost['listCommits']> = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.listCommits(repository, ...asked));
  readonly writeBundle: NonNullable<CodeHost['writeBundle']> = (request) =>
    this.byGit(request, (git) => git.writeBundle(request));
  readonly pushTestingBranch: CodeHost['pushTestingBranch'] = (request) =>
    this.byGit(request, (git) => git.pushTestingBranch(request));
  readonly removeTestingBranch: CodeHost['removeTestingBranch'] = (repository, ...asked) =>
    this.byGit({ repository }, (git) => git.removeTestingBranch(repository, ...asked));

  private byGit<Result>(request: Pick<BuildRequest, 'repository'>, work: (git: GitHost) => Promise<Result>) {
    return this.parts.byGit(request, work);
  }
}

/** The pull request with its mergeability checked by git, for hosts whose own answer is unreliable. */
export async function confirmedByGit<Seen extends PullRequestObservation>(
  byGit: ByGit,
  repository: HostRepository,
  seen: Seen | null,
  targetBranch: string,
): Promise<Seen | null> {
  if (seen === null || seen.state !== 'open') return seen;
  const byTarget = await byGit({ repository }, (git) => git.readPullRequest(repository, seen.number, targetBranch));
  // The host updates the ref of the pull request some time after a push, so the check waits for it.
  if (byTarget?.head !== seen.head) return { ...seen, mergeability: 'in_progress' };
  // The host may notice a merge by push late, or never.
  if (byTarget.state === 'merged' && seen.base === targetBranch) return { ...seen, state: 'merged' };
  return seen.mergeability === 'unspecified' ? { ...seen, mergeability: byTarget.mergeability } : seen;
}
