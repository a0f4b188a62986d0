import type { LandedCommit } from '../engine/events';
import type { ConflictingFiles, PullRequestFacts, WrongTree } from '../engine/model';
import type { MergeMethod } from '../engine/vocabulary';
import type { HostRepository } from './host-repository';

export type { LandedCommit } from '../engine/events';
export type { ConflictingFiles, WrongTree } from '../engine/model';

/** A pull request as a look at the host showed it: what the engine decides on, and what else people see. */
export interface PullRequestObservation extends Omit<PullRequestFacts, 'seenAt'> {
  readonly body: string;
  readonly authorEmail: string | null;
  /** Where a person reads it; null when the host has no web pages. */
  readonly url: string | null;
  /** Logins of those whose approval counts, where the branch demands approvals and the host names them. Absent: nobody was read. */
  readonly approvedBy?: readonly string[];
  /** When it was seen, by our clock, taken before the host was asked. */
  readonly observedAt: Date;
}

export interface BranchTip {
  readonly commit: string;
  readonly tree: string;
}

/** What a pull request is stacked on, and counts as merged where a squash or rebase left its commits behind. */
export interface MergedBelow {
  /** The newest commit that both have. One that the clone does not have is passed over. */
  readonly commit: string;
  /** The target before and after its merge. Null: it is not merged yet, or nobody knows. */
  readonly landed: { readonly below: string; readonly commit: string } | null;
  /** Its number, where it is not merged yet: it counts only where it is merged before this one. */
  readonly ahead?: number;
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
  /** Absent: nothing. One that was reverted since does not count. */
  readonly mergedBelow?: readonly MergedBelow[];
  /** The host's number of the stack that it is in; null or absent: none. */
  readonly stack?: number | null;
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
  /**
   * The host merges by itself, and knows nothing of `mergedBelow`: where it would conflict because of that, or make another tree,
   * the pull request conflicts. Set by its adapter.
   */
  readonly isMergedByHost?: true;
}

export type CandidateOutcome =
  | {
      readonly type: 'built';
      readonly commit: string;
      readonly tree: string;
      /** No commit was made of these, because what is below them has all that they change. Absent: none. */
      readonly alreadyThere?: readonly number[];
      /** No commit was made of these, because what is below them has their heads in its history. Absent: none. */
      readonly contained?: readonly number[];
    }
  /**
   * `number` cannot be merged. `with: 'target'`: it conflicts with `againstTarget` itself, i.e. also when merged alone
   * onto the target's tip; otherwise the number of the pull request merged before it that it conflicts with (the
   * latest one whose removal makes it merge; the one directly before it when none alone does).
   */
  | (ConflictingFiles & {
      readonly type: 'conflict';
      readonly number: number;
      readonly with: 'target' | number;
    })
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

export type BranchRemoval =
  | { readonly type: 'removed' }
  /** The rules or hooks of the host keep the branch, for a while or for ever. `why`: in the words of the host. */
  | { readonly type: 'kept'; readonly why: string };

export interface TestReports {
  /** The tested commit; that of an earlier run of the same tree, whose result was taken over; of a direct merge, the head. */
  readonly commit: string;
  /** Statuses that have passed there, as the queue judged them. */
  readonly names: readonly string[];
}

export interface LandRequest extends CandidateRequest {
  /** The tip that the queue last saw; the landing is refused when the target is anywhere else. */
  readonly expectedTip: string;
  /**
   * The commit that was tested, pushed as it is when its own commits are seen to stand on `expectedTip`; it may never have
   * been at the host. Null: nothing was built, and the commits are made now.
   */
  readonly testedCommit: string | null;
  /** Where the tests of this landing reported. Absent: nowhere. */
  readonly reports?: TestReports;
  /** The tree the target must have afterwards; null in lanes, where the change is merged onto the current tip. */
  readonly testedTree: string | null;
  /** Branches that go with the landing. */
  readonly testingBranches: readonly string[];
  /** Absent: nothing is kept, and a host that merges in the background is asked for the same again. */
  readonly memory?: LandingMemory;
}

/** What the tries of one landing leave to each other, where the host merges in the background. */
export interface LandingMemory {
  /** As it was stored last; null: nothing was. */
  readonly asked: AskedMerges | null;
  /** Durable once it resolves. Throws when another try has begun meanwhile. */
  store(asked: AskedMerges): Promise<void>;
}

/** Kept as JSON. */
export interface AskedMerges {
  /** Those of this landing that were seen to end, by the commits that they were merged as, in order. */
  readonly merged: readonly { readonly number: number; readonly commit: string }[];
  /** What the host may still do. Null: nothing. */
  readonly underWay: MergeUnderWay | null;
}

/** A merge that the host was asked for and has not ended. Nothing takes it back. */
export interface MergeUnderWay {
  readonly number: number;
  /** The host's id of the request. */
  readonly id: string;
  /** Milliseconds since 1970, by our clock. */
  readonly askedAt: number;
  /** The host had it already when the service asked: it may be somebody else's, with other options. */
  readonly isFoundThere?: true;
}

export interface TestingBranchTip {
  readonly branch: string;
  /** What was pushed there, 40 hex. */
  readonly commit: string;
}

/** A pull request that the queue has merged. */
export interface MergedPullRequest {
  readonly number: number;
  /** What has landed. A pull request with another head is not merged. */
  readonly head: string;
  readonly targetBranch: string;
  /** On the target. */
  readonly commit: string;
  readonly landedAt: Date;
}

export type LandOutcome =
  /** `commits`: what the target got, per pull request number, oldest first. Also when an earlier try had already landed it. */
  | {
      readonly type: 'landed';
      /** The host has no guard for the target, and somebody else's push got beneath it. */
      readonly isMixed?: true;
      readonly tip: BranchTip;
      readonly commits: readonly LandedCommit[];
      /** What the host made of some of them is not what a merge gives. Absent: nothing is wrong, or the commits are our own. */
      readonly wrongTrees?: readonly WrongTree[];
    }
  /**
   * A host that merges one pull request at a time has taken the first of them, and then refused: `tip` is what the target
   * points at now, `commits` what it got, `because` what became of the next one.
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

/** The host works on the merge of `number`. Land again then, or as soon as the pull request is closed. */
export interface MergingAtHost {
  readonly type: 'merging';
  readonly number: number;
  readonly askAgainAt: Date;
}

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
