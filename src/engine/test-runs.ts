import type { CiEnd } from './ci-end';
import type { Instant, MergeMethod, RequiredStatusesSource, RunKind, RunPhase } from './vocabulary';

/** A pull request at a head, as part of a tree. Two with the same `entryId` and `head` are the same change. */
export interface QueuedHead {
  readonly entryId: string;
  readonly number: number;
  readonly head: string;
  /** Flow scheduling: the generation of the entry when it was tested. Absent: 0. */
  readonly generation?: number;
}

export interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/** A required status that counts only from one app. A status with two pins must pass from both. */
export interface StatusPin {
  readonly name: string;
  /** The host's id of the app. */
  readonly app: string;
}

/** A required status that the tested configuration file no longer requires. */
export interface DroppedStatus {
  readonly name: string;
  /** Delay between push and report in the last runs. Null: unknown. */
  readonly usualDelayMs: Instant | null;
}

/** One CI run of the queue, over one or more entries on a base. */
export interface TestRun {
  readonly number: number;
  readonly kind: RunKind;
  readonly phase: RunPhase;
  /** The place of its entries in the line; 0 outside the line. */
  readonly place: number;
  /** Its bisection; null in the line. */
  readonly search: number | null;
  readonly createdAt: Instant;
  readonly base: RunBase;
  /** The changes between its base and its own, in order. */
  readonly builtOn: readonly QueuedHead[];
  /** The changes that it tests, in order. */
  readonly own: readonly QueuedHead[];
  readonly mergeMethod: MergeMethod;
  readonly timeoutMinutes: number;
  readonly requiredStatuses: readonly string[];
  readonly requiredStatusesSource: RequiredStatusesSource | null;
  /** Pins of its required statuses, by the rules of the target when it started. */
  readonly pins: readonly StatusPin[];
  /** Required statuses that the tested changes drop. Absent: none. */
  readonly dropped?: readonly DroppedStatus[];
  /** The move of its testing branch by somebody else. Absent: nobody moved it, as far as the host reports. */
  readonly moved?: MovedBranch;
  /** The host's report when CI was done with the commit. Absent: CI is not done, or the host does not say. */
  readonly ciEnd?: CiEnd;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly pushedAt: Instant | null;
  readonly deadline: Instant | null;
  /** Since when uploads that may explain its failure are awaited; null: none are, or never were. */
  readonly redSince: Instant | null;
  readonly resultAt: Instant | null;
  readonly failure: RunFailure | null;
  readonly conflict: Conflict | null;
  /** The result is an earlier run's, with the same tree and required statuses; this run was not tested. */
  readonly reused: boolean;
  /** Flow queues only. */
  readonly flow?: FlowRun;
}

/**
 * `group`: waiting entries. `half`: the first half of a suspect set. `alone`: one suspect, or an urgent entry, on the
 * bare target. `check`: a combined test of passed entries. `target`: the target as it is.
 */
export type FlowRole = 'group' | 'half' | 'alone' | 'check' | 'target';

/** The part of a test run that only flow scheduling uses. */
export interface FlowRun {
  readonly role: FlowRole;
  /** The undecided part of its base: changes that were still under test when it was built. */
  readonly assumed: readonly QueuedHead[];
  /** The suspect set that it tests; 0: none. */
  readonly set: number;
  readonly isUrgent: boolean;
  /** The streak of failed tests in which it began. Absent: an earlier version began it. */
  readonly streak?: number;
}

export interface RunBase extends Tip {
  readonly epoch: number;
  /** How many changes the queue had landed when the run was built. */
  readonly landedSeq: number;
}

/** Files that cannot be merged. */
export interface ConflictingFiles {
  readonly files: readonly string[];
  /** Reasons by file, unless both sides change the same lines. By `''`: why there are no files. Absent: none known. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface Conflict extends ConflictingFiles {
  /** The number of the pull request ahead with which it conflicts. */
  readonly with: number;
}

export type RunFailure = RedStatuses | TimedOut | GivenUp;

interface RedStatuses extends FailureTerms {
  readonly type: 'status';
  readonly names: readonly string[];
  /** They did not fail: the pull request drops them from the list, and CI reports them no more. */
  readonly isDropped?: true;
  /** They did not fail: CI was done with the commit, and reported these names instead. */
  readonly insteadReported?: readonly string[];
}

interface TimedOut extends FailureTerms {
  readonly type: 'timeout';
  readonly missing: readonly string[];
}

/** CI gave up these statuses without a verdict, once too often. That says nothing about the tree. */
interface GivenUp extends FailureTerms {
  readonly type: 'lost';
  readonly names: readonly string[];
}

interface FailureTerms {
  /** `pendingFailureDepth` at the time of the failure; later changes do not affect it. */
  readonly depth: number;
  /** The failure is known from an earlier run of the same tree. */
  readonly reused: boolean;
  /** When it failed, in counts of the queue. Absent: in flow queues, or for another run's test. */
  readonly moment?: RedMoment;
}

/** Number of a failed result in its queue, and its streak. A streak is a series of failures between two passes. */
export interface RedMoment {
  readonly result: number;
  readonly streak: number;
  /** From the push to the report of the failure. Absent: nobody noted that. */
  readonly tested?: Stretch;
}

/** From one moment to another. */
export interface Stretch {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * The bisection of a failed batch: prefixes of it are tested on one base. Stage `whole`: the batch is tested once more
 * first. Stage `culprit`: the culprit is tested in isolation, on the target of that moment.
 */
export interface CulpritSearch {
  readonly number: number;
  readonly stage: 'whole' | 'prefixes' | 'culprit';
  readonly base: RunBase;
  /** In the order of the batch. */
  readonly members: readonly QueuedHead[];
  /** At most one per length. */
  readonly results: readonly PrefixResult[];
  /** Size of the failed batch: later batches with its members are smaller. */
  readonly failedSize: number;
  /** The place of a culprit that passes in isolation: directly behind its prefix. 0 until a culprit is found. */
  readonly culpritOrder: number;
  /** Failed tests of the culprit in isolation on the target. Absent: there are none, or they are void. */
  readonly alone?: RedsAlone;
}

/** Failed tests of one pull request in isolation on the target that have not failed it yet. */
export interface RedsAlone {
  readonly reds: number;
  /** One of them was the first test in isolation to fail since a pass. */
  readonly isFirst: boolean;
  /** The number of their streaks. */
  readonly streaks: number;
  /** The moment of the newest one. */
  readonly moment: RedMoment;
  readonly run: number;
}

export interface PrefixResult {
  readonly length: number;
  /** The run with this result. */
  readonly run: number;
  /** `timed_out`: the prefix is tested once more before it counts as failed. */
  readonly verdict: 'passed' | 'failed' | 'timed_out';
  readonly failure: RunFailure | null;
}

/** `lost`: CI ended it without a verdict. `distrusted`: from a reporter whose reports of this name do not count. */
export type ReportState = 'passed' | 'failed' | 'lost' | 'running' | 'distrusted';

/** The newest report of one name on one commit. */
export interface StatusFact {
  readonly commit: string;
  readonly kind: 'status' | 'check_run';
  readonly name: string;
  /** The host's id of the app that reported it; null: no app did, or the host does not say. */
  readonly app: string | null;
  readonly state: ReportState;
  readonly reportedAt: Instant;
}

/**
 * The summary of one upload: failed tests on one commit, as known when it was stored. A test that passed in the same
 * upload did not fail, and neither did one whose failures the job forgave.
 */
export interface UploadFact {
  readonly commit: string;
  readonly upload: string;
  /** Failed tests that were known to be flaky, or quarantined. */
  readonly flaky: number;
  /** Other failed tests. */
  readonly others: number;
  /** Names of some of the tests that are known to be flaky. */
  readonly tests: readonly string[];
}

/** A failed run whose uploads showed failures of known flaky tests only. */
export interface SuspectRun {
  readonly run: number;
  /** Names of some of these tests. */
  readonly tests: readonly string[];
  readonly hasMore: boolean;
}

/** A testing branch that somebody else pushed to or deleted. Only reports on the commit of the test run count. */
export interface MovedBranch {
  /** Null: the branch was deleted. */
  readonly commit: string | null;
  /** A login; null: the host did not say. */
  readonly by: string | null;
}
