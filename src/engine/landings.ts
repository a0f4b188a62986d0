import type { QueuedHead, SuspectRun, Tip } from './test-runs';
import type { Instant } from './vocabulary';

/** A change that the queue put on the target since the oldest base in flight. */
export interface LandedChange extends QueuedHead {
  readonly seq: number;
  readonly epoch: number;
  /** Number of its landing. Absent: not known. */
  readonly landing?: number;
}

/** An ordered landing whose outcome is not known yet: its runs count as landed for everything that starts. */
export interface Landing {
  readonly number: number;
  /** In the order in which they land; the last one proved them. */
  readonly runs: readonly number[];
  /** Flow scheduling: the changes that land, in order. Absent: the own changes of the runs. */
  readonly changes?: readonly QueuedHead[];
  readonly expectedTip: Tip;
  readonly orderedAt: Instant;
}

/** A window of time in which nothing lands. `from` in the past: it has begun. */
export interface Freeze {
  readonly from: Instant;
  readonly until: Instant;
  readonly exceptPriorityAtMost: number | null;
  /** The windows leave no time at which the held entries may land: `until` is the time of the next look. */
  readonly isEndless?: true;
}

/** The number of pull requests that landed at that moment. */
export interface MergedLately {
  readonly at: Instant;
  readonly count: number;
}

/** A commit that the host made for a pull request, with another tree than a merge onto the commit below gives. */
export interface WrongTree {
  readonly number: number;
  readonly commit: string;
  /** Tree ids. */
  readonly expected: string;
  readonly found: string;
  /** Some of the paths that differ. */
  readonly files: readonly string[];
  /** The patch by which `git apply` turns the found tree into the expected one; null: it is too long. */
  readonly patch: string | null;
}

/**
 * An untested tree that a landing left on the target. A host that merges one pull request at a time refused the next
 * one, wrote other content, or somebody pushed in between.
 */
export interface PartialLanding {
  readonly landing: number;
  /** Numbers of the pull requests that landed, in order. */
  readonly landed: readonly number[];
  /** Why the other pull requests of the run did not land. */
  readonly why: string;
  /** Why the landed part fails on the target; null while that is not known. */
  readonly problem: string | null;
  /** The wrong trees among the landed commits. Absent: none. */
  readonly wrongTrees?: readonly WrongTree[];
  /** All of the run has merged, on top of something that was not tested with it. */
  readonly isMixed?: true;
  /** How often the test of the landed part was inconclusive, and started again. Absent: never. */
  readonly timesLost?: number;
  /** The suspect test run of the landed part. Absent: none. */
  readonly suspectRun?: SuspectRun;
}
