import { isAnyAreaShared } from './flow-state';
import type { QueueSnapshot, TestRun } from './model';
import { standsInLine } from './policy/line';
import { holdsSlot } from './states';

/**
 * In a flow queue with shared areas, the number of loaded waiting entries is multiplied by this factor, because the
 * first entries may all have to wait for entries of their area.
 */
const FURTHER = 4;
/**
 * The same factor for parallel mode. The first entries may all be blocked in one lane, and a later entry with fewer
 * undecided entries ahead may have the sooner turn.
 */
const FURTHER_IN_LANES = 16;
const FURTHER_AT_MOST = 500;

/** The facts about a queue from which follows how many waiting entries a decision may read. */
export interface WindowFacts extends Pick<QueueSnapshot, 'mode' | 'flow' | 'limits'> {
  readonly settings: Pick<
    QueueSnapshot['settings'],
    'scheduling' | 'concurrency' | 'bisectionConcurrency' | 'batch' | 'batchingMinSize'
  >;
}

/** The number of runs that may test waiting entries at a time. */
export function slotsOfWaiting({ settings, limits }: WindowFacts): number {
  const { scheduling, concurrency, bisectionConcurrency } = settings;
  const pool = scheduling === 'flow' ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  return Math.min(pool, limits.runsInFlight);
}

/**
 * Whether a run takes one of the slots of waiting entries. In flow scheduling, tests of suspects also take such slots.
 */
export function takesSlotOfWaiting(
  { scheduling }: Pick<WindowFacts['settings'], 'scheduling'>,
  run: Pick<TestRun, 'kind' | 'phase' | 'resultAt'>,
): boolean {
  return (scheduling === 'flow' || standsInLine(run)) && holdsSlot(run);
}

/**
 * The number of waiting entries that a decision may read, in their order: as many as could start, and one more. If all
 * slots are in use, the number is computed as if a slot were free. `withNeeds`: the number of entries that dependencies
 * may block. The result is higher by this number.
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
