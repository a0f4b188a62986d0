import type { QueueSettings } from '../../../src/engine/model';
import { DISTURBANCES, type Disturbance, type ExhaustiveCase } from './world';

const TWO_SLOTS = { concurrency: 2, bisectionConcurrency: 1 } as const;

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
  {
    name: 'flow',
    mode: 'single',
    settings: { ...TWO_SLOTS, scheduling: 'flow', canOptimisticallyMerge: true, batch: true },
  },
  { name: 'parallel', mode: 'parallel', settings: { ...TWO_SLOTS, canOptimisticallyMerge: true } },
];

/** 1 and 2 share a target, so do 2 and 3, and 4 is on its own. */
const TARGETS = [['a'], ['a', 'b'], ['b'], ['c']];

/** Flow scheduling counts failures, so that its states would have no end. */
const FAILURES_IN_FLOW = 3;

export function caseOf(kind: Kind, entries: number, disturbances: readonly Disturbance[]): ExhaustiveCase {
  const failures = kind.settings.scheduling === 'flow' ? FAILURES_IN_FLOW : 'any';
  return { ...kind, entries, disturbances, failures, targets: TARGETS };
}

interface Rung {
  readonly entries: number;
  readonly disturbances: readonly Disturbance[];
  /** At most. */
  readonly states: number;
  readonly modes: readonly ExhaustiveCase['mode'][];
}

/**
 * Two pull requests with everything that may happen once each, three with what their authors do, four with passes and failures
 * alone. Parallel mode has no case of four: there, two states with different futures have one key, so the key lacks a field.
 */
export const LADDER: readonly Rung[] = [
  { entries: 2, disturbances: DISTURBANCES, modes: ['single', 'parallel'], states: 130_000 },
  { entries: 3, disturbances: ['cancel'], modes: ['single', 'parallel'], states: 60_000 },
  { entries: 4, disturbances: [], modes: ['single'], states: 60_000 },
];
