import type {
  Actor,
  EntryState,
  Instant,
  QueueMode,
  QueueState,
  RequestableQueueState,
  RequiredStatusesSource,
  RunKind,
  Scheduling,
  StateReason,
} from './vocabulary';
import type { FlowStanding } from './flow-state';
import type {
  CiEnd,
  DroppedStatus,
  QueuedHead,
  Conflict,
  CulpritSearch,
  Entry,
  Landing,
  MovedBranch,
  NewHead,
  Need,
  PartialLanding,
  PullRequestFacts,
  QueueSettings,
  RunFailure,
  StatusPin,
  SuspectRun,
  TestRun,
  Tip,
  UnreadableConfig,
} from './model';

/** The effects of decisions on a queue: each is a row update and a line of the append-only log. */
export type Change =
  /** A new attempt begins. `entry`: the entry at that moment. */
  | { readonly type: 'entrySubmitted'; readonly entry: Entry; readonly actor: Actor }
  | EntryMoved
  | {
      readonly type: 'entryPrioritised';
      readonly entryId: string;
      readonly priority: number;
      readonly usedDefaultPriority: boolean;
      readonly noBatch: boolean;
      readonly dryRun: boolean;
      readonly actor: Actor;
    }
  /** The entry goes ahead of all waiting entries of its priority. `order`: its new turn, lower than any other. */
  | {
      readonly type: 'entryPromoted';
      readonly entryId: string;
      readonly order: number;
      readonly actor: Actor;
    }
  /** Flow scheduling: the entry goes behind all waiting entries of its priority. `order`: its new turn, the highest. */
  | { readonly type: 'entryPutBehind'; readonly entryId: string; readonly order: number }
  /** New places in the line. A null place removes the entry from the line. */
  | {
      readonly type: 'entriesPlaced';
      readonly places: readonly EntryPlace[];
      readonly because: 'joined' | 'left' | 'urgent' | 'restarted' | 'conflict' | 'refused';
    }
  | { readonly type: 'pullRequestObserved'; readonly facts: PullRequestFacts }
  /** Entries return from a bisection or a mode switch, in this order: ahead of all entries that are not urgent. */
  | { readonly type: 'entriesReturned'; readonly returns: readonly EntryReturn[] }
  /** Somebody asked for a new test: no earlier result counts. */
  | { readonly type: 'entriesToTestAnew'; readonly entryIds: readonly string[] }
  /** The suspect of a bisection passed in isolation. */
  | { readonly type: 'entryAcquitted'; readonly entryId: string; readonly at: Instant }
  /** An entry that is not ready follows its pull request's head. */
  | (NewHead & { readonly type: 'entryFollowedHead'; readonly entryId: string })
  /** All pull requests that the entry lands after or with from now on. */
  | { readonly type: 'needsChanged'; readonly entryId: string; readonly needs: readonly Need[] }
  /** Flow scheduling: the entry has a new standing. It stays in its run. */
  | { readonly type: 'standingChanged'; readonly entryId: string; readonly standing: FlowStanding }
  /** Flow scheduling: a run that tested the entry before can never land it. */
  | { readonly type: 'generationRaised'; readonly entryId: string }
  | { readonly type: 'entryEvaluated'; readonly entryId: string; readonly mode: QueueMode }
  /** The failed run of the entry is rebuilt: once, until more than `concluded` entries of the queue have concluded. */
  | { readonly type: 'redRunRebuilt'; readonly entryId: string; readonly concluded: number }
  | {
      readonly type: 'readinessAsked';
      readonly entryId: string;
      readonly askAgainAt: Instant;
      readonly timesAsked: number;
    }
  /** The configuration file of the target cannot be read, and these entries do not fix it. */
  | { readonly type: 'configFoundUnreadable'; readonly entryIds: readonly string[]; readonly config: UnreadableConfig }
  | { readonly type: 'runStarted'; readonly run: TestRun }
  | {
      readonly type: 'runPushed';
      readonly run: number;
      readonly branch: string;
      readonly commit: string;
      readonly tree: string;
      readonly requiredStatuses: readonly string[];
      readonly source: RequiredStatusesSource;
      readonly pins: readonly StatusPin[];
      readonly dropped?: readonly DroppedStatus[];
      readonly pushedAt: Instant;
      readonly deadline: Instant;
    }
  | { readonly type: 'runBranchMoved'; readonly run: number; readonly moved: MovedBranch }
  | { readonly type: 'runCiSeen'; readonly run: number; readonly end: CiEnd | null }
  /** The tree of the run already has a result that counts; the verdict follows in the same decision. */
  | {
      readonly type: 'runResultReused';
      readonly run: number;
      readonly commit: string;
      readonly tree: string;
      readonly requiredStatuses: readonly string[];
      readonly source: RequiredStatusesSource;
      readonly pins: readonly StatusPin[];
    }
  | { readonly type: 'runPassed'; readonly run: number; readonly kind: RunKind; readonly at: Instant }
  | {
      readonly type: 'runFailed';
      readonly run: number;
      readonly kind: RunKind;
      readonly failure: RunFailure;
      readonly at: Instant;
    }
  /** CI gave no verdict: the run starts again. `names`: statuses that CI gave up; empty if it reported nothing. */
  | {
      readonly type: 'runLost';
      readonly run: number;
      readonly entryIds: readonly string[];
      readonly names: readonly string[];
    }
  /** The run failed, and uploads that may explain it are awaited. */
  | { readonly type: 'runFoundRed'; readonly run: number; readonly at: Instant }
  /** The run failed by known flaky tests only, so it is tested once more. */
  | {
      readonly type: 'runSuspected';
      readonly run: number;
      readonly entryIds: readonly string[];
      readonly suspect: SuspectRun;
    }
  | { readonly type: 'runConflicted'; readonly run: number; readonly conflict: Conflict }
  /** The run has ended: rebuilt, blamed, landed or given up. */
  | {
      readonly type: 'runEnded';
      readonly run: number;
      readonly because:
        StateReason | 'landed' | 'blamed' | 'start_refused' | 'search_answered' | 'not_direct' | 'target_judged';
    }
  /** The members leave the line for the bisection. */
  | { readonly type: 'searchStarted'; readonly search: CulpritSearch }
  /** The new state of a bisection. Entries that are no longer members have left the bisection. */
  | { readonly type: 'searchAdvanced'; readonly search: CulpritSearch }
  | { readonly type: 'searchEnded'; readonly search: number; readonly because: SearchEnd }
  /** Sequential scheduling: a pull request failed in isolation on the target. */
  | { readonly type: 'redAloneFound'; readonly entryId: string; readonly run: number; readonly streak: number }
  | { readonly type: 'landingOrdered'; readonly landing: Landing }
  | {
      readonly type: 'changeLanded';
      readonly landing: number;
      readonly change: QueuedHead;
      /** The target commit below `commit`. Absent: an earlier version of Sluice wrote the change. */
      readonly below?: string;
      readonly commit: string;
      readonly tree: string;
      readonly at: Instant;
    }
  | {
      readonly type: 'landingSettled';
      readonly landing: number;
      readonly outcome:
        | 'landed'
        | 'landed_partly'
        | 'target_moved'
        | 'target_gone'
        | 'head_moved'
        | 'pull_request_changed'
        | 'not_yet'
        | 'too_late'
        | 'host_refused'
        | 'tree_differs'
        | 'not_direct';
      readonly why: string | null;
    }
  /** The target has a new tip. `epochs`: 1 if somebody else gave the target another tree, else 0. */
  | { readonly type: 'targetMoved'; readonly tip: Tip; readonly seenAt: Instant; readonly epochs: 0 | 1 }
  | { readonly type: 'settingsChanged'; readonly settings: Partial<QueueSettings>; readonly actor: Actor }
  | {
      readonly type: 'queueMoved';
      readonly from: QueueState;
      readonly to: QueueState;
      readonly stateAfterSwitch: RequestableQueueState | null;
      readonly actor: Actor;
    }
  | {
      readonly type: 'modeChanged';
      readonly mode: QueueMode;
      readonly requested: QueueMode | null;
      readonly actor: Actor;
    }
  /** The requested scheduling is in force: nothing is in flight any more. */
  | { readonly type: 'schedulingChanged'; readonly scheduling: Scheduling }
  | { readonly type: 'queueDeleted' }
  /** The host stopped a landing midway: the target points at a tree that nobody tested. */
  | { readonly type: 'partLanded'; readonly part: PartialLanding }
  /** The queue knows whether the target works after a partial landing. `problem`: why not, or null. */
  | {
      readonly type: 'partEvaluated';
      readonly landing: number;
      readonly problem: string | null;
      /** Set if the target was not tested, because the host wrote a wrong tree. */
      readonly isWrongTree?: true;
    };

export interface EntryMoved {
  readonly type: 'entryMoved';
  readonly entryId: string;
  readonly from: EntryState;
  readonly to: EntryState;
  /** Null if `to` is `testing` or `pending_failure`: then `run` is set. */
  readonly because: StateReason | null;
  readonly run: number | null;
  readonly actor: Actor;
  readonly at: Instant;
  /** More about the reason, for people; never parsed. */
  readonly details: string | null;
}

export type SearchEnd =
  | 'culprit_found'
  | 'culprit_passed'
  | 'culprit_failed'
  | 'batch_passed'
  | 'target_red'
  | 'member_left'
  | 'mode_switched';

export interface EntryReturn {
  readonly entryId: string;
  readonly order: number;
  readonly group: number;
  readonly batchAtMost: number | null;
  readonly greenRetests: number;
}

export interface EntryPlace {
  readonly entryId: string;
  readonly place: number | null;
  readonly index: number;
  readonly urgent: boolean;
}
