import type { Finding, HostExamination } from './host-examination';
import type { UnmetDemand } from '../engine/model';
import type { Mergeability, MergeMethod } from '../engine/vocabulary';
import type { HostEvent } from './host-event';
import type { PullRequestConversation } from './conversation.port';
import type { HostRepository } from './host-repository';
import type { StatusReport } from './status-report';

export type { UnmetDemand } from '../engine/model';
export { MERGE_METHODS, type Mergeability, type MergeMethod } from '../engine/vocabulary';
export type * from './host-examination';
export type * from './host-event';
export type * from './conversation.port';
export type * from './host-repository';
export type * from './status-report';

/**
 * What the queue needs from a code host. Outcomes that a host may answer are values of a union; an adapter throws
 * only `HostUnavailable` (it could not be found out) or an error that is a bug.
 */

export interface PullRequestObservation {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly authorEmail: string | null;
  /** Where a person reads it; null when the host has no web pages. */
  readonly url: string | null;
  /** Commit id of the head, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
  /** Null: it fits any base (plain git). */
  readonly base: string | null;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  /** Against the `targetBranch` that was asked about. */
  readonly mergeability: Mergeability;
  /**
   * What the host demands of the pull request itself and does not have: approvals, open conversations, checks of its head where
   * they decide about landing. With any of them, `mergeability` is `not_mergeable`. Absent: nothing, or the host does not say.
   */
  readonly unmet?: readonly UnmetDemand[];
  /** When it was seen, by our clock, taken before the host was asked. */
  readonly observedAt: Date;
}

export interface BranchTip {
  readonly commit: string;
  readonly tree: string;
}

/** A pull request at exactly the head that is to be merged, with what its commit messages need. */
export interface PullRequestAtHead {
  readonly number: number;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly authorEmail: string | null;
  readonly headBranch: string | null;
}

export interface CandidateRequest {
  readonly repository: HostRepository;
  readonly targetBranch: string;
  /** The commit that the pull requests are merged onto, one after another: the target's tip, or the candidate of the run ahead. */
  readonly onto: string;
  readonly pullRequests: readonly PullRequestAtHead[];
  readonly mergeMethod: MergeMethod;
  /** Committer date of every commit made, whole seconds: the same request makes the same ids. */
  readonly committedAt: Date;
}

export type CandidateOutcome =
  | { readonly type: 'built'; readonly commit: string; readonly tree: string }
  /**
   * `number` cannot be merged. `with: 'target'`: it conflicts with `againstTarget` itself, i.e. also when merged alone
   * onto the target's tip; otherwise the number of the pull request merged before it that it conflicts with (the
   * latest one whose removal makes it merge; the one directly before it when none alone does).
   */
  | {
      readonly type: 'conflict';
      readonly number: number;
      readonly with: 'target' | number;
      readonly files: readonly string[];
    }
  /** A head or base commit is not to be had from the host (any more). */
  | { readonly type: 'missing_commit'; readonly commit: string }
  /** `number` is too much for git, or its tree cannot be checked out. It will be refused every time. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string };

export interface BuildRequest extends CandidateRequest {
  /** The target's tip, to tell a conflict with the target from one with what is ahead. */
  readonly targetTip: string;
  /** Pull requests already contained in `onto` beyond the target's tip, in order; named in conflicts. */
  readonly alreadyMerged: readonly PullRequestAtHead[];
}

export interface PushRequest {
  readonly repository: HostRepository;
  readonly branch: string;
  readonly commit: string;
  /** The run whose branch it is: the subject of check runs. */
  readonly testRunId: string;
  /** Names of the statuses that the run waits for. */
  readonly requiredStatuses: readonly string[];
}

export type PushOutcome =
  | { readonly type: 'pushed' }
  /** The branch is there and points at another commit, which nobody but the queue may have made. */
  | { readonly type: 'exists_elsewhere'; readonly commit: string }
  /** The rules or hooks of the host reject this commit or this branch. `why`: in the words of the host. */
  | { readonly type: 'refused'; readonly why: string };

export interface LandRequest extends CandidateRequest {
  /** The tip that the queue last saw; the landing is refused when the target is anywhere else. */
  readonly expectedTip: string;
  /**
   * The commit that was tested, pushed as it is when its own commits are seen to stand on `expectedTip`; it may never have
   * been at the host. Null: nothing was built, and the commits are made now.
   */
  readonly testedCommit: string | null;
  /** Names that had to pass on the tested commit. Absent: nothing was reported on it. */
  readonly reportedStatuses?: readonly string[];
  /** The tree the target must have afterwards; null in lanes, where the change is merged onto the current tip. */
  readonly testedTree: string | null;
  /** Branches that go with the landing. */
  readonly testingBranches: readonly string[];
}

export type LandOutcome =
  /** `commits`: what the target got, per pull request number, oldest first. Also when an earlier try had already landed it. */
  | {
      readonly type: 'landed';
      /** The host has no guard for the target, and somebody else's push got beneath it. */
      readonly isMixed?: true;
      readonly tip: BranchTip;
      readonly commits: readonly { number: number; commit: string; tree: string }[];
    }
  /**
   * A host that merges one pull request at a time has taken the first of them, and then refused: `tip` is what the target
   * points at now, `commits` what it got, `because` what became of the next one.
   */
  | {
      readonly type: 'landed_partly';
      readonly tip: BranchTip;
      readonly commits: readonly { number: number; commit: string; tree: string }[];
      readonly because: LandRefusal;
    }
  | LandRefusal;

/** Nothing of it was landed. */
export type LandRefusal =
  | { readonly type: 'target_moved'; readonly tip: BranchTip }
  | { readonly type: 'target_gone' }
  | { readonly type: 'head_moved'; readonly number: number; readonly head: string | null }
  /**
   * It may not land as it is now: it is not open, a draft, aimed at another branch, or lacks what the host demands. `seen` was
   * read directly before the landing. A merged one may have been merged by this landing, into the branch it was turned to.
   */
  | { readonly type: 'pull_request_changed'; readonly seen: PullRequestObservation }
  | { readonly type: 'conflict'; readonly number: number; readonly files: readonly string[] }
  /** The tree on the actual tip would not be the tested one; nothing was pushed. */
  | { readonly type: 'tree_differs'; readonly tree: string }
  /** The host waits for something that comes by itself, such as the end of a check. The queue asks again later. */
  | { readonly type: 'not_yet'; readonly number: number; readonly why: string }
  /** `byRule`: a rule of the branch says so. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string; readonly byRule?: true };

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

export interface CodeHost {
  readonly capabilities: HostCapabilities;
  /** Seconds between polls, which find what no host event told. */
  readonly pollSeconds: number;
  /** Absent: the host has no place for comments and statuses. The queue then shows nothing there and takes no commands. */
  readonly conversation?: PullRequestConversation;
  /**
   * Whether this merge method brings a run of several pull requests onto the target in one move, in this repository. The
   * queue asks inside a transaction, so the answer comes at once: from the configuration, or from what was last read of the
   * repository. It may be wrong: 'yes' where the host then takes one pull request at a time ends in `landed_partly`.
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
  /** The text of a file at a commit, null when it is not there. */
  readFile(repository: HostRepository, commit: string, path: string): Promise<string | null>;
  /** Statuses that the host's own protection demands of the branch. */
  readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]>;
  /** What the host itself knows of the tests of a commit: the newest report of every name. */
  readStatuses(repository: HostRepository, commit: string): Promise<readonly StatusReport[]>;
  /** The present state of the named branches and pull requests, in as few requests as the host allows. */
  readState(repository: HostRepository, branches: readonly string[], numbers: readonly number[]): Promise<HostState>;
  /** Makes the commits of a candidate; nothing of it is visible at the host yet. */
  buildCandidate(request: BuildRequest): Promise<CandidateOutcome>;
  /** Ensures that the testing branch is at the host and its checks are asked for. */
  pushTestingBranch(request: PushRequest): Promise<PushOutcome>;
  /** Ensures that the testing branch is gone and what runs for it stops. */
  removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<void>;
  /**
   * Guarded by the expected tip. Finds out first whether an earlier try already landed it. Otherwise reads head, base, draft and
   * state of every pull request anew before the first one lands, where the host has them. 'landed' means that the target
   * contains the commits.
   */
  land(request: LandRequest): Promise<LandOutcome>;
  /** What is wrong with how the host is set up, for `sluice doctor`. Changes nothing, and does not throw HostUnavailable. */
  examine?(examination: HostExamination): Promise<readonly Finding[]>;
}

/** The host could not be asked: connection, time-out, 5xx, rate limit. It says nothing about the pull request. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable';
  constructor(
    readonly host: string,
    /**
     * `server_error`: the host answered this very request with an error of its own. `no_access`: it answers, but refuses the
     * credentials of the service, or hides the repository from it. The message is then shown to callers.
     */
    readonly kind: 'no_answer' | 'server_error' | 'rate_limited' | 'no_access',
    message: string,
    /** When the host said to come back; null when it did not. */
    readonly retryAt: Date | null = null,
  ) {
    super(message);
  }
}

/**
 * The durable inbox, as adapters see it: append only. Resolves once the event is stored; the same delivery id of one
 * host again changes nothing.
 */
export abstract class HostInbox {
  abstract append(host: string, deliveryId: string, event: HostEvent): Promise<'stored' | 'known'>;
}
