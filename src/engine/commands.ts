import type { Instant, MergeMethod, RunKind } from './vocabulary';
import type { QueuedHead, RunFailure, Tip } from './model';

/** A task outside the engine: data, written to the outbox in the deciding transaction, carried out at least once. */
export type Command = StartTestRun | StopTestRun | LandRun;

export interface StartTestRun {
  readonly type: 'startTestRun';
  readonly run: number;
  /** Absent in tasks that version 0.1.0 stored. */
  readonly kind?: RunKind;
  /**
   * The tip to build on: the target's tip that the queue last saw, or in a bisection the tip at which the bisection
   * began.
   */
  readonly target: Tip;
  /** Whether the run is built even if the target has moved on, because a bisection keeps its base. */
  readonly keepsBase: boolean;
  /**
   * The tree that a landing under way may have put on the target. If the target has this tree, it has not moved for
   * this run.
   */
  readonly landingTree: string | null;
  /**
   * The commit to merge onto: the tip, or the candidate of the run ahead, which already contains the heads of
   * `contains`.
   */
  readonly onto: { readonly commit: string; readonly contains: readonly QueuedHead[] };
  /** The heads to merge onto `onto`, in this order, before `own`. */
  readonly builtOn: readonly QueuedHead[];
  readonly own: readonly QueuedHead[];
  /**
   * The number in the name of the branch: the first pull request of the run, or the last pull request of a partial
   * landing.
   */
  readonly about: number | null;
  readonly mergeMethod: MergeMethod;
  readonly createdAt: Instant;
  /**
   * The statuses that are set manually on the queue. Empty: they are read from the configuration file of the base, else
   * from the host.
   */
  readonly requiredStatuses: readonly string[];
  /**
   * A result of the same tree and required statuses in this repository counts if it is not older than this time. Null:
   * no earlier result counts.
   */
  readonly reuseSince: Instant | null;
}

/** Stops the CI of a test run and removes its branch. */
export interface StopTestRun {
  readonly type: 'stopTestRun';
  readonly run: number;
  readonly because: 'ended' | 'passed' | 'failed';
  readonly failure: RunFailure | null;
}

export interface DirectMerge {
  /**
   * The statuses that are set manually on the queue. Empty: they are read from the configuration file of the tip, else
   * from the host.
   */
  readonly requiredStatuses: readonly string[];
}

export interface LandRun {
  readonly type: 'landRun';
  readonly landing: number;
  readonly runs: readonly number[];
  /** The pull requests to land, in the order in which they land. */
  readonly changes: readonly QueuedHead[];
  readonly expectedTip: Tip;
  /** The candidate that passed; for a direct merge, the head of the pull request. */
  readonly testedCommit: string;
  /**
   * The statuses that had to pass on the tested commit. Absent: the result is from an earlier run, or there was no run.
   */
  readonly reportedStatuses?: readonly string[];
  /** The tree that the target must have after the landing; null in parallel mode and for a direct merge. */
  readonly testedTree: string | null;
  /** A direct merge lands only if its head contains the expected tip and its own required statuses passed. */
  readonly direct: DirectMerge | null;
  readonly mergeMethod: MergeMethod;
  readonly orderedAt: Instant;
  /**
   * The time from which a freeze forbids the landing: after it, nothing is landed and the queue decides again. Absent:
   * no freeze is coming.
   */
  readonly notAfter?: Instant;
}

/** Unique for one command of one attempt: every attempt has runs with new numbers. */
export function commandKey(queueId: string, command: Command): string {
  switch (command.type) {
    case 'startTestRun':
    case 'stopTestRun':
      return `${queueId}/${command.type}/${command.run}`;
    case 'landRun':
      return `${queueId}/landRun/${command.landing}`;
  }
}

/** The outbox carries out commands of one subject in order: it stops a run only after the outcome of its start. */
export function commandSubject(queueId: string, command: Command): string {
  switch (command.type) {
    case 'startTestRun':
    case 'stopTestRun':
      return `${queueId}/run/${command.run}`;
    case 'landRun':
      return `${queueId}/target`;
  }
}
