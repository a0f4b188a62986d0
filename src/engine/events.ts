import type {
  Actor,
  Instant,
  QueueMode,
  RequestableQueueState,
  RequestedVia,
  RequiredStatusesSource,
  StartFailure,
} from './vocabulary';
import type {
  CiEnd,
  ConflictingFiles,
  DroppedStatus,
  MovedBranch,
  PullRequestFacts,
  QueuedHead,
  QueueSettings,
  StatusPin,
  Tip,
  WrongTree,
} from './model';

/** What happened outside. An event changes facts; everything else is derived from them. */
export type QueueEvent =
  | PullRequestSubmitted
  | PullRequestSeen
  /** The host does not know the number any more (plain git: its ref is gone). */
  | { readonly type: 'pullRequestGone'; readonly number: number; readonly seenAt: Instant }
  | { readonly type: 'cancelRequested'; readonly number: number; readonly via: RequestedVia; readonly actor: Actor }
  | { readonly type: 'restartRequested'; readonly number: number; readonly via: RequestedVia; readonly actor: Actor }
  /** To the front of its priority. */
  | { readonly type: 'promotionRequested'; readonly number: number; readonly actor: Actor }
  /** Each of these pull requests is taken out, unless its landing is ordered. In the order in which they go. */
  | { readonly type: 'allCancelRequested'; readonly numbers: readonly number[]; readonly actor: Actor }
  /** Targets were stored for that head; the snapshot already knows which entries have some. */
  | { readonly type: 'targetsGiven'; readonly number: number; readonly head: string }
  | TargetsComputed
  | SettingsChanged
  | { readonly type: 'deletionRequested'; readonly activeEntries: number }
  | TargetSighting
  /** The snapshot's reports already hold it. */
  | { readonly type: 'statusReported'; readonly commit: string }
  /** Test results were uploaded for it. The snapshot's uploads already hold what they say. */
  | { readonly type: 'resultsUploaded'; readonly commit: string }
  /** Somebody else moved the testing branch of that commit. */
  | { readonly type: 'testingBranchMoved'; readonly commit: string; readonly moved: MovedBranch }
  /** What the code host says of CI for that commit. Null: CI is not done with it. */
  | { readonly type: 'ciSeen'; readonly commit: string; readonly end: CiEnd | null }
  | { readonly type: 'clockTicked' }
  | RunOutcome
  | LandingOutcome;

export interface TargetSighting {
  readonly type: 'targetSeen';
  readonly tip: Tip;
  readonly seenAt: Instant;
  /** Merged pull requests whose commits are not in its history any more. Absent: none. */
  readonly lost?: readonly QueuedHead[];
}

/** The service computed targets of these pull requests; the snapshot already knows. `more`: others are still to be computed. */
export interface TargetsComputed {
  readonly type: 'targetsComputed';
  readonly numbers: readonly number[];
  readonly more: boolean;
}

export interface PullRequestSeen {
  readonly type: 'pullRequestSeen';
  readonly facts: PullRequestFacts;
  /**
   * Of the push that gave it a head the queue does not know: whether who pushed may write to the repository. No when nobody
   * can tell; yes on a host without permissions.
   */
  readonly pusherMayWrite: boolean;
  /** The host made its head itself, with the same changes, out of the one that the queue has. */
  readonly isRewritten?: true;
  /** Ids of the commits that its head brings to the target. Absent: not known, or the queue knows the head. */
  readonly commits?: readonly string[];
  /** As those of `Entry`, of a head that the queue does not know. */
  readonly takesOff?: readonly string[];
  readonly changedWorkflows?: readonly string[];
}

export interface PullRequestSubmitted {
  readonly type: 'pullRequestSubmitted';
  /** Used when the pull request has no entry in this queue yet. */
  readonly newEntryId: string;
  readonly facts: PullRequestFacts;
  readonly hasTargets: boolean;
  /** Absent: as it is, or the default; null: the default. */
  readonly priority?: number | null;
  /** The default, where the requester may not have `medium`. */
  readonly defaultPriority?: number;
  readonly noBatch?: boolean;
  /** Absent: it is to be merged. */
  readonly dryRun?: boolean;
  /** Ids of the commits that its head brings to the target. Absent: not known. */
  readonly commits?: readonly string[];
  /** As those of `Entry`, of a head that the queue does not know. */
  readonly takesOff?: readonly string[];
  readonly changedWorkflows?: readonly string[];
  readonly via: RequestedVia;
  readonly actor: Actor;
}

/** Every absent setting keeps its value. `settings` may hold settings that the engine does not act on: they are stored with the others. */
export interface SettingsChanged {
  readonly type: 'settingsChanged';
  readonly settings: Partial<QueueSettings>;
  readonly state?: RequestableQueueState;
  readonly mode?: QueueMode;
  readonly actor: Actor;
}

/** What became of a `startTestRun` command. */
export type RunOutcome =
  | {
      readonly type: 'runPushed';
      readonly run: number;
      readonly branch: string;
      readonly commit: string;
      readonly tree: string;
      readonly requiredStatuses: readonly string[];
      readonly source: RequiredStatusesSource;
      /** Absent in outcomes that version 0.1.0 stored. */
      readonly pins?: readonly StatusPin[];
      /** Absent: none. */
      readonly dropped?: readonly DroppedStatus[];
      readonly at: Instant;
      /** Observations of its own pull requests, made before building. */
      readonly seen: readonly PullRequestFacts[];
    }
  /** An earlier run of the same tree and required statuses has a result that counts: nothing was pushed. */
  | {
      readonly type: 'runResultKnown';
      readonly run: number;
      readonly commit: string;
      readonly tree: string;
      readonly requiredStatuses: readonly string[];
      readonly source: RequiredStatusesSource;
      /** Absent in outcomes that version 0.1.0 stored. */
      readonly pins?: readonly StatusPin[];
      /** The required statuses that failed then, or had not reported in time; empty: it passed. */
      readonly red: readonly string[];
      readonly at: Instant;
      readonly seen: readonly PullRequestFacts[];
    }
  | {
      readonly type: 'runNotStarted';
      readonly run: number;
      readonly because: NotStarted;
      readonly seen: readonly PullRequestFacts[];
    };

export type NotStarted =
  /** One of the run, or of what it is built on, cannot be merged onto the target itself, or onto another of them before it. */
  | (ConflictingFiles & {
      readonly type: 'conflict';
      readonly number: number;
      readonly with: 'target' | number;
    })
  /** A pull request changed since the order: the observations say how. */
  | { readonly type: 'pull_request_changed' }
  /** The host cannot say yet whether these can be merged. */
  | { readonly type: 'mergeability_unknown'; readonly numbers: readonly number[] }
  | { readonly type: 'not_mergeable'; readonly numbers: readonly number[] }
  /** The target has the changes of these, though not their commits. */
  | { readonly type: 'nothing_to_merge'; readonly numbers: readonly number[] }
  | { readonly type: 'target_moved'; readonly tip: Tip; readonly seenAt: Instant }
  /** Its base no longer exists; the queue looks again. */
  | { readonly type: 'base_gone' }
  /** No entry of the run can be tested. */
  | { readonly type: 'refused'; readonly reason: StartFailure; readonly details: string }
  /**
   * The configuration file of its base cannot be read. These entries do not mend it, so they wait until the target has another
   * tip, or statuses are set by hand. `problem`: sentences with file and line.
   */
  | { readonly type: 'config_unreadable'; readonly numbers: readonly number[]; readonly problem: string }
  /**
   * The host or git refuses an own entry: its commit, or a branch with it. Null: they do not say which entry. `reason`: absent,
   * it is just that.
   */
  | {
      readonly type: 'entry_refused';
      readonly number: number | null;
      readonly reason?: StartFailure;
      readonly details: string;
    };

/** A host that merges one pull request at a time refused midway: the earlier ones are on the target. */
export interface LandedPartly {
  readonly type: 'landedPartly';
  readonly landing: number;
  readonly tip: Tip;
  /** Of those that landed, in order. */
  readonly commits: readonly LandedCommit[];
  readonly wrongTrees?: readonly WrongTree[];
  readonly because: LandingRefusal;
  readonly at: Instant;
}

/** What became of a `landRun` command. */
export type LandingOutcome =
  | {
      readonly type: 'landed';
      /** Something that the queue did not put there is in the tip's tree, too. */
      readonly isMixed?: true;
      readonly wrongTrees?: readonly WrongTree[];
      readonly landing: number;
      readonly tip: Tip;
      readonly commits: readonly LandedCommit[];
      readonly at: Instant;
    }
  | LandedPartly
  | { readonly type: 'landingRefused'; readonly landing: number; readonly because: LandingRefusal };

export interface LandedCommit {
  readonly number: number;
  /** That of the one below, where `isNothing`. */
  readonly commit: string;
  readonly tree: string;
  /** What is below had all its changes: no commit was made of it, and its own are not there. */
  readonly isNothing?: true;
}

export type LandingRefusal =
  | { readonly type: 'target_moved'; readonly tip: Tip; readonly seenAt: Instant }
  | { readonly type: 'target_gone' }
  | { readonly type: 'head_moved'; readonly number: number }
  /** It is closed, a draft, aimed at another branch, or the host demands something of it: the facts say how. */
  | { readonly type: 'pull_request_changed'; readonly facts: PullRequestFacts }
  /** The host may land it later, for instance when a check has ended. */
  | { readonly type: 'not_yet'; readonly number: number; readonly why: string }
  | {
      readonly type: 'host_refused';
      readonly number: number;
      readonly why: string;
      /** A rule of the branch says so. */
      readonly byRule?: true;
    }
  /** It was carried out too late: a freeze had begun. Nothing was pushed. */
  | { readonly type: 'too_late' }
  /** The tree would not have been the tested one; nothing was pushed. */
  | { readonly type: 'tree_differs' }
  /** It may not land on its own tests: it goes through the queue. */
  | { readonly type: 'not_direct'; readonly why: string };
