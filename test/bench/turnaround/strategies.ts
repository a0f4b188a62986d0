import type { QueueSettings, QueueSnapshot } from '../../../src/engine/model';
import type { QueueMode } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';

export interface Strategy {
  readonly name: string;
  readonly mode: QueueMode;
  readonly settings: Partial<QueueSettings>;
}

const SHAPES: readonly Strategy[] = [
  { name: 'sequential', mode: 'single', settings: {} },
  { name: 'sequential, by chance', mode: 'single', settings: { lineDepth: 'by_chance' } },
  { name: 'sequential, batch 4', mode: 'single', settings: { batch: true, batchingMinSize: 4 } },
  { name: 'sequential, batch 8', mode: 'single', settings: { batch: true, batchingMinSize: 8 } },
  { name: 'parallel', mode: 'parallel', settings: {} },
  { name: 'parallel, batch 4', mode: 'parallel', settings: { batch: true, batchingMinSize: 4 } },
];

const OPTIMISTIC = { canOptimisticallyMerge: true, pendingFailureDepth: 1 };

export const STRATEGIES: readonly Strategy[] = SHAPES.flatMap((shape) => [
  shape,
  { ...shape, name: `${shape.name}, optimistic`, settings: { ...shape.settings, ...OPTIMISTIC } },
]);

/**
 * The share of machines for bisections, which batches need. Every strategy has the same number of machines in total.
 */
const SEARCH_SHARE = 0.1;
/** A passed run that waits for the runs ahead of it holds no slot, but counts as in flight. */
const IN_FLIGHT_PER_SLOT = 2;

export function queueOf({ mode, settings }: Strategy, slots: number): QueueSnapshot {
  const bisectionConcurrency = settings.batch ? Math.max(1, Math.round(SEARCH_SHARE * slots)) : 1;
  const concurrency = settings.batch ? Math.max(1, slots - bisectionConcurrency) : slots;
  const optimizationMode = 'bisection_skip_redundant_tests' as const;
  const full = { ...DEFAULT_SETTINGS, optimizationMode, concurrency, bisectionConcurrency, ...settings };
  const limits = { runsInFlight: IN_FLIGHT_PER_SLOT * slots, batchSize: 100, treeReuseHours: 24 };
  return { ...emptyQueue(full, null), mode, limits };
}
