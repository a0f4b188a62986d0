import type { QueuedHead, SuspectRun, Tip } from './test-runs';
import type { Instant } from './vocabulary';

/** What the queue put on the target since the oldest base in flight. */
export interface LandedChange extends QueuedHead {
  readonly seq: number;
  readonly epoch: number;
  /** Number of the landing that it came in. Absent: not known. */
  readonly landing?: number;
}

/** An ordered landing whose outcome is not known yet: its runs count as landed for everything that starts. */
export interface Landing {
  readonly number: number;
  /** In the order in which they land; the last one proved them. */
  readonly runs: readonly number[];
  /** In flow: what lands, in order. Absent: what the runs test themselves. */
  readonly changes?: readonly QueuedHead[];
  readonly expectedTip: Tip;
  readonly orderedAt: Instant;
}

/** A window of time in which nothing lands. `from` in the past: it has begun. */
export interface Freeze {
  readonly from: Instant;
  readonly until: Instant;
  readonly exceptPriorityAtMost: number | null;
  /** The windows leave no time at which what it holds may land: `until` is when they are looked at again. */
  readonly isEndless?: true;
}

/** So many pull requests landed at that moment. */
export interface MergedLately {
  readonly at: Instant;
  readonly count: number;
}

/** A commit that the host made of a pull request, with another tree than a merge gives on the commit below it. */
export interface WrongTree {
  readonly number: number;
  readonly commit: string;
  /** Ids of trees. */
  readonly expected: string;
  readonly found: string;
  /** Some of the paths that differ. */
  readonly files: readonly string[];
  /** What `git apply` makes the expected tree of; null: it is too long. */
  readonly patch: string | null;
}

/**
 * What a landing left on the target that nobody tested: a host that merges one pull request at a time refused the next one, wrote
 * other content, or somebody pushed in between.
 */
export interface PartialLanding {
  readonly landing: number;
  /** Numbers of the pull requests that landed, in order. */
  readonly landed: readonly number[];
  /** Why the rest did not. */
  readonly why: string;
  /** Why what landed is red by itself; null while that is not known. */
  readonly problem: string | null;
  /** Of those that landed. Absent: none is wrong. */
  readonly wrongTrees?: readonly WrongTree[];
  /** All of the run has merged, on top of something that was not tested with it. */
  readonly isMixed?: true;
  /** How often the test of what landed was lost, and started again. Absent: never. */
  readonly timesLost?: number;
  /** The test of what landed that was suspect. Absent: none was. */
  readonly suspectRun?: SuspectRun;
}
