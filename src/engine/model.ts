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
   * The order among the waiting entries: the number of the submission, kept when readiness is lost, negative after a
   * promotion.
   */
  readonly submittedOrder: number;
  /**
   * Above 0 for an entry that returned from a bisection: only urgent entries, and entries that returned earlier, go
   * ahead of it.
   */
  readonly returnedOrder: number;
  /**
   * Entries with the same number above 0 returned together and are batched only with each other. 0: may be batched with
   * any entry.
   */
  readonly returnedGroup: number;
  /** The maximum size of a batch with this entry: smaller than any batch that failed with it. Null: no limit. */
  readonly batchAtMost: number | null;
  /** How often a failed batch with this entry passed when the whole batch was tested again. */
  readonly greenRetests: number;
  /** Whether somebody asked for a new test: until it has a result, no earlier result counts. */
  readonly testAnew: boolean;
  /**
   * When the entry last passed in isolation at the end of a bisection. For runs with this entry, results up to that
   * time are not reused.
   */
  readonly acquittedAt: Instant | null;
  /** The number of the entry's bisection, during which it has no place in the line; null: it is in none. */
  readonly search: number | null;
  /** The place of the entry in the line, shared by the entries of one batch; null while the entry only waits. */
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
   * Set when the failed run of the entry was rebuilt. The run is not rebuilt again until `QueueSnapshot.concluded` is
   * above this number. In parallel mode, no run builds on the entry while `concluded` is below this number. Null: never
   * rebuilt.
   */
  readonly redRebuiltAt: number | null;
  /** How many runs of the entry in this attempt were inconclusive and started again. */
  readonly timesLost: number;
  /** The suspect run of this attempt, which was tested again because only known flaky tests failed; null: none. */
  readonly suspectRun: SuspectRun | null;
  /**
   * Flow scheduling: raised when earlier tests of the entry can no longer land it, though its head is the same. Absent:
   * 0.
   */
  readonly generation?: number;
  /** The pull requests after or with which this pull request lands. Absent: none. */
  readonly needs?: readonly Need[];
  /**
   * Required statuses that the head removes from the list in the configuration file. The test of the head still
   * requires them. Absent: none, or not known.
   */
  readonly takesOff?: readonly string[];
  /**
   * Files that define CI and that the head changes, if it is from a fork and its author may not write. Absent: none.
   */
  readonly changedWorkflows?: readonly string[];
  /** Flow queues only. Absent: the entry only waits, as in `JUST_WAITING`. */
  readonly flow?: FlowStanding;
  readonly pullRequest: PullRequestFacts;
}

/** Another pull request of this queue after or with which an entry lands. */
export interface Need {
  readonly number: number;
  /** The head of the other pull request that the entry contains. Null: its description names it, at any head. */
  readonly head: string | null;
  /** The base of the other pull request at the last look. Absent: its base is the queue's branch. */
  readonly base?: string;
}

/** The fields that change when an entry adopts a new head of its pull request. */
export interface NewHead extends Pick<Entry, 'takesOff' | 'changedWorkflows'> {
  readonly head: string;
}

/** The configuration file of the target cannot be read. An entry waits while `commit` and `isByHand` are unchanged. */
export interface UnreadableConfig {
  readonly commit: string;
  /** Whether required statuses were set manually on the queue. */
  readonly isByHand: boolean;
  /** Sentences with file and line. */
  readonly problem: string;
}

/** For each entry id, the ids of the entries that have an impacted target in common with it, in both directions. */
export type SharedTargets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * For each entry id, a limited number of hashes of the impacted targets that the entry shares with another entry of the
 * snapshot, ascending. An entry with `ALL`, or with too long a list of targets, has no hashes here.
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
  /** For this many hours, the result of a tree may count for another run of the same tree. */
  readonly treeReuseHours: number;
}

/**
 * All that one decision may know: work in flight, the next few waiting entries, and the entries of the event. Never the
 * whole backlog, so that a decision costs the same with 10 and with 100,000 waiting entries.
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
  /** The number of entries that have concluded. */
  readonly concluded: number;
  readonly nextRun: number;
  readonly nextLanding: number;
  readonly nextOrder: number;
  readonly nextPlace: number;
  readonly nextSearch: number;
  /**
   * The time since which no command of this queue has succeeded at the host; null: commands succeed. `hostRefusal`: the
   * host's answer, if any.
   */
  readonly hostUnreachableSince: Instant | null;
  readonly hostRefusal: string | null;
  /** The pull request that the host is merging in the background, and since when. Absent: none. */
  readonly merging?: { readonly number: number; readonly since: Instant };
  /** Downtimes during which a run in flight lost test time, oldest first. */
  readonly downtimes: readonly Downtime[];
  /**
   * True after a start of the service until it has read the statuses of the commits under test: until then no run times
   * out.
   */
  readonly statusesUnread: boolean;
  /**
   * Why the service does not run the checks of this host although it is configured to, with a fix. Absent: no problem.
   */
  readonly checksOff?: string;
  /**
   * Set if the service computes impacted targets. `problem`: why the configuration file cannot be read, or null.
   * Absent: targets must be uploaded.
   */
  readonly computedTargets?: { readonly problem: string | null };
  /** Absent: no test has a result yet. */
  readonly flow?: FlowState;
  /** In no particular order: `policy/line.ts` and `policy/order.ts` sort them. */
  readonly entries: readonly Entry[];
  /** The runs that have not ended. */
  readonly runs: readonly TestRun[];
  /** The bisections in progress, the oldest first. */
  readonly searches: readonly CulpritSearch[];
  /** The shared targets among `entries` and `landed`; used in parallel mode only. */
  readonly sharing: SharedTargets;
  /** Flow queues only: the shared areas among the entries in the queue. Absent: none. */
  readonly areas?: SharedAreas;
  /** Ids of the entries that a batching rule keeps out of batches. */
  readonly isolated: ReadonlySet<string>;
  readonly landed: readonly LandedChange[];
  /** The landings of the last hour, oldest first; only if `maxMergesPerHour` needs them. */
  readonly mergedLately: readonly MergedLately[];
  /** For each freeze window, the present freeze, or else the next freeze. */
  readonly freezes: readonly Freeze[];
  readonly landing: Landing | null;
  /** A partial landing whose result must be tested before anything else starts; null: none. */
  readonly partialLanding: PartialLanding | null;
  /** Reports on the commits of live runs. */
  readonly reports: readonly StatusFact[];
  /** Test results on the commits of `runs`. Empty while none of these runs has failed. */
  readonly uploads: readonly UploadFact[];
  /** The highest number of uploads among the last runs; 0: CI uploads no test results. */
  readonly usualUploads: number;
  /** The earliest readiness deadline or retry time among the entries outside this snapshot. */
  readonly nextDeadlineOutside: Instant | null;
  /** Whether entries outside this snapshot were checked in another mode, or could take a free slot. */
  readonly moreToLoad: MoreToLoad;
}

/** Whether entries outside the snapshot are unchecked after a switch, could start, or wait for a configuration file. */
export interface MoreToLoad {
  readonly unchecked: boolean;
  readonly waiting: boolean;
  readonly held: boolean;
}
