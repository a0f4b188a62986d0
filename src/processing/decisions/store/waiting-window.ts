import type { ServiceLimits, TestRun } from '../../../engine/model';
import { standsInLine } from '../../../engine/policy/line';
import { isAnyAreaShared } from '../../../engine/flow-state';
import { holdsSlot } from '../../../engine/states';
import type { RunKind, RunPhase } from '../../../engine/vocabulary';
import { Prisma } from '../../../generated/prisma/client';
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

/** How many waiting entries one decision could start, plus one, by how many slots are in use: the last is for all others. */
export function waitingWindows(queue: QueueRow, limits: ServiceLimits): readonly number[] {
  const { mode, flow = null } = queue;
  const { concurrency, bisectionConcurrency, batch, batchingMinSize } = queue.settings;
  const pool = isFlow(queue) ? concurrency + (bisectionConcurrency ?? concurrency) : concurrency;
  const slots = Math.min(pool, limits.runsInFlight);
  const perRun = batch ? Math.min(batchingMinSize, limits.batchSize) : 1;
  const isAnyPassedOver =
    mode === 'parallel' || (isFlow(queue) && flow !== null && isAnyAreaShared(readFlowState(flow, queue)));
  const further = mode === 'parallel' ? FURTHER_IN_LANES : FURTHER;
  return Array.from({ length: slots }, (_, inUse) => {
    const window = (slots - inUse) * perRun + 1;
    return isAnyPassedOver ? Math.min(window * further, FURTHER_AT_MOST) : window;
  });
}

/** Of the runs that take a slot of what waits. In flow, tests of suspects do, too. */
export function wordsTakingSlots(queue: QueueRow): readonly string[] {
  return isFlow(queue) ? WORDS_HOLDING_SLOTS : WORDS_IN_LINE_HOLDING_SLOTS;
}

function isFlow({ settings }: QueueRow): boolean {
  return settings.scheduling === 'flow';
}

/** Of a run `r`: what is known of it as one word, to be compared with `wordsOfRuns`. */
export const WORD_OF_RUN = Prisma.sql`r."kind" || ' ' || r."phase" || CASE WHEN r."resultAt" IS NULL THEN '' ELSE ' known' END`;

/** The words of all runs for which this holds, so that PostgreSQL tells them apart as the engine does. */
function wordsOfRuns(holds: (run: RunInFlight) => boolean): readonly string[] {
  return KINDS.flatMap((kind) =>
    PHASES.flatMap((phase) => [
      ...(holds({ kind, phase, resultAt: null }) ? [`${kind} ${phase}`] : []),
      ...(holds({ kind, phase, resultAt: 0 }) ? [`${kind} ${phase} known`] : []),
    ]),
  );
}

type RunInFlight = Pick<TestRun, 'kind' | 'phase' | 'resultAt'>;

const KINDS = Object.keys({
  ...{ line: 1, search: 1, verify: 1, direct: 1, target: 1 },
} satisfies Record<RunKind, 1>) as RunKind[];
const PHASES = Object.keys({
  ...{ building: 1, testing: 1, passed: 1, failed: 1, conflicted: 1, landing: 1, ended: 1 },
} satisfies Record<RunPhase, 1>) as RunPhase[];

export const WORDS_HOLDING_SLOTS = wordsOfRuns(holdsSlot);
const WORDS_IN_LINE_HOLDING_SLOTS = wordsOfRuns((run) => standsInLine(run) && holdsSlot(run));
