import type { CiEnd } from './ci-end';
import type { Instant, MergeMethod, RequiredStatusesSource, RunKind, RunPhase } from './vocabulary';

/** One change of the target: a pull request at a head. Two are the same when both fields are. */
export interface QueuedHead {
  readonly entryId: string;
  readonly number: number;
  readonly head: string;
  /** In flow: the entry's when it was tested. Absent: 0. */
  readonly generation?: number;
}

export interface Tip {
  readonly commit: string;
  readonly tree: string;
}

/** A required status that counts only from one app. One that is pinned twice has to pass from both. */
export interface StatusPin {
  readonly name: string;
  /** The host's id of the app. */
  readonly app: string;
}

/** A required status that the tested configuration file does not require any more. */
export interface DroppedStatus {
  readonly name: string;
  /** From the push to its report, in the last runs. Null: nobody knows. */
  readonly usualDelayMs: Instant | null;
}

/** One CI run of the queue, over one or more entries on a base. */
export interface TestRun {
  readonly number: number;
  readonly kind: RunKind;
  readonly phase: RunPhase;
  /** Of its entries in the line; 0 beside the line. */
  readonly place: number;
  /** The culprit search it is part of; null in the line. */
  readonly search: number | null;
  readonly createdAt: Instant;
  readonly base: RunBase;
  /** What it is built on beyond its base, in order. */
  readonly builtOn: readonly QueuedHead[];
  /** Its own entries, in order. */
  readonly own: readonly QueuedHead[];
  readonly mergeMethod: MergeMethod;
  readonly timeoutMinutes: number;
  readonly requiredStatuses: readonly string[];
  readonly requiredStatusesSource: RequiredStatusesSource | null;
  /** Of its required statuses, by the rules of the target when it started. */
  readonly pins: readonly StatusPin[];
  /** Those that what it tests takes off the list. Absent: none. */
  readonly dropped?: readonly DroppedStatus[];
  /** Where somebody else moved its testing branch to. Absent: nobody did, as far as the host told. */
  readonly moved?: MovedBranch;
  /** What the code host said when CI was done with its commit. Absent: CI is not, or the host does not say. */
  readonly ciEnd?: CiEnd;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly pushedAt: Instant | null;
  readonly deadline: Instant | null;
  /** Since when uploads are awaited that may say why it is red; null: none are, or never were. */
  readonly redSince: Instant | null;
  readonly resultAt: Instant | null;
  readonly failure: RunFailure | null;
  readonly conflict: Conflict | null;
  /** Its result is an earlier run's, of the same tree and required statuses; it was not tested itself. */
  readonly reused: boolean;
  /** Only in flow. */
  readonly flow?: FlowRun;
}

/**
 * `group`: entries that waited. `half`: the first half of a set of suspects. `alone`: one suspect, or an urgent one, on the
 * bare target. `check`: those that passed beside others, together. `target`: the target as it is.
 */
export type FlowRole = 'group' | 'half' | 'alone' | 'check' | 'target';

/** What flow knows of a test run. */
export interface FlowRun {
  readonly role: FlowRole;
  /** Part of what it is built on: still under test when it was built. */
  readonly hopes: readonly QueuedHead[];
  /** The set of suspects that it tests; 0: none. */
  readonly set: number;
  readonly isUrgent: boolean;
  /** The streak of red tests in which it began. Absent: an earlier version began it. */
  readonly streak?: number;
}

export interface RunBase extends Tip {
  readonly epoch: number;
  /** How many changes the queue had landed when the run was built. */
  readonly landedSeq: number;
}

/** What cannot be merged. */
export interface ConflictingFiles {
  readonly files: readonly string[];
  /** By file: why, unless both sides change the same lines. By `''`: why there are no files. Absent: nothing more is known. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface Conflict extends ConflictingFiles {
  /** The number of the pull request ahead that it conflicts with. */
  readonly with: number;
}

export type RunFailure = RedStatuses | TimedOut | GivenUp;

interface RedStatuses extends FailureTerms {
  readonly type: 'status';
  readonly names: readonly string[];
  /** They did not fail: the pull request takes them off the list, and CI reports them no more. */
  readonly isDropped?: true;
  /** They did not fail: CI was done with the commit, and reported these names instead. */
  readonly insteadReported?: readonly string[];
}

interface TimedOut extends FailureTerms {
  readonly type: 'timeout';
  readonly missing: readonly string[];
}

/** CI gave up these without a verdict, once too often. It says nothing about the tree. */
interface GivenUp extends FailureTerms {
  readonly type: 'lost';
  readonly names: readonly string[];
}

interface FailureTerms {
  /** `pendingFailureDepth` as it was when the run failed; it keeps that. */
  readonly depth: number;
  /** Known from an earlier run of the same tree. */
  readonly reused: boolean;
  /** When it was red, as the queue counts. Absent: in flow, or not a test of this run. */
  readonly moment?: RedMoment;
}

/** Which result of the queue a red test was, and in which streak. A streak is what was red between two passes. */
export interface RedMoment {
  readonly result: number;
  readonly streak: number;
  /** From its push to the report that it is red. Absent: nobody noted that. */
  readonly tested?: Stretch;
}

/** From a moment to another one. */
export interface Stretch {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * Which entry of a red batch is to blame: prefixes of it are tested on one base. `whole`: the batch is tested once more
 * before anything is searched. `culprit`: the one that was found is tested alone, on the target of that moment.
 */
export interface CulpritSearch {
  readonly number: number;
  readonly stage: 'whole' | 'prefixes' | 'culprit';
  readonly base: RunBase;
  /** In the order of the batch. */
  readonly members: readonly QueuedHead[];
  /** At most one per length. */
  readonly results: readonly PrefixResult[];
  /** Size of the failed batch: its members are only put in smaller ones from then on. */
  readonly failedSize: number;
  /** Where a culprit that passes alone stands: directly behind its prefix. 0 until one is found. */
  readonly culpritOrder: number;
  /** Its red tests alone on the target so far. Absent: there are none, or they say nothing any more. */
  readonly alone?: RedsAlone;
}

/** Red tests of one pull request alone on the target, which it was not failed for yet. */
export interface RedsAlone {
  readonly reds: number;
  /** One of them was the first red test alone since something had passed. */
  readonly isFirst: boolean;
  /** How many streaks they were part of. */
  readonly streaks: number;
  /** Of the newest one. */
  readonly moment: RedMoment;
  readonly run: number;
}

export interface PrefixResult {
  readonly length: number;
  /** The run that said so. */
  readonly run: number;
  /** `timed_out`: to be tested once more before it counts as failed. */
  readonly verdict: 'passed' | 'failed' | 'timed_out';
  readonly failure: RunFailure | null;
}

/** `lost`: CI gave it up without a verdict. `distrusted`: somebody reported it whose reports of the name do not count. */
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
 * What one upload of test results said of the tests that failed on one commit, when it was stored. A test that passed in
 * the same upload did not fail, and one whose failures the job forgave did not either.
 */
export interface UploadFact {
  readonly commit: string;
  readonly upload: string;
  /** How many failed that were known to be flaky, or quarantined. */
  readonly flaky: number;
  /** How many others failed. */
  readonly others: number;
  /** Names of some of those known to be flaky. */
  readonly tests: readonly string[];
}

/** A red run whose uploads showed failures of known flaky tests only. */
export interface SuspectRun {
  readonly run: number;
  /** Names of some of those tests. */
  readonly tests: readonly string[];
  readonly hasMore: boolean;
}

/** A testing branch that somebody else pushed to or deleted. Only reports on the commit of the test run count. */
export interface MovedBranch {
  /** Null: it was deleted. */
  readonly commit: string | null;
  /** A login; null: the host did not say. */
  readonly by: string | null;
}
