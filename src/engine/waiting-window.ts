import { isAnyAreaShared } from './flow-state';
import type { QueueSnapshot, TestRun } from './model';
import { standsInLine } from './policy/line';
import { holdsSlot } from './states';

/** The first waiting entries may all be blocked in one lane, or conflict with tested ones: so more are loaded. */
const FURTHER = 4;
/**
 * Parallel mode: a free slot goes to the entry with the soonest turn: few undecided entries ahead of it count for it.
 */
const FURTHER_IN_LANES = 16;
const FURTHER_AT_MOST = 500;

/** The parts of a queue that say how many waiting entries a decision may read. */
export interface WindowFacts extends Pick<QueueSnapshot, 'mode' | 'flow' | 'limits'> {
  readonly settings: Pick<
    QueueSnapshot['settings'],
    'scheduling' | 'concurrency' | 'bisectionConcurrency' | 'batch' | 'batchingMinSize'
  >;
}

/** How many runs may test waiting entries at a time. */
export function slotsOfWaiting({ settings, limits }: WindowFacts): number {
  const { scheduling, concurrency, bisectionConcurrency } = settings;
  const pool = scheduling === 'flow' ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  return Math.min(pool, limits.runsInFlight);
}

/** Whether a run takes one of these slots. In flow scheduling, tests of suspects do, too. */
export function takesSlotOfWaiting(
  { scheduling }: Pick<WindowFacts['settings'], 'scheduling'>,
  run: Pick<TestRun, 'kind' | 'phase' | 'resultAt'>,
): boolean {
  return (scheduling === 'flow' || standsInLine(run)) && holdsSlot(run);
}

/**
 * The number of waiting entries that a decision may read, in their order: as many as could start, and one. With all
 * slots in use, as if one were free. `withNeeds` entries have dependencies that may block them: so many more are read.
 */
export function waitingWindow(queue: WindowFacts, slotsInUse: number, withNeeds: number): number {
  const { mode, flow, settings, limits } = queue;
  const perRun = settings.batch ? Math.min(settings.batchingMinSize, limits.batchSize) : 1;
  const window = Math.max(slotsOfWaiting(queue) - slotsInUse, 1) * perRun + 1;
  const areAreasShared = settings.scheduling === 'flow' && flow !== undefined && isAnyAreaShared(flow);
  if (mode !== 'parallel' && !areAreasShared) return window + withNeeds;
  const further = mode === 'parallel' ? FURTHER_IN_LANES : FURTHER;
  return Math.min(window * further, FURTHER_AT_MOST) + withNeeds;
}
