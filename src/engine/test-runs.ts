import type { CiEnd } from './ci-end';
import type { Instant, MergeMethod, RequiredStatusesSource, RunKind, RunPhase } from './vocabulary';

/** A pull request at a head, as part of a tree. Two values with the same `entryId` and `head` are the same change. */
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

/** A required status whose reports count only from one app. A status with two pins must pass from both apps. */
export interface StatusPin {
  readonly name: string;
  /** The id of the app at the host. */
  readonly app: string;
}

/** A required status that the tested configuration file no longer requires. */
export interface DroppedStatus {
  readonly name: string;
  /** The usual delay between push and report in the last runs. Null: unknown. */
  readonly usualDelayMs: Instant | null;
}

/** One CI run of the queue, over one or more entries on a base. */
export interface TestRun {
  readonly number: number;
  readonly kind: RunKind;
  readonly phase: RunPhase;
  /** The place of the run's entries in the line; 0 for a run outside the line. */
  readonly place: number;
  /** The number of the run's bisection; null for a run that is not part of a bisection. */
  readonly search: number | null;
  readonly createdAt: Instant;
  readonly base: RunBase;
  /** The changes that the run contains besides the target and `own`, in order. */
  readonly builtOn: readonly QueuedHead[];
  /** The changes that the run tests, in order. */
  readonly own: readonly QueuedHead[];
  readonly mergeMethod: MergeMethod;
  readonly timeoutMinutes: number;
  readonly requiredStatuses: readonly string[];
  readonly requiredStatusesSource: RequiredStatusesSource | null;
  /** The pins of the required statuses, by the rules of the target when the run started. */
  readonly pins: readonly StatusPin[];
  /** Required statuses that the tested changes drop. Absent: none. */
  readonly dropped?: readonly DroppedStatus[];
  /** Set if somebody else moved the testing branch. Absent: nobody did, as far as the host reports. */
  readonly moved?: MovedBranch;
  /** Set if the host reported that CI is done with the commit. Absent: CI is not done, or the host does not say. */
  readonly ciEnd?: CiEnd;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly pushedAt: Instant | null;
  readonly deadline: Instant | null;
  /** When the run first failed and began to wait for uploads that may explain its failure; null: it never has. */
  readonly redSince: Instant | null;
  readonly resultAt: Instant | null;
  readonly failure: RunFailure | null;
  readonly conflict: Conflict | null;
  /**
   * Whether the result comes from an earlier run with the same tree and required statuses, without a test of this run.
   */
  readonly reused: boolean;
  /** Absent in sequential queues. */
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
  /** The undecided part of the run's base: changes that were still under test when the run was built. */
  readonly assumed: readonly QueuedHead[];
  /** The number of the suspect set that the run tests; 0: none. */
  readonly set: number;
  readonly isUrgent: boolean;
  /** The failure streak in which the run began. Absent: an earlier version of Sluice began the run. */
  readonly streak?: number;
}

export interface RunBase extends Tip {
  readonly epoch: number;
  /** How many changes the queue had landed when the run was built. */
  readonly landedSeq: number;
}

/** The files of a merge conflict. */
export interface ConflictingFiles {
  readonly files: readonly string[];
  /**
   * The reason of the conflict by file, unless both sides change the same lines. The key `''` says why `files` is
   * empty. Absent: no reason is known.
   */
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
  /** Set if the statuses did not fail: the pull request drops them from the list, and CI no longer reports them. */
  readonly isDropped?: true;
  /** Set if the statuses did not fail: CI was done with the commit, and had reported these names instead. */
  readonly insteadReported?: readonly string[];
}

interface TimedOut extends FailureTerms {
  readonly type: 'timeout';
  readonly missing: readonly string[];
}

/**
 * CI gave up these statuses without a verdict more often than runs are started again. A failure of this type says
 * nothing about the tree.
 */
interface GivenUp extends FailureTerms {
  readonly type: 'lost';
  readonly names: readonly string[];
}

interface FailureTerms {
  /** `pendingFailureDepth` at the time of the failure; later changes do not affect it. */
  readonly depth: number;
  /** The failure is known from an earlier run of the same tree. */
  readonly reused: boolean;
  /** The moment of the failure, in results of the queue. Absent in flow queues, and if the result is reused. */
  readonly moment?: RedMoment;
}

/** A failed result: its number in the queue, and its streak. A streak is a series of failures between two passes. */
export interface RedMoment {
  readonly result: number;
  readonly streak: number;
  /** The time from the push to the report of the failure. Absent: not known. */
  readonly tested?: Stretch;
}

/** A stretch of time from `from` to `until`. */
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
  /** The entries that are still members, in the order of the batch. */
  readonly members: readonly QueuedHead[];
  /** The newest result for each length of prefix. */
  readonly results: readonly PrefixResult[];
  /** The size of the failed batch. Later batches with its members are smaller. */
  readonly failedSize: number;
  /**
   * The `returnedOrder` of a culprit that passes in isolation, directly behind its prefix. 0 until a culprit is found.
   */
  readonly culpritOrder: number;
  /** The failed tests of the culprit in isolation on the target. Absent: there are none that count. */
  readonly alone?: RedsAlone;
}

/** Failed tests of a pull request in isolation on the target, while the pull request awaits the verdict. */
export interface RedsAlone {
  readonly reds: number;
  /** Whether one of these tests was the first to fail in isolation since a test passed. */
  readonly isFirst: boolean;
  /** The number of failure streaks in which these tests failed. */
  readonly streaks: number;
  /** The moment of the newest of these failures. */
  readonly moment: RedMoment;
  readonly run: number;
}

export interface PrefixResult {
  readonly length: number;
  /** The run with this result. */
  readonly run: number;
  /** `timed_out`: no verdict yet, because the prefix is tested once more before it counts as failed. */
  readonly verdict: 'passed' | 'failed' | 'timed_out';
  readonly failure: RunFailure | null;
}

/** `lost`: CI ended without a verdict. `distrusted`: from a reporter whose reports of this name do not count. */
export type ReportState = 'passed' | 'failed' | 'lost' | 'running' | 'distrusted';

/** The newest report of one name on one commit. */
export interface StatusFact {
  readonly commit: string;
  readonly kind: 'status' | 'check_run';
  readonly name: string;
  /** The id, at the host, of the app that reported the status. Null: no app reported it, or the host does not say. */
  readonly app: string | null;
  readonly state: ReportState;
  readonly reportedAt: Instant;
}

/**
 * The summary of one upload: the number of failed tests on one commit, as known when the upload was stored. A test does
 * not count as failed if it also passed in the same upload, or if the job ignored its failures.
 */
export interface UploadFact {
  readonly commit: string;
  readonly upload: string;
  /** The number of failed tests that were known to be flaky, or were quarantined. */
  readonly flaky: number;
  /** The number of other failed tests. */
  readonly others: number;
  /** Names of some of the tests that are known to be flaky. */
  readonly tests: readonly string[];
}

/** A failed run whose uploads showed failures of known flaky tests only. */
export interface SuspectRun {
  readonly run: number;
  /** The names of some of the flaky tests that failed. */
  readonly tests: readonly string[];
  readonly hasMore: boolean;
}

/** A testing branch that somebody else pushed to or deleted. Only reports on the commit of the test run count. */
export interface MovedBranch {
  /** The commit to which somebody moved the branch; null if the branch was deleted. */
  readonly commit: string | null;
  /** The login of the person who moved the branch; null: the host did not say. */
  readonly by: string | null;
}
