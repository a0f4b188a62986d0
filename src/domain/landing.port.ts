import type { LandedCommit } from '../engine/events';
import type { ConflictingFiles, PullRequestFacts, WrongTree } from '../engine/model';
import type { MergeMethod } from '../engine/vocabulary';
import type { HostRepository } from './host-repository';

export type { LandedCommit } from '../engine/events';
export type { ConflictingFiles, WrongTree } from '../engine/model';

/** A pull request as the host last showed it: the facts for the engine, and further facts for people. */
export interface PullRequestObservation extends Omit<PullRequestFacts, 'seenAt'> {
  readonly body: string;
  readonly authorEmail: string | null;
  /** The URL of the pull request; null when the host has no web pages. */
  readonly url: string | null;
  /** Logins whose approval counts, if the branch demands approvals and the host names them. Absent: not read. */
  readonly approvedBy?: readonly string[];
  /** The time of the observation, by the service's clock, read before the host was asked. */
  readonly observedAt: Date;
}

export interface BranchTip {
  readonly commit: string;
  readonly tree: string;
}

/** A pull request below in a stack that counts as merged, because a squash or rebase left its commits behind. */
export interface MergedBelow {
  /** The newest commit that both pull requests contain. Ignored if the clone lacks it. */
  readonly commit: string;
  /**
   * The target's commits before and after the merge. Null: the pull request has not merged yet, or the commits are not
   * known.
   */
  readonly landed: { readonly below: string; readonly commit: string } | null;
  /** The number of a pull request that has not merged yet. It counts as merged only in runs that merge it first. */
  readonly ahead?: number;
}

/** A pull request at exactly the head to merge, with the facts that its commit messages need. */
export interface PullRequestAtHead {
  readonly number: number;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly authorEmail: string | null;
  readonly headBranch: string | null;
  /** Pull requests below in its stack that count as merged, without reverted merges. Absent: none. */
  readonly mergedBelow?: readonly MergedBelow[];
  /** The number of the pull request's stack at the host; null or absent if it is in no stack. */
  readonly stack?: number | null;
}

export interface CandidateRequest {
  readonly repository: HostRepository;
  readonly targetBranch: string;
  /** The pull requests are merged onto this commit: the target's tip, or the candidate of the run ahead. */
  readonly onto: string;
  readonly pullRequests: readonly PullRequestAtHead[];
  readonly mergeMethod: MergeMethod;
  /** The committer date of every new commit, in whole seconds, so that the same request gives the same commit ids. */
  readonly committedAt: Date;
  /**
   * Set by the adapter if the host itself makes the merge, without knowing `mergedBelow`. The pull request conflicts if
   * the host's merge would conflict or make another tree.
   */
  readonly isMergedByHost?: true;
}

export type CandidateOutcome =
  | {
      readonly type: 'built';
      readonly commit: string;
      readonly tree: string;
      /** These pull requests got no commit, because the commits below contain all their changes. Absent: none. */
      readonly alreadyThere?: readonly number[];
      /** These pull requests got no commit, because their heads are in the history below. Absent: none. */
      readonly contained?: readonly number[];
    }
  /**
   * `number` cannot be merged. `with: 'target'`: it also conflicts when it is merged alone onto the target's tip.
   * Otherwise `with` is the number of a pull request that was merged before it: the latest pull request without which
   * it merges, or else its direct predecessor.
   */
  | (ConflictingFiles & {
      readonly type: 'conflict';
      readonly number: number;
      readonly with: 'target' | number;
    })
  /** The host does not have a head or base commit, or no longer has it. */
  | { readonly type: 'missing_commit'; readonly commit: string }
  /** `number` is too large for git, or its tree cannot be checked out. A retry gives the same refusal. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string };

export interface BuildRequest extends CandidateRequest {
  /**
   * The target's tip, by which a conflict with the target is distinguished from a conflict with a pull request ahead.
   */
  readonly targetTip: string;
  /** Pull requests that `onto` contains besides the target's tip, in order, so that a conflict can name them. */
  readonly alreadyMerged: readonly PullRequestAtHead[];
}

export interface PushRequest {
  readonly repository: HostRepository;
  readonly branch: string;
  readonly commit: string;
  /** The id of the branch's test run, which the service's own check runs belong to. */
  readonly testRunId: string;
  /** Names of the statuses that the run requires. */
  readonly requiredStatuses: readonly string[];
}

export type PushOutcome =
  | { readonly type: 'pushed' }
  /** The branch exists and has another commit. Only the queue may create the branch. */
  | { readonly type: 'exists_elsewhere'; readonly commit: string }
  /** Rules or hooks of the host reject this commit or this branch. `why`: the host's own text. */
  | { readonly type: 'refused'; readonly why: string };

export type BranchRemoval =
  | { readonly type: 'removed' }
  /** Rules or hooks of the host keep the branch, temporarily or permanently. `why`: the host's own text. */
  | { readonly type: 'kept'; readonly why: string };

export interface TestReports {
  /**
   * The tested commit, the commit of an earlier run with the same tree if its result was reused, or the head for a
   * direct merge.
   */
  readonly commit: string;
  /** Statuses that passed on the commit, by the decision of the queue. */
  readonly names: readonly string[];
}

export interface LandRequest extends CandidateRequest {
  /** The tip that the queue saw last. The merge is refused when the target has another tip. */
  readonly expectedTip: string;
  /**
   * The tested commit, which the host may never have had. It is pushed unchanged if its own commits stand directly on
   * `expectedTip`. Null: nothing was built, and the commits are made now.
   */
  readonly testedCommit: string | null;
  /** The commit with the test reports for this merge, and the names of the statuses. Absent: there are no reports. */
  readonly reports?: TestReports;
  /** The tree that the target must have after the merge. Null in parallel mode, where the present tip decides it. */
  readonly testedTree: string | null;
  /** The testing branches that are removed together with the merge. */
  readonly testingBranches: readonly string[];
  /** Absent: nothing is remembered, and each attempt asks a host that merges in the background again. */
  readonly memory?: LandingMemory;
}

/** Facts that one attempt of a merge leaves for the next, if the host merges in the background. */
export interface LandingMemory {
  /** The last stored value; null: nothing was stored. */
  readonly asked: AskedMerges | null;
  /** Stores the value, durably once the call resolves. Throws if another attempt has begun meanwhile. */
  store(asked: AskedMerges): Promise<void>;
}

/** The merges that the service requested for a run, stored as JSON. */
export interface AskedMerges {
  /** Merges of this run that have ended, with the resulting commits, in order. */
  readonly merged: readonly { readonly number: number; readonly commit: string }[];
  /** The requested merge that the host may still make; null if there is none. */
  readonly underWay: MergeUnderWay | null;
}

/** A requested merge that the host has not finished. The request cannot be revoked. */
export interface MergeUnderWay {
  readonly number: number;
  /** The id of the request at the host. */
  readonly id: string;
  /** The time of the request in milliseconds since 1970, by the service's clock. */
  readonly askedAt: number;
  /** Set if the request existed before the service asked: somebody else may have made it, with other options. */
  readonly isFoundThere?: true;
}

export interface TestingBranchTip {
  readonly branch: string;
  /** The pushed commit, 40 hex. */
  readonly commit: string;
}

/** A pull request that the queue has merged. */
export interface MergedPullRequest {
  readonly number: number;
  /** The head that was merged. A pull request with another head does not count as merged. */
  readonly head: string;
  readonly targetBranch: string;
  /** The resulting commit on the target. */
  readonly commit: string;
  readonly landedAt: Date;
}

export type LandOutcome =
  /**
   * `commits`: the new commits on the target, by pull request number, oldest first. This outcome is also returned if an
   * earlier attempt already merged the run.
   */
  | {
      readonly type: 'landed';
      /** Set if somebody pushed to the target between the merges of a host that cannot guard the target. */
      readonly isMixed?: true;
      readonly tip: BranchTip;
      readonly commits: readonly LandedCommit[];
      /** Merges by the host whose tree differs from a real merge. Absent: none, or the service made the commits. */
      readonly wrongTrees?: readonly WrongTree[];
    }
  /**
   * A host that merges one pull request at a time merged some pull requests and refused the next. `tip`: the present
   * tip of the target. `commits`: the new commits on the target. `because`: why the next pull request was refused.
   */
  | {
      readonly type: 'landed_partly';
      readonly tip: BranchTip;
      readonly commits: readonly LandedCommit[];
      readonly wrongTrees?: readonly WrongTree[];
      readonly because: LandRefusal;
    }
  | MergingAtHost
  | LandRefusal;

/** The host is still merging `number`. Call `land` again at `askAgainAt`, or as soon as the pull request is closed. */
export interface MergingAtHost {
  readonly type: 'merging';
  readonly number: number;
  readonly askAgainAt: Date;
}

/** Nothing of the run was merged. */
export type LandRefusal =
  | { readonly type: 'target_moved'; readonly tip: BranchTip }
  | { readonly type: 'target_gone' }
  | { readonly type: 'head_moved'; readonly number: number; readonly head: string | null }
  /**
   * The pull request cannot be merged as it is: it is closed, a draft, aimed at another branch, or does not meet a
   * demand of the host. `seen` was read directly before the merge. If `seen` is merged, this attempt may have merged
   * the pull request into the other branch.
   */
  | { readonly type: 'pull_request_changed'; readonly seen: PullRequestObservation }
  | { readonly type: 'conflict'; readonly number: number; readonly files: readonly string[] }
  /** A merge onto the present tip would give another tree than the tested tree. Nothing was pushed. */
  | { readonly type: 'tree_differs'; readonly tree: string }
  /** The host waits for an event that needs no action, such as the end of a check. The queue asks again later. */
  | { readonly type: 'not_yet'; readonly number: number; readonly why: string }
  /** The host refuses the merge for good. `byRule`: set if a branch rule is the reason. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string; readonly byRule?: true };
