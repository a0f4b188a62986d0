import type { QueueSettings } from '../../src/engine/model';
import type { EntryState, Mergeability, QueueMode, QueueState, StateReason } from '../../src/engine/vocabulary';

/**
 * The content of one test run, without the target at the time of its build. `T[1,2]` is pull request 2 on top of 1, and
 * `T[1,2+3]` is the batch of 2 and 3 on top of 1. `S[…]` is a run of a bisection. A later head of a pull request has a
 * letter, as in `T[1b]`.
 */
export type Tested = `T[${string}]` | `S[${string}]`;

/** The state of a pull request, with its reason if the state alone is ambiguous: `failed: test_run_timeout`. */
export type Standing = EntryState | `${EntryState}: ${StateReason}`;

/** A landed change: a pull request's number, or the name of a push that bypasses the queue. */
export type Landed = number | string;

export type Targets = readonly string[] | 'ALL';

/** The settings of the queue. An absent setting has its default; the default required status is `ci`. */
export type ScenarioSettings = Partial<QueueSettings> & { readonly mode?: QueueMode };

export interface GivenPullRequest {
  readonly number: number;
  /** The pull requests, and the pushes to the target, with which this pull request conflicts. */
  readonly conflictsWith?: readonly Landed[];
  readonly targets?: Targets;
  readonly base?: string;
  /** The mergeability that the host answers until it gives another answer. Absent if the host answers the truth. */
  readonly mergeability?: Mergeability;
}

/** The expected view of the world. Absent fields may have any value. */
export interface Expected {
  readonly states?: Readonly<Record<number, Standing>>;
  /** The changes on the target, in the order in which they arrived. */
  readonly target?: readonly Landed[];
  /** All started runs, in order. */
  readonly tested?: readonly Tested[];
  /** Runs without a result so far. */
  readonly testing?: readonly Tested[];
  /** How often the queue has moved the target. */
  readonly moves?: number;
  /** For the number of a pull request, a part of the sentence that explains why the pull request waits. */
  readonly waitsFor?: Readonly<Record<number, string>>;
  /** For the number of a pull request, its past states, the oldest first. */
  readonly history?: Readonly<Record<number, readonly EntryState[]>>;
  readonly queue?: QueueState;
}
