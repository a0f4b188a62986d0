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

/** What happened inside: each is a row update and a line of the append-only log. */
export type Change =
  /** A new attempt; the whole entry as it begins. */
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
  /** It goes ahead of all that wait with its priority. `order`: its turn from then on, lower than any other. */
  | {
      readonly type: 'entryPromoted';
      readonly entryId: string;
      readonly order: number;
      readonly actor: Actor;
    }
  /** In flow: it goes behind all that wait with its priority. `order`: its turn from then on, higher than any other. */
  | { readonly type: 'entryPutBehind'; readonly entryId: string; readonly order: number }
  /** The places of the line: null takes an entry out of it. */
  | {
      readonly type: 'entriesPlaced';
      readonly places: readonly EntryPlace[];
      readonly because: 'joined' | 'left' | 'urgent' | 'restarted' | 'conflict' | 'refused';
    }
  | { readonly type: 'pullRequestObserved'; readonly facts: PullRequestFacts }
  /** Back from a culprit search or a mode switch: ahead of all but urgent, in this order. */
  | { readonly type: 'entriesReturned'; readonly returns: readonly EntryReturn[] }
  /** Somebody asked for a new test: no earlier result counts. */
  | { readonly type: 'entriesToTestAnew'; readonly entryIds: readonly string[] }
  /** The suspect of a culprit search passed alone. */
  | { readonly type: 'entryAcquitted'; readonly entryId: string; readonly at: Instant }
  /** A not_ready entry follows its pull request's head. */
  | (NewHead & { readonly type: 'entryFollowedHead'; readonly entryId: string })
  /** All that it lands after or with from now on. */
  | { readonly type: 'needsChanged'; readonly entryId: string; readonly needs: readonly Need[] }
  /** In flow: where an entry stands now. Its run is kept. */
  | { readonly type: 'standingChanged'; readonly entryId: string; readonly standing: FlowStanding }
  /** In flow: what was tested with the entry so far never lands. */
  | { readonly type: 'generationRaised'; readonly entryId: string }
  | { readonly type: 'entryEvaluated'; readonly entryId: string; readonly mode: QueueMode }
  /** Its red run is rebuilt: once, until more than `concluded` of the queue have concluded. */
  | { readonly type: 'redRunRebuilt'; readonly entryId: string; readonly concluded: number }
  | {
      readonly type: 'readinessAsked';
      readonly entryId: string;
      readonly askAgainAt: Instant;
      readonly timesAsked: number;
    }
  /** The configuration file of the target cannot be read, and these entries do not mend it. */
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
  /** Its tree has a result already; its verdict follows in the same decision. */
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
  /** CI gave no verdict on it, so it is started again. `names`: what CI gave up; empty: nothing was reported in time. */
  | {
      readonly type: 'runLost';
      readonly run: number;
      readonly entryIds: readonly string[];
      readonly names: readonly string[];
    }
  /** It is red, and uploads are awaited that may say why. */
  | { readonly type: 'runFoundRed'; readonly run: number; readonly at: Instant }
  /** It is red by known flaky tests only, so it is tested once more. */
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
  /** Its members leave the line for it. */
  | { readonly type: 'searchStarted'; readonly search: CulpritSearch }
  /** The search as it is now; entries that are no longer members have left it. */
  | { readonly type: 'searchAdvanced'; readonly search: CulpritSearch }
  | { readonly type: 'searchEnded'; readonly search: number; readonly because: SearchEnd }
  /** In order: a pull request was red alone on the target. */
  | { readonly type: 'redAloneFound'; readonly entryId: string; readonly run: number; readonly streak: number }
  | { readonly type: 'landingOrdered'; readonly landing: Landing }
  | {
      readonly type: 'changeLanded';
      readonly landing: number;
      readonly change: QueuedHead;
      /** Of the target, before it. Absent: an earlier version wrote it. */
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
  /** The queue saw or made a tip; `epochs` is 1 when somebody else put it there. */
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
  /** The scheduling that was asked for is in force: nothing is in flight any more. */
  | { readonly type: 'schedulingChanged'; readonly scheduling: Scheduling }
  | { readonly type: 'queueDeleted' }
  /** The host stopped a landing midway: the target points at a tree that nobody tested. */
  | { readonly type: 'partLanded'; readonly part: PartialLanding }
  /** What was left on the target has its test; why it is red, null when it passed. `isWrongTree`: it needs none. */
  | {
      readonly type: 'partEvaluated';
      readonly landing: number;
      readonly problem: string | null;
      readonly isWrongTree?: true;
    };

export interface EntryMoved {
  readonly type: 'entryMoved';
  readonly entryId: string;
  readonly from: EntryState;
  readonly to: EntryState;
  /** Null for testing and pending_failure, which carry their run instead. */
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
