import type { TestRun } from './test-runs';
import type { EntryState, RunKind, StateReason } from './vocabulary';

/** Whether the state is final for the attempt: only a new submission starts another attempt. */
export function isConcluded(state: EntryState): boolean {
  return state === 'merged' || state === 'failed' || state === 'cancelled';
}

/** Whether the target has all changes of the pull request, so that pull requests that depend on it may land. */
export function hasReachedTarget({
  state,
  stateReason,
}: {
  readonly state: EntryState;
  readonly stateReason: StateReason | null;
}): boolean {
  return state === 'merged' || (state === 'cancelled' && stateReason === 'nothing_to_merge');
}

/**
 * Whether the run holds one of the queue's slots: from its start until its own result, even if it lands earlier because
 * a later run proved it.
 */
export function holdsSlot({ phase, kind, resultAt }: Pick<TestRun, 'phase' | 'kind' | 'resultAt'>): boolean {
  return phase === 'building' || phase === 'testing' || (phase === 'landing' && kind === 'line' && resultAt === null);
}

/** Whether the run is part of a bisection, as the API names it. */
export function isOfCulpritSearch(kind: RunKind): boolean {
  return kind === 'search' || kind === 'verify';
}
