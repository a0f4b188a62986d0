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
 * What the queue needs from a code host. Outcomes that a host may answer are values of a union; an adapter throws
 * only `HostUnavailable` (it could not be found out) or an error that is a bug.
 */

/** What a poll finds: null for a branch or pull request that is not there. */
export interface HostState {
  readonly branches: ReadonlyMap<string, BranchTip | null>;
  readonly pullRequestHeads: ReadonlyMap<number, string | null>;
  /** Of those that are there, where the host has a base and drafts. */
  readonly pullRequestTraits?: ReadonlyMap<number, PullRequestTraits>;
}

export interface PullRequestTraits {
  readonly base: string;
  readonly draft: boolean;
}

export interface HostCapabilities {
  /** Pull requests can be asked for by head branch. */
  readonly findsByBranch: boolean;
  /**
   * The host keeps statuses and checks of commits itself. Then only the host's word counts: `reportStatus` is refused, because
   * every CI job holds a token that could vouch for any commit.
   */
  readonly hasOwnStatuses: boolean;
}

/** An object, because a file may have any text. */
export interface TooLarge {
  readonly type: 'too_large';
}

export interface CodeHost {
  readonly capabilities: HostCapabilities;
  /** Seconds between polls, which find what no host event told. */
  readonly pollSeconds: number;
  /** Absent: the host has no place for comments and statuses. The queue then shows nothing there and takes no commands. */
  readonly conversation?: PullRequestConversation;
  /**
   * Whether this merge method merges several pull requests by one move of the target branch, in this repository. The contract tests
   * ask it: otherwise a merge that is refused midway ends as `landed_partly`.
   */
  landsWholeRuns(repository: HostRepository, mergeMethod: MergeMethod): boolean;
  /** Whether the host knows the repository; a name that may not exist there answers 'unknown'. */
  findRepository(repository: HostRepository): Promise<'found' | 'unknown'>;
  readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null>;
  /**
   * One pull request, with its mergeability into `targetBranch`; null when the host does not know the number. `mergeMethod`:
   * how the queue would land it, because the host may demand more for one method than for another.
   */
  readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
    mergeMethod?: MergeMethod,
  ): Promise<PullRequestObservation | null>;
  /**
   * Whether a pull request can be merged whose stack below it has landed by squash or rebase, without its commits. A demand: the
   * host merges by itself, knows nothing of the stack, and would conflict or make another tree. 'unknown', or absent: the host's
   * `mergeability` says it.
   */
  examineAboveMerged?(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand>;
  /**
   * Whether the host, or this service, made a head of a pull request out of another one, with the same changes. Absent: the host does
   * nothing like that.
   */
  isRewritten?(question: RewriteQuestion): Promise<boolean>;
  /** Numbers of the pull requests with that head branch, open ones first, newest first; 'unsupported' by capability. */
  findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[] | 'unsupported'>;
  /** The tree of a commit, null when it is not to be had (any more). */
  readTree(repository: HostRepository, commit: string): Promise<string | null>;
  /** Whether `ancestor` is in the history of `commit`, which begins with itself; no when either is not to be had. */
  containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean>;
  /**
   * Which of these heads are in the history of the commit; a head that is not to be had is not. Absent: the host tells
   * itself that a pull request was merged by hand.
   */
  findContained?(repository: HostRepository, commit: string, heads: readonly string[]): Promise<readonly string[]>;
  /**
   * Which of these branches, and of the default branch of the repository, have had the commit as their tip, as far as their
   * first-parent history says: the head of a pull request that was merged is none of theirs. The default branch comes first.
   * Empty: none has. Absent: the host does not tell, and uploads of test results are believed.
   */
  findBranchesWith?(
    repository: HostRepository,
    commit: string,
    branches: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * The text of a file at a commit, null when it is not there. A file of more than `maxBytes` is not read. A host
   * that takes no notice of `maxBytes` answers the text.
   */
  readFile(
    repository: HostRepository,
    commit: string,
    path: string,
    maxBytes?: number,
  ): Promise<string | null | TooLarge>;
  /**
   * What the file was in the last commits of the first-parent history that ends with this commit, the newest first. What is
   * the same in neighbours is there once. Null: it was not there. Versions that are too large are left out. Absent: the host
   * does not tell, and a broken configuration file is mended without a test, or with statuses set by hand.
   */
  readFileVersions?(request: FileVersionsRequest): Promise<readonly (string | null)[]>;
  /**
   * Whether a pull request at this head changes the file: whether the head has another one than the commit at which it left
   * the history of `base`. Absent: files that differ count as changed.
   */
  changesFile?(repository: HostRepository, change: FileChangeQuestion): Promise<boolean>;
  /**
   * The paths that a pull request at this head changes since it left the history of `base`, the old and the new path of what
   * it renames, and in no particular order; when it left it several times, since any of these commits. 'too_many': more than
   * `mostFiles`, or more than can be listed. 'unknown': either commit is not to be had, or they have no history in common.
   * Absent: the host does not tell, and impacted targets must be uploaded.
   */
  listChangedFiles?(
    repository: HostRepository,
    question: ChangedFilesQuestion,
  ): Promise<readonly string[] | 'too_many' | 'unknown'>;
  /**
   * Ids of the commits in the history of the head, which begins with itself, that are not in that of `base`: at most so many, and
   * then those that are next to the head. Empty when the head is not to be had. Absent: the host does not tell, and nobody knows
   * which pull requests contain others.
   */
  listCommits?(repository: HostRepository, question: CommitsQuestion): Promise<readonly string[]>;
  /**
   * Writes a bundle of git with heads of pull requests and some files, for `sluice verify`. Absent: the host has no commits of git,
   * and nobody outside can verify what landed there.
   */
  writeBundle?(request: BundleRequest): Promise<WrittenBundle>;
  /**
   * Where the host runs the commands of the configuration file itself: why it cannot run those of this text, as a sentence;
   * null when it can. The file is then needed even where statuses are set by hand. Absent: it does not run any.
   */
  checksProblem?(configurationFile: string): string | null;
  /** Statuses that the host's own protection demands of the branch. */
  readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]>;
  /** Statuses that the rules of the branch take from one app alone. Absent: the host has no such rules. */
  readStatusPins?(repository: HostRepository, branch: string): Promise<readonly StatusPin[]>;
  /** What the host itself knows of the tests of a commit: the newest report of every name, or of every job of it. */
  readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]>;
  /** Null: the host does not show it, or not to this service. Absent: it never does. `names`: statuses that nobody has reported. */
  readCiProgress?(repository: HostRepository, commit: string, names: readonly string[]): Promise<CiProgress | null>;
  /** The present state of the named branches and pull requests, in as few requests as the host allows. */
  readState(repository: HostRepository, branches: readonly string[], numbers: readonly number[]): Promise<HostState>;
  /** Makes the commits of a candidate; nothing of it is visible at the host yet. */
  buildCandidate(request: BuildRequest): Promise<CandidateOutcome>;
  /** Ensures that the testing branch is at the host and its checks are asked for. */
  pushTestingBranch(request: PushRequest): Promise<PushOutcome>;
  /**
   * Ensures that CI stops what it runs for a testing branch and for the pull request of this branch, where the service may ask for that.
   * It stops nothing else that runs for the commit: after a landing the commit is that of the target. Absent: CI ends by itself.
   */
  stopJobs?(repository: HostRepository, tested: TestingBranchTip): Promise<void>;
  /** Ensures that the testing branch is gone and what this service runs for it stops. */
  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval>;
  /**
   * Guarded by the expected tip. Finds out first whether an earlier try already landed it. Otherwise reads head, base, draft and
   * state of every pull request anew before the first one lands, where the host has them. 'landed' means that the target
   * contains the commits.
   */
  land(request: LandRequest): Promise<LandOutcome>;
  /**
   * Ensures that the host shows a pull request as merged that a push has landed: `land` tries it once and waits for nothing. Throws
   * HostUnavailable while the host may still notice by itself. Absent: the host shows it with the landing.
   */
  showMerged?(repository: HostRepository, merged: MergedPullRequest): Promise<void>;
  /**
   * Why the service does not run the checks of this host although it was told to, and the way out, in words without a full
   * stop at the end. Null: it runs them, or was not told to. Absent: it never runs checks of this kind of host.
   */
  whyChecksDoNotRun?(): string | null;
  /** What is wrong with how the host is set up, for `sluice doctor`. Changes nothing, and does not throw HostUnavailable. */
  examine?(examination: HostExamination): Promise<readonly Finding[]>;
}

/**
 * The durable inbox, as adapters see it: append only. Resolves once the event is stored; the same delivery id of one
 * host again changes nothing.
 */
export abstract class HostInbox {
  abstract append(host: string, deliveryId: string, event: HostEvent): Promise<'stored' | 'known'>;
}
