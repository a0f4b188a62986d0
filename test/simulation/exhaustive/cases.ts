import type { QueueSettings } from '../../../src/engine/model';
import { DISTURBANCES, type Disturbance, type ExhaustiveCase } from './state';

const TWO_SLOTS = { concurrency: 2, bisectionConcurrency: 1 } as const;
/** Flow scheduling has one pool of slots, whose size is the sum of these two settings. */
const POOL_OF_TWO = { concurrency: 1, bisectionConcurrency: 1 } as const;

interface Kind {
  readonly name: string;
  readonly mode: ExhaustiveCase['mode'];
  readonly settings: Partial<QueueSettings>;
}

export const KINDS: readonly Kind[] = [
  { name: 'sequential', mode: 'single', settings: TWO_SLOTS },
  { name: 'sequential, batches', mode: 'single', settings: { ...TWO_SLOTS, batch: true, batchingMinSize: 2 } },
  {
    name: 'sequential, failure depth, optimistic merging',
    mode: 'single',
    settings: { ...TWO_SLOTS, pendingFailureDepth: 1, canOptimisticallyMerge: true },
  },
  { name: 'parallel', mode: 'parallel', settings: { ...TWO_SLOTS, canOptimisticallyMerge: true } },
  {
    name: 'flow',
    mode: 'single',
    settings: {
      ...{ ...POOL_OF_TWO, scheduling: 'flow', canOptimisticallyMerge: true, batch: true },
      ...{ batchingMaxWaitTimeMinutes: 0, optimizationMode: 'bisection_skip_redundant_tests' },
    },
  },
];

/** Pull requests 1 and 2 share a target, and 2 and 3 share another target. Pull request 4 shares no target. */
const TARGETS = [['a'], ['a', 'b'], ['b'], ['c']];

export function caseOf(kind: Kind, entries: number, disturbances: readonly Disturbance[]): ExhaustiveCase {
  return { ...kind, entries, disturbances, targets: TARGETS };
}

export interface Rung {
  readonly entries: number;
  readonly disturbances: readonly Disturbance[];
  /** The most states to visit. */
  readonly states: number;
  readonly mustEnd: boolean;
  /** Names of the kinds to play; all kinds if absent. */
  readonly kinds?: readonly string[];
}

/**
 * The cases to explore. Some cases are explored to the end: two pull requests with every disturbance, three with
 * actions of the authors, and four with cancellations. Larger cases follow, up to a limit of states.
 */
export const LADDER: readonly Rung[] = [
  { entries: 2, disturbances: DISTURBANCES, states: 500_000, mustEnd: true },
  { entries: 3, disturbances: ['cancel', 'push'], states: 500_000, mustEnd: true },
  { entries: 4, disturbances: ['cancel'], states: 600_000, mustEnd: true },
  { entries: 3, disturbances: DISTURBANCES, states: 100_000, mustEnd: false },
];
