import type { Command } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import type { QueuedHead, QueueSettings, QueueSnapshot, Tip } from '../../../src/engine/model';
import type { Instant, QueueMode } from '../../../src/engine/vocabulary';

/** Disturbances besides submissions, passes and failures. A case says how often each may happen. */
export const DISTURBANCES = ['cancel', 'push', 'inconclusive', 'target moved', 'wrong tree', 'restart'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** The queue, the pull requests and the disturbances of a case. */
export interface ExhaustiveCase {
  readonly name: string;
  readonly entries: number;
  readonly mode: QueueMode;
  readonly settings: Partial<QueueSettings>;
  readonly disturbances: readonly Disturbance[];
  /** How many tests of pull requests may fail. If absent, there is no limit. */
  readonly failures?: number;
  /** The impacted targets of each pull request, for parallel mode. */
  readonly targets: readonly (readonly string[])[];
}

export interface Pull {
  readonly number: number;
  readonly head: string;
  readonly state: 'open' | 'merged';
}

/** Everything that determines the possible moves. States are immutable, so a move makes a new state. */
export interface State {
  /** The queue with all its entries, however many wait. */
  readonly queue: QueueSnapshot;
  readonly now: Instant;
  /** The time at which the queue wants to decide without an event; null if there is no such time. */
  readonly wakeAt: Instant | null;
  readonly pulls: readonly Pull[];
  /** Ordered tasks that are not carried out yet. Tasks of one subject stand in their order. */
  readonly tasks: readonly Command[];
  /** Outcomes of tasks that the queue has not received yet. */
  readonly outcomes: readonly QueueEvent[];
  /** The tip at the host. The queue may not know it yet. */
  readonly tip: Tip;
  /**
   * `left` has the remaining disturbances. `targetFailures` and `failures` say how many tests of the target alone and
   * of pull requests may still fail.
   */
  readonly left: readonly Disturbance[];
  readonly targetFailures: number;
  readonly failures: number;
  /** The commits that passed, and the test runs that failed, as long as the queue uses these results. */
  readonly passed: readonly string[];
  readonly red: readonly RedRun[];
}

interface RedRun {
  readonly run: number;
  /** Names of the tested changes, in the form of `nameOf`. */
  readonly own: readonly string[];
}

export type Step = { readonly state: State } | { readonly problem: string };

/** Whether two pull requests have an impacted target in common. */
export function share({ targets }: ExhaustiveCase, one: number, other: number): boolean {
  return one !== other && (targets[one - 1] ?? []).some((name) => targets[other - 1]?.includes(name));
}

/**
 * Separates the names in a tree. A tree is the list of the names of its changes, so its text is also its id. A commit
 * is written as its tree and its origin.
 */
export const BESIDE = ' ';

/** The name of a change, as trees contain it. */
export function nameOf({ number, head }: Pick<QueuedHead, 'number' | 'head'>): string {
  return `${number}@${head}`;
}

export function treeOfCommit(commit: string): string {
  return commit.split('#')[0] ?? '';
}
