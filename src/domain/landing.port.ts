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
  /** Time of the observation: our clock, read before the host was asked. */
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
  /** The target before and after the merge. Null: not merged yet, or not known. */
  readonly landed: { readonly below: string; readonly commit: string } | null;
  /** The number, if it is not merged yet. Then it counts only in a run that merges it before this one. */
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
  /** Absent: nothing. A merge that was reverted since does not count. */
  readonly mergedBelow?: readonly MergedBelow[];
  /** The host's number of the stack of this pull request; null or absent: it is in none. */
  readonly stack?: number | null;
}

export interface CandidateRequest {
  readonly repository: HostRepository;
  readonly targetBranch: string;
  /** The pull requests are merged onto this commit: the target's tip, or the candidate of the run ahead. */
  readonly onto: string;
  readonly pullRequests: readonly PullRequestAtHead[];
  readonly mergeMethod: MergeMethod;
  /** Committer date of every new commit, in whole seconds: the same request gives the same commit ids. */
  readonly committedAt: Date;
  /**
   * The host itself makes the merge, and ignores `mergedBelow`. The pull request conflicts if that would make a
   * conflict or another tree. Set by the adapter of the host.
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
   * `number` cannot be merged. `with: 'target'`: it conflicts with `againstTarget`, so also when merged alone onto the
   * target's tip. Otherwise `with` is the number of a pull request that was merged before it: the latest one without
   * which it merges, or else its direct predecessor.
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
  /** The target's tip. It tells a conflict with the target from a conflict with a pull request ahead. */
  readonly targetTip: string;
  /** Pull requests that `onto` contains in addition to the target's tip, in order. Conflicts name them. */
  readonly alreadyMerged: readonly PullRequestAtHead[];
}

export interface PushRequest {
  readonly repository: HostRepository;
  readonly branch: string;
  readonly commit: string;
  /** The test run of the branch. Check runs use it as their subject. */
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
   * The tested commit. It is pushed unchanged if its own commits stand directly on `expectedTip`. The host may never
   * have had it. Null: nothing was built, and the commits are made now.
   */
  readonly testedCommit: string | null;
  /** The place of the test reports for this merge. Absent: there are none. */
  readonly reports?: TestReports;
  /** The tree that the target must have afterwards. Null in parallel mode: the change goes onto the present tip. */
  readonly testedTree: string | null;
  /** Branches that are removed together with the merge. */
  readonly testingBranches: readonly string[];
  /** Absent: nothing is remembered, and a host that merges in the background receives the same request again. */
  readonly memory?: LandingMemory;
}

/** Facts that one attempt of a merge leaves for the next, if the host merges in the background. */
export interface LandingMemory {
  /** The last stored value; null: nothing was stored. */
  readonly asked: AskedMerges | null;
  /** Durable once it resolves. Throws if another attempt has begun meanwhile. */
  store(asked: AskedMerges): Promise<void>;
}

/** Stored as JSON. */
export interface AskedMerges {
  /** Merges of this run that have ended, with the resulting commits, in order. */
  readonly merged: readonly { readonly number: number; readonly commit: string }[];
  /** The merge that the host may still make. Null: none. */
  readonly underWay: MergeUnderWay | null;
}

/** A requested merge that the host has not finished. It cannot be revoked. */
export interface MergeUnderWay {
  readonly number: number;
  /** The host's id of the request. */
  readonly id: string;
  /** Milliseconds since 1970, by our clock. */
  readonly askedAt: number;
  /** The request existed before the service asked: somebody else may have made it, with other options. */
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
  /** The merged head. A pull request with another head is not merged. */
  readonly head: string;
  readonly targetBranch: string;
  /** The resulting commit on the target. */
  readonly commit: string;
  readonly landedAt: Date;
}

export type LandOutcome =
  /**
   * `commits`: the new commits on the target, by pull request number, oldest first. Also returned when an earlier
   * attempt already merged them.
   */
  | {
      readonly type: 'landed';
      /** The host has no guard for the target, and another push went between the merges. */
      readonly isMixed?: true;
      readonly tip: BranchTip;
      readonly commits: readonly LandedCommit[];
      /** Merges by the host that differ from a real merge. Absent: none, or the commits are our own. */
      readonly wrongTrees?: readonly WrongTree[];
    }
  /**
   * A host that merges one pull request at a time merged some and then refused. `tip`: the present commit of the
   * target. `commits`: the new commits on it. `because`: the outcome of the next pull request.
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
   * The pull request cannot be merged as it is: it is closed, a draft, aimed at another branch, or lacks something that
   * the host demands. `seen` was read directly before the merge. If it is merged, this attempt may have merged it into
   * the other branch.
   */
  | { readonly type: 'pull_request_changed'; readonly seen: PullRequestObservation }
  | { readonly type: 'conflict'; readonly number: number; readonly files: readonly string[] }
  /** The tree on the present tip would differ from the tested tree. Nothing was pushed. */
  | { readonly type: 'tree_differs'; readonly tree: string }
  /** The host waits for something that comes automatically, such as the end of a check. The queue asks again later. */
  | { readonly type: 'not_yet'; readonly number: number; readonly why: string }
  /** `byRule`: a branch rule is the reason. */
  | { readonly type: 'refused'; readonly number: number; readonly why: string; readonly byRule?: true };
