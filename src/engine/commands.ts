import type { Instant, MergeMethod, RunKind } from './vocabulary';
import type { QueuedHead, RunFailure, Tip } from './model';

/** An order to the outside: data, written to the outbox in the deciding transaction, carried out at least once. */
export type Command = StartTestRun | StopTestRun | LandRun;

export interface StartTestRun {
  readonly type: 'startTestRun';
  readonly run: number;
  /** Absent in tasks that version 0.1.0 stored. */
  readonly kind?: RunKind;
  /** The tip it is built on: the target's as the queue last saw it; in a culprit search, the one the search began on. */
  readonly target: Tip;
  /** The target may have moved on from there: a culprit search keeps its base. */
  readonly keepsBase: boolean;
  /** The tree that a landing under way may have put there: for this run the target has then not moved. */
  readonly landingTree: string | null;
  /** The commit to merge onto: the tip, or the candidate of the run ahead, which then contains `builtOn`. */
  readonly onto: { readonly commit: string; readonly contains: readonly QueuedHead[] };
  /** Merged onto that, in order, before its own. */
  readonly builtOn: readonly QueuedHead[];
  readonly own: readonly QueuedHead[];
  /** The number that its branch is named after: its first pull request, or the last one of a partial landing. */
  readonly about: number | null;
  readonly mergeMethod: MergeMethod;
  readonly createdAt: Instant;
  /** Set by hand on the queue; empty: read from the base's file, else from the host. */
  readonly requiredStatuses: readonly string[];
  /** A result of the same tree and required statuses in this repository since then counts; null: none does. */
  readonly reuseSince: Instant | null;
}

/** Stops what runs for a test run and removes its branch. */
export interface StopTestRun {
  readonly type: 'stopTestRun';
  readonly run: number;
  readonly because: 'ended' | 'passed' | 'failed';
  readonly failure: RunFailure | null;
}

export interface DirectMerge {
  /** Set by hand on the queue; empty: read from the tip's file, else from the host. */
  readonly requiredStatuses: readonly string[];
}

export interface LandRun {
  readonly type: 'landRun';
  readonly landing: number;
  readonly runs: readonly number[];
  /** In the order in which they land. */
  readonly changes: readonly QueuedHead[];
  readonly expectedTip: Tip;
  /** Of a direct merge: its head. */
  readonly testedCommit: string;
  /** Names that had to pass on that commit. Absent: its result is an earlier run's, or there was no run. */
  readonly reportedStatuses?: readonly string[];
  /** The tree that the target must have afterwards; null in lanes and of a direct merge. */
  readonly testedTree: string | null;
  /** A direct merge: lands only if its head contains the expected tip and its own required statuses passed. */
  readonly direct: DirectMerge | null;
  readonly mergeMethod: MergeMethod;
  readonly orderedAt: Instant;
  /** From then on a freeze would hold it: what has not landed by then is decided on again. Absent: nothing will. */
  readonly notAfter?: Instant;
}

/** Unique for a command of one attempt: every attempt has runs with new numbers. */
export function commandKey(queueId: string, command: Command): string {
  switch (command.type) {
    case 'startTestRun':
    case 'stopTestRun':
      return `${queueId}/${command.type}/${command.run}`;
    case 'landRun':
      return `${queueId}/landRun/${command.landing}`;
  }
}

/** Commands of one subject are carried out in order: a run is stopped only after the outcome of its start. */
export function commandSubject(queueId: string, command: Command): string {
  switch (command.type) {
    case 'startTestRun':
    case 'stopTestRun':
      return `${queueId}/run/${command.run}`;
    case 'landRun':
      return `${queueId}/target`;
  }
}
