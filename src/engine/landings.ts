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
}

/** So many pull requests landed at that moment. */
export interface MergedLately {
  readonly at: Instant;
  readonly count: number;
}

/** What a host that merges one pull request at a time has taken of a run before it refused the next. */
export interface PartialLanding {
  readonly landing: number;
  /** Numbers of the pull requests that landed, in order. */
  readonly landed: readonly number[];
  /** Why the rest did not. */
  readonly why: string;
  /** Why what landed is red by itself; null while that is not known. */
  readonly problem: string | null;
  /** How often the test of what landed was lost, and started again. Absent: never. */
  readonly timesLost?: number;
  /** The test of what landed that was suspect. Absent: none was. */
  readonly suspectRun?: SuspectRun;
}
