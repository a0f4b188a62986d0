import type { Command } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import type { QueuedHead, QueueSettings, QueueSnapshot, Tip } from '../../../src/engine/model';
import type { Instant, QueueMode } from '../../../src/engine/vocabulary';

/** What happens beside submissions, passes and failures: each so often as a case allows. */
export const DISTURBANCES = ['cancel', 'push', 'inconclusive', 'target moved', 'wrong tree', 'restart'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Which queue, which pull requests, and what may happen. */
export interface ExhaustiveCase {
  readonly name: string;
  readonly entries: number;
  readonly mode: QueueMode;
  readonly settings: Partial<QueueSettings>;
  readonly disturbances: readonly Disturbance[];
  /** How many tests of pull requests may fail. Absent: however many. */
  readonly failures?: number;
  /** In parallel mode: the impacted targets of each pull request. */
  readonly targets: readonly (readonly string[])[];
}

export interface Pull {
  readonly number: number;
  readonly head: string;
  readonly state: 'open' | 'merged';
}

/** All that decides what may happen next. Nothing in it ever changes: a move makes a new one. */
export interface State {
  /** With everything in it, however much waits. */
  readonly queue: QueueSnapshot;
  readonly now: Instant;
  /** When the queue wants to decide by itself; null: never. */
  readonly wakeAt: Instant | null;
  readonly pulls: readonly Pull[];
  /** Ordered, and not carried out. Those of one subject in order. */
  readonly tasks: readonly Command[];
  /** What became of tasks, as long as the queue has not heard it. */
  readonly outcomes: readonly QueueEvent[];
  /** At the host, as the queue may not know it yet. */
  readonly tip: Tip;
  /** What may still go wrong: these, and how many tests, of the target alone and of pull requests. */
  readonly left: readonly Disturbance[];
  readonly targetFailures: number;
  readonly failures: number;
  /** Commits that passed, and test runs that failed, as long as the queue goes by them. */
  readonly passed: readonly string[];
  readonly red: readonly RedRun[];
}

interface RedRun {
  readonly run: number;
  /** Names of what it tested, as they stand in trees. */
  readonly own: readonly string[];
}

export type Step = { readonly state: State } | { readonly problem: string };

/** Whether two pull requests have an impacted target in common. */
export function share({ targets }: ExhaustiveCase, one: number, other: number): boolean {
  return one !== other && (targets[one - 1] ?? []).some((name) => targets[other - 1]?.includes(name));
}

/** A tree is written as the names of what it holds, so that it is its own id. A commit names its tree and what made it. */
export const BESIDE = ' ';

/** As it stands in trees. */
export function nameOf({ number, head }: Pick<QueuedHead, 'number' | 'head'>): string {
  return `${number}@${head}`;
}

export function treeOfCommit(commit: string): string {
  return commit.split('#')[0] ?? '';
}
