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

/** The inputs of decisions. An event changes facts; everything else is derived from them. */
export type QueueEvent =
  | PullRequestSubmitted
  | PullRequestSeen
  /** The host does not know the pull request any more (plain git: its ref is gone). */
  | { readonly type: 'pullRequestGone'; readonly number: number; readonly seenAt: Instant }
  | { readonly type: 'cancelRequested'; readonly number: number; readonly via: RequestedVia; readonly actor: Actor }
  | { readonly type: 'restartRequested'; readonly number: number; readonly via: RequestedVia; readonly actor: Actor }
  /** The pull request goes to the front of its priority. */
  | { readonly type: 'promotionRequested'; readonly number: number; readonly actor: Actor }
  /** Each of these pull requests is removed, in this order, unless its landing has been ordered. */
  | { readonly type: 'allCancelRequested'; readonly numbers: readonly number[]; readonly actor: Actor }
  /** Impacted targets were stored for that head. The snapshot already knows which entries have targets. */
  | { readonly type: 'targetsGiven'; readonly number: number; readonly head: string }
  | TargetsComputed
  | SettingsChanged
  | { readonly type: 'deletionRequested'; readonly activeEntries: number }
  | TargetSighting
  /** The snapshot's reports already contain the report. */
  | { readonly type: 'statusReported'; readonly commit: string }
  /** Test results were uploaded for the commit. The snapshot's uploads already contain them. */
  | { readonly type: 'resultsUploaded'; readonly commit: string }
  /** Somebody else moved the testing branch of that commit. */
  | { readonly type: 'testingBranchMoved'; readonly commit: string; readonly moved: MovedBranch }
  /** The code host told whether CI is done with that commit. Null: CI is not done with the commit. */
  | { readonly type: 'ciSeen'; readonly commit: string; readonly end: CiEnd | null }
  | { readonly type: 'clockTicked' }
  | RunOutcome
  | LandingOutcome;

export interface TargetSighting {
  readonly type: 'targetSeen';
  readonly tip: Tip;
  readonly seenAt: Instant;
  /** Merged pull requests whose commits have disappeared from the target's history. Absent: none. */
  readonly lost?: readonly QueuedHead[];
}

/**
 * The service computed the impacted targets of these pull requests; the snapshot already has these targets. `more`: the
 * targets of other pull requests are still to be computed.
 */
export interface TargetsComputed {
  readonly type: 'targetsComputed';
  readonly numbers: readonly number[];
  readonly more: boolean;
}

export interface PullRequestSeen {
  readonly type: 'pullRequestSeen';
  readonly facts: PullRequestFacts;
  /**
   * Whether the author of the push that made a head new to the queue may write to the repository. False if that cannot
   * be found out; true on a host without permissions.
   */
  readonly pusherMayWrite: boolean;
  /** The host itself made this head from the head that the queue has, with the same changes. */
  readonly isRewritten?: true;
  /** Ids of the commits that the head brings to the target. Absent: not known, or the head is not new to the queue. */
  readonly commits?: readonly string[];
  /** As in `Entry`, for a head that is new to the queue. */
  readonly takesOff?: readonly string[];
  readonly changedWorkflows?: readonly string[];
}

export interface PullRequestSubmitted {
  readonly type: 'pullRequestSubmitted';
  /** Used when the pull request has no entry in this queue yet. */
  readonly newEntryId: string;
  readonly facts: PullRequestFacts;
  readonly hasTargets: boolean;
  /** Absent: unchanged, or the default for a new entry; null: the default. */
  readonly priority?: number | null;
  /** The default priority of a requester who may not use `medium`. */
  readonly defaultPriority?: number;
  readonly noBatch?: boolean;
  /** Absent: the pull request is to be merged. */
  readonly dryRun?: boolean;
  /** Ids of the commits that the head brings to the target. Absent: not known. */
  readonly commits?: readonly string[];
  /** As in `Entry`, for a head that is new to the queue. */
  readonly takesOff?: readonly string[];
  readonly changedWorkflows?: readonly string[];
  readonly via: RequestedVia;
  readonly actor: Actor;
}

/** Absent settings keep their values. Settings on which the engine does not act are stored, too. */
export interface SettingsChanged {
  readonly type: 'settingsChanged';
  readonly settings: Partial<QueueSettings>;
  readonly state?: RequestableQueueState;
  readonly mode?: QueueMode;
  readonly actor: Actor;
}

/** The outcome of a `startTestRun` command. */
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
      /** Required statuses that the tested changes drop. Absent: none. */
      readonly dropped?: readonly DroppedStatus[];
      readonly at: Instant;
      /** Observations of the run's own pull requests, made before building. */
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
      /** Required statuses that failed then or were not reported in time; empty: the run passed. */
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
  /** A pull request of the run or its base has a conflict with the target, or with a pull request before it. */
  | (ConflictingFiles & {
      readonly type: 'conflict';
      readonly number: number;
      readonly with: 'target' | number;
    })
  /** A pull request changed after the command was ordered: the observations have the new facts. */
  | { readonly type: 'pull_request_changed' }
  /** The host cannot say yet whether these pull requests can be merged. */
  | { readonly type: 'mergeability_unknown'; readonly numbers: readonly number[] }
  | { readonly type: 'not_mergeable'; readonly numbers: readonly number[] }
  /** The target has the changes of these pull requests, though not their commits. */
  | { readonly type: 'nothing_to_merge'; readonly numbers: readonly number[] }
  | { readonly type: 'target_moved'; readonly tip: Tip; readonly seenAt: Instant }
  /** The commit of the base no longer exists: the queue looks at the target again. */
  | { readonly type: 'base_gone' }
  /** No entry of the run can be tested. */
  | { readonly type: 'refused'; readonly reason: StartFailure; readonly details: string }
  /**
   * The configuration file of the base cannot be read. These entries do not fix the file, so they wait for another tip
   * of the target or for required statuses that are set manually. `problem`: sentences with file and line.
   */
  | { readonly type: 'config_unreadable'; readonly numbers: readonly number[]; readonly problem: string }
  /**
   * The host or git refuses the commit of an own entry, or a branch with that commit. `number`: null if they do not say
   * which entry. `reason`: absent if no particular reason is known.
   */
  | {
      readonly type: 'entry_refused';
      readonly number: number | null;
      readonly reason?: StartFailure;
      readonly details: string;
    };

/** The host merged the first pull requests of a run one by one, and then refused the next pull request. */
export interface LandedPartly {
  readonly type: 'landedPartly';
  readonly landing: number;
  readonly tip: Tip;
  /** The commits that landed, in order. */
  readonly commits: readonly LandedCommit[];
  readonly wrongTrees?: readonly WrongTree[];
  readonly because: LandingRefusal;
  readonly at: Instant;
}

/** The outcome of a `landRun` command. */
export type LandingOutcome =
  | {
      readonly type: 'landed';
      /** The tip's tree also contains changes that the queue did not put there. */
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
  /** With `isNothing`, the commit below, because the host made no commit. */
  readonly commit: string;
  readonly tree: string;
  /** The commits below already had all changes of the pull request, so the host made no commit for it. */
  readonly isNothing?: true;
}

export type LandingRefusal =
  | { readonly type: 'target_moved'; readonly tip: Tip; readonly seenAt: Instant }
  | { readonly type: 'target_gone' }
  | { readonly type: 'head_moved'; readonly number: number }
  /** The pull request is closed, a draft, for another branch, or does not meet a demand of the host: see `facts`. */
  | { readonly type: 'pull_request_changed'; readonly facts: PullRequestFacts }
  /** The host may merge the pull request later, for instance when a check has ended. */
  | { readonly type: 'not_yet'; readonly number: number; readonly why: string }
  | {
      readonly type: 'host_refused';
      readonly number: number;
      readonly why: string;
      /** A branch rule refuses the merge. */
      readonly byRule?: true;
    }
  /** The command was carried out after a freeze had begun: nothing was pushed. */
  | { readonly type: 'too_late' }
  /** The merge would give another tree than the tested tree: nothing was pushed. */
  | { readonly type: 'tree_differs' }
  /** The pull request may not merge on its own tests, so it goes through the queue. */
  | { readonly type: 'not_direct'; readonly why: string };
