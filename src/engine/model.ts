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
  /** The head this attempt is about; what is tested and landed. */
  readonly head: string;
  readonly priority: number;
  readonly usedDefaultPriority: boolean;
  readonly noBatch: boolean;
  /** It is tested as it would be, never built upon and never landed. */
  readonly dryRun: boolean;
  /** Its turn among those that wait: counts submissions, kept when readiness is lost. Negative once it was promoted. */
  readonly submittedOrder: number;
  /** Came back from a culprit search: goes ahead of all but urgent; 0 for the others. */
  readonly returnedOrder: number;
  /** Entries that came back together are batched with each other only; 0 for the others. */
  readonly returnedGroup: number;
  /** The largest batch it may be part of: smaller than any that failed with it; null: no limit of its own. */
  readonly batchAtMost: number | null;
  /** How often a whole red batch of it passed when it was tested again. */
  readonly greenRetests: number;
  /** Somebody asked for a new test: no earlier result counts for it until that has one. */
  readonly testAnew: boolean;
  /** When it last passed alone in a culprit search: no result up to then counts for it any more, whatever the tree. */
  readonly acquittedAt: Instant | null;
  /** The culprit search it is in; it has no place in the line then. */
  readonly search: number | null;
  /** Its place in the line, shared by the entries of one batch; null while it only waits. */
  readonly place: number | null;
  readonly placeIndex: number;
  readonly urgentInLine: boolean;
  readonly submittedAt: Instant;
  readonly pendingSince: Instant | null;
  readonly firstPendingAt: Instant | null;
  readonly notReadySince: Instant | null;
  readonly concludedAt: Instant | null;
  /** The mode under which readiness was checked. */
  readonly evaluatedMode: QueueMode;
  readonly askAgainAt: Instant | null;
  readonly timesAsked: number;
  /** Why its last test could not start; null: it could. */
  readonly unreadableConfig: UnreadableConfig | null;
  /** The run behind testing, tests_passed and pending_failure. */
  readonly stateRun: number | null;
  readonly verifiedByRun: number | null;
  /** Impacted targets were given for the pull request's present head (`pullRequest.head`). */
  readonly hasTargets: boolean;
  /**
   * Its red run was rebuilt, and is not again until `QueueSnapshot.concluded` is above this. Until it is this, nobody is built on it
   * in lanes. null: it never was.
   */
  readonly redRebuiltAt: number | null;
  /** How often a run with it was lost in this attempt, and started again. */
  readonly timesLost: number;
  /** Its run of this attempt that was tested again because only known flaky tests failed; null: there was none. */
  readonly suspectRun: SuspectRun | null;
  /** In flow: raised whenever what was tested before may not land any more, though the head is the same. Absent: 0. */
  readonly generation?: number;
  /** What it lands after or with. Absent: nothing. */
  readonly needs?: readonly Need[];
  /**
   * Required statuses that its head takes off the list in the configuration file. They are required of its test all the same.
   * Absent: none, or not known.
   */
  readonly takesOff?: readonly string[];
  /** Files that define CI and that its head changes, where it comes from a fork and its author may not write. Absent: none. */
  readonly changedWorkflows?: readonly string[];
  /** Only in flow. Absent: it waits, and nothing more is known of it. */
  readonly flow?: FlowStanding;
  readonly pullRequest: PullRequestFacts;
}

/** Another pull request of this queue that an entry lands after or with. */
export interface Need {
  readonly number: number;
  /** The entry contains this head of it. Null: its description asks for it, at whatever head. */
  readonly head: string | null;
  /** Its base, when it was last looked at and that was not the branch of the queue. Absent: it was. */
  readonly base?: string;
}

/** What an entry takes over when it follows its pull request's head. */
export interface NewHead extends Pick<Entry, 'takesOff' | 'changedWorkflows'> {
  readonly head: string;
}

/** The configuration file cannot be read at this tip of the target. An entry waits for it only while all of this is so. */
export interface UnreadableConfig {
  readonly commit: string;
  /** Whether statuses were set by hand. */
  readonly isByHand: boolean;
  /** Sentences with file and line. */
  readonly problem: string;
}

/** Which changes have an impacted target in common, by entry; both directions are there. */
export type SharedTargets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Hashes of the impacted targets that an entry has in common with another one here, ascending, by entry. Bounded; `ALL` has
 * nothing in common with anything, and neither has a list that is too long to say much.
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
 * Everything one decision may know: what is in flight, the next few that wait, and the entries the event is about.
 * Never all that waits: a decision costs the same at depth 10 and at depth 100,000.
 */
export interface QueueSnapshot {
  readonly id: string;
  readonly branch: string;
  readonly host: string;
  readonly state: QueueState;
  readonly mode: QueueMode;
  /** The mode a switch is on its way to; null when none is. */
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
  /** Since when no command of this queue was carried out at the host; null: they are. `hostRefusal`: its words, where it answered. */
  readonly hostUnreachableSince: Instant | null;
  readonly hostRefusal: string | null;
  /** What the host was asked to merge in the background, and may still merge. Absent: nothing. */
  readonly merging?: { readonly number: number; readonly since: Instant };
  /** Oldest first; those that a run in flight lost test time to. */
  readonly downtimes: readonly Downtime[];
  /** The service has started, and has not read the statuses of the commits in test since: no run times out before. */
  readonly statusesUnread: boolean;
  /** Why the service does not run the checks of this host although it was told to, and the way out. Absent: nothing to say. */
  readonly checksOff?: string;
  /** Impacted targets are computed. `problem`: why the file cannot be read now; null: it can. Absent: they must be uploaded. */
  readonly computedTargets?: { readonly problem: string | null };
  /** Absent: nothing has a result yet. */
  readonly flow?: FlowState;
  /** In no particular order; `policy/line.ts` and `policy/order.ts` know the orders. */
  readonly entries: readonly Entry[];
  /** Live runs only. */
  readonly runs: readonly TestRun[];
  /** Oldest first. */
  readonly searches: readonly CulpritSearch[];
  /** Among the entries here and what landed; looked at in parallel mode only. */
  readonly sharing: SharedTargets;
  /** Only in flow, and of what is in the queue. Absent: none. */
  readonly areas?: SharedAreas;
  /** Ids of the entries here that a batching rule keeps out of batches. */
  readonly isolated: ReadonlySet<string>;
  readonly landed: readonly LandedChange[];
  /** What landed in the last hour, oldest first; only where `maxMergesPerHour` needs it. */
  readonly mergedLately: readonly MergedLately[];
  /** Of each window, the one that is on or else the next one. */
  readonly freezes: readonly Freeze[];
  readonly landing: Landing | null;
  /** A partial landing whose result on the target is still to be tested before anything starts; null without one. */
  readonly partialLanding: PartialLanding | null;
  /** Reports on the commits of live runs. */
  readonly reports: readonly StatusFact[];
  /** Of test results, on the same commits. Empty while none of them is red. */
  readonly uploads: readonly UploadFact[];
  /** The most uploads that one of the last runs had; 0: CI uploads no test results. */
  readonly usualUploads: number;
  /** The earliest not_ready deadline, or ask-again time, among entries outside this snapshot. */
  readonly nextDeadlineOutside: Instant | null;
  /** Entries outside this snapshot whose readiness was checked under another mode, or that could take a free slot. */
  readonly moreToLoad: MoreToLoad;
}

/** Outside the snapshot: entries to check after a switch; ones that could start; ones that a configuration file has held. */
export interface MoreToLoad {
  readonly unchecked: boolean;
  readonly waiting: boolean;
  readonly held: boolean;
}
