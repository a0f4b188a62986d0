import type { QueuedHead, SuspectRun, Tip } from './test-runs';
import type { Instant } from './vocabulary';

/** A change that the queue has landed since the oldest base in flight was built. */
export interface LandedChange extends QueuedHead {
  readonly seq: number;
  readonly epoch: number;
  /** The number of the landing with this change. Absent: not known. */
  readonly landing?: number;
}

/** An ordered landing whose outcome is not known yet. Runs that start meanwhile treat its changes as landed. */
export interface Landing {
  readonly number: number;
  /** The runs in the order in which they land. The last of these runs proved the earlier runs. */
  readonly runs: readonly number[];
  /**
   * Flow scheduling: the changes that land, in order. Absent in sequential scheduling, where the own changes of `runs`
   * land.
   */
  readonly changes?: readonly QueuedHead[];
  readonly expectedTip: Tip;
  readonly orderedAt: Instant;
}

/** A window of time in which nothing lands. `from` in the past: it has begun. */
export interface Freeze {
  readonly from: Instant;
  readonly until: Instant;
  readonly exceptPriorityAtMost: number | null;
  /**
   * Set if the freeze windows leave no time at which the entries may land. `until` is then the time of the next check.
   */
  readonly isEndless?: true;
}

/** One landing: its time, and the number of pull requests that it landed. */
export interface MergedLately {
  readonly at: Instant;
  readonly count: number;
}

/**
 * A commit that the host made for a pull request, with another tree than the merge of the pull request onto the commit
 * below gives.
 */
export interface WrongTree {
  readonly number: number;
  readonly commit: string;
  /** The ids of the expected tree and of the found tree. */
  readonly expected: string;
  readonly found: string;
  /** Some of the paths that differ. */
  readonly files: readonly string[];
  /** The patch by which `git apply` turns the found tree into the expected one; null: it is too long. */
  readonly patch: string | null;
}

/**
 * An untested tree that a landing left on the target: a host that merges one pull request at a time refused a later
 * pull request or wrote other content, or somebody pushed in between.
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
  /** Set if the whole run has merged, but on top of changes with which it was not tested. */
  readonly isMixed?: true;
  /** How often the test of the landed part was inconclusive, and started again. Absent: never. */
  readonly timesLost?: number;
  /** The suspect test run of the landed part. Absent: none. */
  readonly suspectRun?: SuspectRun;
}
