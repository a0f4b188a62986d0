import type {
  Actor,
  EntryState,
  Instant,
  QueueMode,
  QueueState,
  RequestableQueueState,
  StateReason,
} from './vocabulary';
import type { FlowStanding, FlowState } from './flow-state';
import type { Freeze, LandedChange, Landing, MergedLately, PartialLanding } from './landings';
import type { PullRequestFacts } from './pull-request-facts';
import type { QueueSettings } from './settings';
import type { CulpritSearch, TestRun, Tip, StatusFact, SuspectRun, UploadFact } from './test-runs';

export type * from './landings';
export type * from './pull-request-facts';
export type * from './settings';
export type * from './ci-end';
export type * from './test-runs';

export interface Entry {
  readonly id: string;
  readonly number: number;
  readonly attempt: number;
  readonly state: EntryState;
  readonly stateChangedAt: Instant;
  readonly stateReason: StateReason | null;
  readonly stateActor: Actor;
  /** The head of this attempt: the queue tests and lands this commit. */
  readonly head: string;
  readonly priority: number;
  readonly usedDefaultPriority: boolean;
  readonly noBatch: boolean;
  /** Tested like any entry, but never landed and never part of another entry's base. */
  readonly dryRun: boolean;
  /**
   * Position among the waiting entries: counts submissions, kept when readiness is lost, negative after a promotion.
   */
  readonly submittedOrder: number;
  /** Above 0 for an entry that returned from a bisection: it goes ahead of all but urgent entries. */
  readonly returnedOrder: number;
  /** Entries that returned together are batched with each other only; 0 for the others. */
  readonly returnedGroup: number;
  /** The maximum size of its batches: smaller than any batch that failed with it; null: no limit of its own. */
  readonly batchAtMost: number | null;
  /** How often a failed batch with this entry passed when the whole batch was tested again. */
  readonly greenRetests: number;
  /** Somebody asked for a new test: no earlier result counts until that test has one. */
  readonly testAnew: boolean;
  /** When the entry last passed in isolation in a bisection: no result up to then counts for it, whatever the tree. */
  readonly acquittedAt: Instant | null;
  /** Its bisection; during it the entry has no place in the line. */
  readonly search: number | null;
  /** Its place in the line, shared by the entries of one batch; null while the entry only waits. */
  readonly place: number | null;
  readonly placeIndex: number;
  readonly urgentInLine: boolean;
  readonly submittedAt: Instant;
  readonly pendingSince: Instant | null;
  readonly firstPendingAt: Instant | null;
  readonly notReadySince: Instant | null;
  readonly concludedAt: Instant | null;
  /** The mode in which its readiness was checked. */
  readonly evaluatedMode: QueueMode;
  readonly askAgainAt: Instant | null;
  readonly timesAsked: number;
  /** Why the last test could not start; null: it could. */
  readonly unreadableConfig: UnreadableConfig | null;
  /** The run that explains the states testing, tests_passed and pending_failure. */
  readonly stateRun: number | null;
  readonly verifiedByRun: number | null;
  /** Impacted targets were given for the pull request's present head (`pullRequest.head`). */
  readonly hasTargets: boolean;
  /**
   * The failed run of the entry was rebuilt; not again until `QueueSnapshot.concluded` is above this number. In
   * parallel mode no run builds on the entry until it is this number. Null: never rebuilt.
   */
  readonly redRebuiltAt: number | null;
  /** How many of its runs were inconclusive in this attempt, and started again. */
  readonly timesLost: number;
  /** The suspect run of this attempt: tested again because only known flaky tests failed. Null: none. */
  readonly suspectRun: SuspectRun | null;
  /**
   * Flow scheduling: raised when earlier tests of the entry can no longer land it, though its head is the same. Absent:
   * 0.
   */
  readonly generation?: number;
  /** The pull requests that this one lands after or with. Absent: none. */
  readonly needs?: readonly Need[];
  /**
   * Required statuses that the head drops from the list in the configuration file. Its test still requires them.
   * Absent: none, or not known.
   */
  readonly takesOff?: readonly string[];
  /**
   * Files that define CI and that the head changes, if it is from a fork and its author may not write. Absent: none.
   */
  readonly changedWorkflows?: readonly string[];
  /** Flow queues only. Absent: the entry waits, and nothing more is known about it. */
  readonly flow?: FlowStanding;
  readonly pullRequest: PullRequestFacts;
}

/** Another pull request of this queue that an entry lands after or with. */
export interface Need {
  readonly number: number;
  /** The head of the other pull request that the entry contains. Null: its description names it, at any head. */
  readonly head: string | null;
  /** The base of the other pull request at the last look, if it is not the queue's branch. Absent: it is. */
  readonly base?: string;
}

/** The fields that change when an entry follows its pull request's head. */
export interface NewHead extends Pick<Entry, 'takesOff' | 'changedWorkflows'> {
  readonly head: string;
}

/** The configuration file cannot be read at this tip of the target. An entry waits only while all of this is true. */
export interface UnreadableConfig {
  readonly commit: string;
  /** Whether statuses were set manually. */
  readonly isByHand: boolean;
  /** Sentences with file and line. */
  readonly problem: string;
}

/** The entries that have an impacted target in common, by entry; both directions are included. */
export type SharedTargets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Hashes of the impacted targets that an entry shares with another entry of the snapshot, ascending, by entry. Bounded.
 * `ALL` shares nothing with anything, and neither does a list that is too long to say much.
 */
export type SharedAreas = ReadonlyMap<string, readonly number[]>;

/** A time in which no process of the service ran. */
export interface Downtime {
  readonly from: Instant;
  readonly to: Instant;
}

export interface ServiceLimits {
  readonly runsInFlight: number;
  readonly batchSize: number;
  /** How long the result of a tree may stand for another run of it. */
  readonly treeReuseHours: number;
}

/**
 * All that one decision may know: work in flight, the next few waiting entries, and the entries of the event. Never the
 * whole backlog: a decision costs the same at depth 10 and at depth 100,000.
 */
export interface QueueSnapshot {
  readonly id: string;
  readonly branch: string;
  readonly host: string;
  readonly state: QueueState;
  readonly mode: QueueMode;
  /** The mode to which the queue is switching; null: no switch is under way. */
  readonly requestedMode: QueueMode | null;
  readonly stateAfterSwitch: RequestableQueueState | null;
  readonly settings: QueueSettings;
  readonly limits: ServiceLimits;
  readonly tip: Tip | null;
  readonly tipSeenAt: Instant | null;
  readonly epoch: number;
  readonly landedSeq: number;
  /** Raised whenever an entry concludes. */
  readonly concluded: number;
  readonly nextRun: number;
  readonly nextLanding: number;
  readonly nextOrder: number;
  readonly nextPlace: number;
  readonly nextSearch: number;
  /**
   * Since when the host has refused or missed all commands of this queue; null: it does not. `hostRefusal`: its answer,
   * if any.
   */
  readonly hostUnreachableSince: Instant | null;
  readonly hostRefusal: string | null;
  /**
   * Since when no command of this queue has succeeded at the host; null: they do. `hostRefusal`: its answer, if any.
   */
  readonly merging?: { readonly number: number; readonly since: Instant };
  /** Oldest first; only downtimes that took test time from a run in flight. */
  readonly downtimes: readonly Downtime[];
  /** The service has started and has not yet read the statuses of the commits in test: until then no run times out. */
  readonly statusesUnread: boolean;
  /**
   * Why the service does not run the checks of this host although it is configured to, with a fix. Absent: no problem.
   */
  readonly checksOff?: string;
  /**
   * Impacted targets are computed. `problem`: why the file cannot be read; null: it can. Absent: they must be uploaded.
   */
  readonly computedTargets?: { readonly problem: string | null };
  /** Absent: no test has a result yet. */
  readonly flow?: FlowState;
  /** In no particular order; `policy/line.ts` and `policy/order.ts` know the orders. */
  readonly entries: readonly Entry[];
  /** Live runs only. */
  readonly runs: readonly TestRun[];
  /** Oldest first. */
  readonly searches: readonly CulpritSearch[];
  /** Among these entries and the landed changes; used in parallel mode only. */
  readonly sharing: SharedTargets;
  /** Flow queues only, among the entries in the queue. Absent: none. */
  readonly areas?: SharedAreas;
  /** Ids of the entries here that a batching rule keeps out of batches. */
  readonly isolated: ReadonlySet<string>;
  readonly landed: readonly LandedChange[];
  /** The landings of the last hour, oldest first; only if `maxMergesPerHour` needs them. */
  readonly mergedLately: readonly MergedLately[];
  /** One freeze for each window: the present one, or else the next one. */
  readonly freezes: readonly Freeze[];
  readonly landing: Landing | null;
  /** A partial landing whose result must be tested before anything else starts; null: none. */
  readonly partialLanding: PartialLanding | null;
  /** Reports on the commits of live runs. */
  readonly reports: readonly StatusFact[];
  /** Test results on the same commits. Empty while none of the runs has failed. */
  readonly uploads: readonly UploadFact[];
  /** The highest number of uploads among the last runs; 0: CI uploads no test results. */
  readonly usualUploads: number;
  /** The earliest readiness deadline or retry time among the entries outside this snapshot. */
  readonly nextDeadlineOutside: Instant | null;
  /** Whether entries outside this snapshot were checked in another mode, or could take a free slot. */
  readonly moreToLoad: MoreToLoad;
}

/** Entries outside the snapshot: unchecked after a switch; able to start; held by a configuration file. */
export interface MoreToLoad {
  readonly unchecked: boolean;
  readonly waiting: boolean;
  readonly held: boolean;
}
