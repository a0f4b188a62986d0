import type { TestRun } from './test-runs';
import type { EntryState, RunKind, StateReason } from './vocabulary';

/** Final for the attempt; only a new submission starts another one. */
export function isConcluded(state: EntryState): boolean {
  return state === 'merged' || state === 'failed' || state === 'cancelled';
}

/** The target has all its changes, and pull requests that depend on it may land. */
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
 * Whether the run holds one of the queue's slots: from the start until its result, also while a later run's proof lands
 * it.
 */
export function holdsSlot({ phase, kind, resultAt }: Pick<TestRun, 'phase' | 'kind' | 'resultAt'>): boolean {
  return phase === 'building' || phase === 'testing' || (phase === 'landing' && kind === 'line' && resultAt === null);
}

/** The API calls these runs bisection. */
export function isOfCulpritSearch(kind: RunKind): boolean {
  return kind === 'search' || kind === 'verify';
}
