import type { ServiceLimits, TestRun } from '../../engine/model';
import { standsInLine } from '../../engine/policy/line';
import { holdsSlot } from '../../engine/states';
import type { QueueRow } from '../queue-lock';

/** In parallel mode the first waiting entries may all be blocked in one lane: so more are loaded, to reach other lanes. */
const LANES = 4;
const IN_LANES_AT_MOST = 500;

/** How many waiting entries one decision could start, plus one. In flow, tests of suspects share the slots of what waits. */
export function waitingWindow(queue: QueueRow, runs: readonly TestRun[], limits: ServiceLimits): number {
  const { mode, scheduling, concurrency, bisectionConcurrency, batch, batchingMinSize } = queue;
  const isFlow = scheduling === 'flow';
  const pool = isFlow ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  const slots = Math.min(Number(pool), limits.runsInFlight);
  const inUse = runs.filter((run) => (isFlow || standsInLine(run)) && holdsSlot(run)).length;
  const perRun = batch ? Math.min(Number(batchingMinSize), limits.batchSize) : 1;
  const window = Math.max(slots - inUse, 1) * perRun + 1;
  return mode === 'parallel' ? Math.min(window * LANES, IN_LANES_AT_MOST) : window;
}
