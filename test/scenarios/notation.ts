import type { QueueSettings } from '../../src/engine/model';
import type { EntryState, Mergeability, QueueMode, QueueState, StateReason } from '../../src/engine/vocabulary';

/**
 * What one test run tested, on the target of the moment it was built: `T[1,2]` is 2 on top of 1, `T[1,2+3]` is 2 and 3
 * as one batch on top of 1. `S[…]` is the same for a run of a culprit search. A head that is not a pull request's first
 * one carries its letter: `T[1b]`.
 */
export type Tested = `T[${string}]` | `S[${string}]`;

/** A state, with its reason where the state alone does not tell: `failed: test_run_timeout`. */
export type Standing = EntryState | `${EntryState}: ${StateReason}`;

/** A pull request by its number, or what was pushed to the target past the queue. */
export type Landed = number | string;

export type Targets = readonly string[] | 'ALL';

/** Absent: one required status, `ci`, and the defaults of a queue. */
export type ScenarioSettings = Partial<QueueSettings> & { readonly mode?: QueueMode };

export interface GivenPullRequest {
  readonly number: number;
  /** Other pull requests, or pushes to the target, that it cannot be merged onto. */
  readonly conflictsWith?: readonly Landed[];
  readonly targets?: Targets;
  readonly base?: string;
  /** The host's word, until it says something else; absent: what is true. */
  readonly mergeability?: Mergeability;
}

/** What a look at the world must show; what is left out may be anything. */
export interface Expected {
  readonly states?: Readonly<Record<number, Standing>>;
  /** What is on the target, in the order it came there. */
  readonly target?: readonly Landed[];
  /** Every run that was started so far, in the order of their start. */
  readonly tested?: readonly Tested[];
  /** The runs whose results are awaited now. */
  readonly testing?: readonly Tested[];
  /** How often the queue moved the target. */
  readonly moves?: number;
  /** What the sentence that says why it waits speaks of. */
  readonly waitsFor?: Readonly<Record<number, string>>;
  /** The states it went through, the oldest first. */
  readonly history?: Readonly<Record<number, readonly EntryState[]>>;
  readonly queue?: QueueState;
}
