import type { ServiceLimits, TestRun } from '../../../engine/model';
import { holdsSlot } from '../../../engine/states';
import type { RunKind, RunPhase } from '../../../engine/vocabulary';
import { slotsOfWaiting, takesSlotOfWaiting, waitingWindow, type WindowFacts } from '../../../engine/waiting-window';
import { Prisma } from '../../../generated/prisma/client';
import type { QueueRow } from '../queue-lock';
import { settingsOf } from './codecs/queue.codec';
import { readFlowState } from './read-flow';

/**
 * For each number of slots in use, the number of waiting entries to read, without entries that have needs. The last
 * number also applies if more slots are in use.
 */
export function waitingWindows(queue: QueueRow, limits: ServiceLimits): readonly number[] {
  const { mode, flow = null } = queue;
  const settings = settingsOf(queue);
  const read = settings.scheduling === 'flow' && flow !== null ? readFlowState(flow, queue) : undefined;
  const facts: WindowFacts = { mode: mode as WindowFacts['mode'], settings, limits, flow: read };
  return Array.from({ length: slotsOfWaiting(facts) }, (_, inUse) => waitingWindow(facts, inUse, 0));
}

/** The texts of `wordsOfRuns` for runs that take a slot from waiting entries. */
export function wordsTakingSlots(queue: QueueRow): readonly string[] {
  return queue.settings.scheduling === 'flow' ? WORDS_HOLDING_SLOTS : WORDS_IN_LINE_HOLDING_SLOTS;
}

/** Kind, phase and result of a run `r` as one text, to be compared with `wordsOfRuns`. */
export const WORD_OF_RUN = Prisma.sql`r."kind" || ' ' || r."phase" || CASE WHEN r."resultAt" IS NULL THEN '' ELSE ' known' END`;

/** The texts of all runs for which `holds` is true, so that PostgreSQL selects runs by a rule of the engine. */
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
const WORDS_IN_LINE_HOLDING_SLOTS = wordsOfRuns((run) => takesSlotOfWaiting({ scheduling: 'in_order' }, run));
