import type { Finding, HostExamination } from './host-examination';
import type { MergeMethod } from '../engine/vocabulary';
import type { HostEvent } from './host-event';
import type { PullRequestConversation } from './conversation.port';
import type { HostRepository } from './host-repository';
import type {
  AboveMergedQuestion,
  BundleRequest,
  ChangedFilesQuestion,
  CommitsQuestion,
  FileChangeQuestion,
  FileVersionsRequest,
  RewriteQuestion,
  WrittenBundle,
} from './host-questions';
import type {
  BranchRemoval,
  BranchTip,
  BuildRequest,
  CandidateOutcome,
  LandOutcome,
  MergedPullRequest,
  LandRequest,
  PullRequestObservation,
  PushOutcome,
  PushRequest,
  TestingBranchTip,
} from './landing.port';
import type { StatusPin, UnmetDemand } from '../engine/model';
import type { CiProgress, StatusReport } from './status-report';

export type { StatusPin, UnmetDemand } from '../engine/model';
export { MERGE_METHODS, type Mergeability, type MergeMethod } from '../engine/vocabulary';
export type * from './host-examination';
export type * from './host-event';
export type * from './conversation.port';
export type * from './host-repository';
export type * from './host-questions';
export type * from './landing.port';
export { HostUnavailable } from './host-unavailable';
export type * from './status-report';

/**
 * The interface between the queue and a code host. Each expected outcome of a request is a value of a union. An adapter
 * throws only `HostUnavailable`, if the host gave no answer, or an error that is a bug.
 */

/** The result of a poll. Null: the branch or pull request does not exist. */
export interface HostState {
  readonly branches: ReadonlyMap<string, BranchTip | null>;
  readonly pullRequestHeads: ReadonlyMap<number, string | null>;
  /** The traits of the pull requests that exist. Absent: the host has no base branches and drafts. */
  readonly pullRequestTraits?: ReadonlyMap<number, PullRequestTraits>;
}

export interface PullRequestTraits {
  readonly base: string;
  readonly draft: boolean;
}

export interface HostCapabilities {
  /** Whether pull requests can be searched by head branch. */
  readonly findsByBranch: boolean;
  /**
   * Whether the host stores statuses and checks of commits itself. Then only these count, and `reportStatus` is
   * refused, because every CI job holds a token that could vouch for any commit.
   */
  readonly hasOwnStatuses: boolean;
}

/** The answer for a file that is too large: an object, because a text could also be the content of a file. */
export interface TooLarge {
  readonly type: 'too_large';
}

export interface CodeHost {
  readonly capabilities: HostCapabilities;
  /** Seconds between polls. A poll finds changes that no host event reported. */
  readonly pollSeconds: number;
  /**
   * Comments and statuses at the host. Absent: the host has none, so the queue shows nothing at pull requests and takes
   * no commands from them.
   */
  readonly conversation?: PullRequestConversation;
  /**
   * Whether this merge method merges several pull requests by one move of the target branch, in this repository. If it
   * does not, a merge that is refused midway ends as `landed_partly`. The contract tests read this to know which
   * outcome to expect.
   */
  landsWholeRuns(repository: HostRepository, mergeMethod: MergeMethod): boolean;
  /** Whether the host knows the repository. A name that no repository can have answers 'unknown'. */
  findRepository(repository: HostRepository): Promise<'found' | 'unknown'>;
  readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null>;
  /**
   * One pull request, with its mergeability into `targetBranch`; null when the host does not know the number.
   * `mergeMethod`: how the queue would merge the pull request, because the host may demand more for one method than for
   * another.
   */
  readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
    mergeMethod?: MergeMethod,
  ): Promise<PullRequestObservation | null>;
  /**
   * Whether a pull request can be merged after the stack below it was merged by squash or rebase, so that the commits
   * of the stack are not on the target. An `UnmetDemand`: the host makes the merge itself without knowing the stack,
   * and would report a conflict or make another tree. 'unknown', or an absent method: the host's `mergeability`
   * decides.
   */
  examineAboveMerged?(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand>;
  /**
   * Whether the host, or this service, rewrote an earlier head of a pull request to this head, with the same changes.
   * Absent: the host never does that.
   */
  isRewritten?(question: RewriteQuestion): Promise<boolean>;
  /**
   * The numbers of the pull requests with that head branch: open pull requests first, then the newest first.
   * 'unsupported' if `findsByBranch` is false.
   */
  findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[] | 'unsupported'>;
  /** The tree of a commit. Null: the host does not have the commit, or no longer has it. */
  readTree(repository: HostRepository, commit: string): Promise<string | null>;
  /**
   * Whether `ancestor` is in the history of `commit`. The history begins with `commit` itself. False if the host does
   * not have both commits.
   */
  containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean>;
  /**
   * The heads that are in the history of the commit. Heads that the host does not have are left out. Absent: the host
   * itself reports pull requests that were merged manually.
   */
  findContained?(repository: HostRepository, commit: string, heads: readonly string[]): Promise<readonly string[]>;
  /**
   * The branches that have had the commit as their tip, according to their first-parent history: some of `branches`,
   * and the default branch of the repository, which comes first. The head of a merged pull request does not count.
   * Empty if no branch has had it. Absent: the host cannot say, and uploads of test results are trusted.
   */
  findBranchesWith?(
    repository: HostRepository,
    commit: string,
    branches: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * The text of a file at a commit; null when it does not exist. A file with more than `maxBytes` is not read and
   * answers `TooLarge`; some hosts ignore `maxBytes` and answer with the text.
   */
  readFile(
    repository: HostRepository,
    commit: string,
    path: string,
    maxBytes?: number,
  ): Promise<string | null | TooLarge>;
  /**
   * The versions of a file in the last commits of the first-parent history that ends with this commit, the newest
   * first. Consecutive commits with the same version give one item. Null: the file did not exist. Versions that are too
   * large are left out. Absent: the host cannot list versions, so a broken configuration file can only be fixed by a
   * merge without a test, or with statuses that were set manually.
   */
  readFileVersions?(request: FileVersionsRequest): Promise<readonly (string | null)[]>;
  /**
   * Whether a pull request at this head changes the file: whether the file differs between the head and the commit at
   * which the head left the history of `base`. Absent: any difference from the target counts as a change.
   */
  changesFile?(repository: HostRepository, change: FileChangeQuestion): Promise<boolean>;
  /**
   * The paths that a pull request at this head has changed since it left the history of `base`, in no particular order.
   * A renamed file has its old and its new path. If the head left that history at several commits, changes since any of
   * these commits count. 'too_many': more than `mostFiles`, or more than can be listed. 'unknown': a commit is missing,
   * or the commits have no common history. Absent: the host cannot list paths, and impacted targets must be uploaded.
   */
  listChangedFiles?(
    repository: HostRepository,
    question: ChangedFilesQuestion,
  ): Promise<readonly string[] | 'too_many' | 'unknown'>;
  /**
   * Ids of the commits in the history of the head, itself included, that are not in the history of `base`. At most
   * `mostCommits`, the closest to the head first. Empty if the host does not have the head. Absent: the host cannot
   * list commits, so the queue does not know which pull requests contain other pull requests.
   */
  listCommits?(repository: HostRepository, question: CommitsQuestion): Promise<readonly string[]>;
  /**
   * Writes a git bundle with heads of pull requests and some files, for `sluice verify`. Absent: the host has no git
   * commits, so nobody outside can verify the merges of that host.
   */
  writeBundle?(request: BundleRequest): Promise<WrittenBundle>;
  /**
   * Why the commands in this configuration file cannot run, as a sentence; null if they can. Only for hosts for which
   * the service runs these commands: then the file is needed even if statuses are set manually. Absent: no commands are
   * run for the host.
   */
  checksProblem?(configurationFile: string): string | null;
  /** Statuses that the host's own branch protection requires. */
  readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]>;
  /** The statuses that the branch rules accept from one app only. Absent: the host has no such rules. */
  readStatusPins?(repository: HostRepository, branch: string): Promise<readonly StatusPin[]>;
  /**
   * The host's own records about the tests of a commit: the newest report of every name, or of every job of that name.
   */
  readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]>;
  /**
   * How far CI is with the commit. Null: the host does not show that, or not to this service. Absent: the host never
   * shows it. `names`: required statuses without a report.
   */
  readCiProgress?(repository: HostRepository, commit: string, names: readonly string[]): Promise<CiProgress | null>;
  /** The present state of these branches and pull requests, in as few requests as the host allows. */
  readState(repository: HostRepository, branches: readonly string[], numbers: readonly number[]): Promise<HostState>;
  /** Makes the commits of a candidate. The host does not show any of these commits yet. */
  buildCandidate(request: BuildRequest): Promise<CandidateOutcome>;
  /** Ensures that the testing branch is at the host and that its checks were requested. */
  pushTestingBranch(request: PushRequest): Promise<PushOutcome>;
  /**
   * Ensures that CI stops the jobs of a testing branch and of its pull request, if the service may request that. Other
   * jobs of the same commit go on, because after a merge the commit is also the target's. Absent: CI stops these jobs
   * without a request.
   */
  stopJobs?(repository: HostRepository, tested: TestingBranchTip): Promise<void>;
  /** Ensures that the testing branch is removed, and stops all checks that this service runs for the branch. */
  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval>;
  /**
   * Merges a run, guarded by the expected tip. The method first finds out whether an earlier attempt already merged the
   * run. If not, it reads head, base, draft and state of every pull request again before the first merge, if the host
   * has them. `landed` means that the target contains the commits.
   */
  land(request: LandRequest): Promise<LandOutcome>;
  /**
   * Ensures that the host shows a pull request as merged after a push. `land` tries this once and does not wait. Throws
   * HostUnavailable while the host may still notice the merge without help. Absent: the host always shows the pull
   * request as merged together with the merge.
   */
  showMerged?(repository: HostRepository, merged: MergedPullRequest): Promise<void>;
  /**
   * Why the service does not run the checks of this host although it is configured to, and the way out, without a full
   * stop at the end. Null: no problem. Absent: the service never runs checks for this kind of host.
   */
  whyChecksDoNotRun?(): string | null;
  /** Problems with the setup of the host, for `sluice doctor`. Changes nothing, and does not throw HostUnavailable. */
  examine?(examination: HostExamination): Promise<readonly Finding[]>;
}

/**
 * The durable inbox, to which adapters can only append. A call resolves once the event is stored. A second call with
 * the same delivery id of the same host changes nothing.
 */
export abstract class HostInbox {
  abstract append(host: string, deliveryId: string, event: HostEvent): Promise<'stored' | 'known'>;
}
