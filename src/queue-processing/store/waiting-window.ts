import type { ServiceLimits, TestRun } from '../../engine/model';
import { standsInLine } from '../../engine/policy/line';
import { isAnyAreaShared } from '../../engine/flow/state';
import { holdsSlot } from '../../engine/states';
import type { QueueRow } from '../queue-lock';
import { readFlowState } from './read-flow';

/**
 * The first waiting entries may all be blocked in one lane, or may not fit to what is tested: so more are loaded, to reach
 * others.
 */
const FURTHER = 4;
/** A free slot of lanes goes to what has the soonest turn: few undecided ahead of it count for it. */
const FURTHER_IN_LANES = 16;
const FURTHER_AT_MOST = 500;

/** How many waiting entries one decision could start, plus one. In flow, tests of suspects share the slots of what waits. */
export function waitingWindow(queue: QueueRow, runs: readonly TestRun[], limits: ServiceLimits): number {
  const { mode, scheduling, flow = null, concurrency, bisectionConcurrency, batch, batchingMinSize } = queue;
  const isFlow = scheduling === 'flow';
  const pool = isFlow ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  const slots = Math.min(Number(pool), limits.runsInFlight);
  const inUse = runs.filter((run) => (isFlow || standsInLine(run)) && holdsSlot(run)).length;
  const perRun = batch ? Math.min(Number(batchingMinSize), limits.batchSize) : 1;
  const window = Math.max(slots - inUse, 1) * perRun + 1;
  const isAnyPassedOver =
    mode === 'parallel' || (isFlow && flow !== null && isAnyAreaShared(readFlowState(flow, queue)));
  const further = mode === 'parallel' ? FURTHER_IN_LANES : FURTHER;
  return isAnyPassedOver ? Math.min(window * further, FURTHER_AT_MOST) : window;
}
