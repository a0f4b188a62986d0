import type { QueueSettings } from '../../src/engine/model';
import type { EntryState, Mergeability, QueueMode, QueueState, StateReason } from '../../src/engine/vocabulary';

/**
 * The content of one test run, on the target at the time of its build: `T[1,2]` is 2 on top of 1, `T[1,2+3]` is 2 and 3
 * as one batch on top of 1. `S[…]` is the same for a run of a bisection. A later head of a pull request has its letter:
 * `T[1b]`.
 */
export type Tested = `T[${string}]` | `S[${string}]`;

/** A state, with its reason if the state alone is ambiguous: `failed: test_run_timeout`. */
export type Standing = EntryState | `${EntryState}: ${StateReason}`;

/** A pull request's number, or the name of a push to the target that bypasses the queue. */
export type Landed = number | string;

export type Targets = readonly string[] | 'ALL';

/** Absent: one required status, `ci`, and the defaults of a queue. */
export type ScenarioSettings = Partial<QueueSettings> & { readonly mode?: QueueMode };

export interface GivenPullRequest {
  readonly number: number;
  /** Other pull requests, or pushes to the target, with which it conflicts. */
  readonly conflictsWith?: readonly Landed[];
  readonly targets?: Targets;
  readonly base?: string;
  /** The host's answer until a later one; absent: the truth. */
  readonly mergeability?: Mergeability;
}

/** The expected view of the world. Absent fields may have any value. */
export interface Expected {
  readonly states?: Readonly<Record<number, Standing>>;
  /** The content of the target, in order of arrival. */
  readonly target?: readonly Landed[];
  /** All started runs, in order. */
  readonly tested?: readonly Tested[];
  /** Runs without a result so far. */
  readonly testing?: readonly Tested[];
  /** How often the queue moved the target. */
  readonly moves?: number;
  /** A part of the sentence that explains its wait. */
  readonly waitsFor?: Readonly<Record<number, string>>;
  /** Its past states, the oldest first. */
  readonly history?: Readonly<Record<number, readonly EntryState[]>>;
  readonly queue?: QueueState;
}
