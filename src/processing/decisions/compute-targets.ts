import type { ComputeTargets } from '../../domain/impacted-targets';
import type { Decided } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import type { QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import type { QueueRow } from './queue-lock';

/** Whether any rule of the queue depends on impacted targets. */
function usesTargets({ mode, requestedMode, settings }: QueueSnapshot): boolean {
  const { batchingRules, scheduling } = settings;
  return [mode, requestedMode].includes('parallel') || batchingRules.length > 0 || scheduling === 'flow';
}

/**
 * The task that computes targets for heads that are new in the queue, and reads the configuration file again after the
 * target moved. Null: nothing to do.
 */
export function computeTargetsAfter(
  row: QueueRow,
  before: QueueSnapshot,
  decided: Pick<Decided, 'after' | 'changes'>,
  event: QueueEvent,
): ComputeTargets | null {
  const { after } = decided;
  if (!usesTargets(after) || after.tip === null) return null;
  const isFirst = row.targetsCommit === null || !usesTargets(before);
  const isMoved = before.tip?.commit !== after.tip.commit;
  const all = isFirst || (event.type === 'targetsComputed' && event.more);
  const areOff = row.targetsCommit !== null && row.targetsKey === null && row.targetsProblem === null;
  const numbers = areOff ? [] : withNewHeads(decided);
  return all || isMoved || numbers.length > 0
    ? { type: 'computeTargets', numbers, all, decision: Number(row.version) }
    : null;
}

function withNewHeads({ after, changes }: Pick<Decided, 'after' | 'changes'>): readonly number[] {
  const ids = new Set(
    changes.flatMap((change) => {
      if (change.type === 'entrySubmitted') return [change.entry.id];
      return change.type === 'entryFollowedHead' ? [change.entryId] : [];
    }),
  );
  return after.entries.filter(({ id, state }) => ids.has(id) && !isConcluded(state)).map(({ number }) => number);
}
