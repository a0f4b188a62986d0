import type { TestRun } from './test-runs';
import type { EntryState, RunKind } from './vocabulary';

/** Final for the attempt; only a new submission starts another one. */
export function isConcluded(state: EntryState): boolean {
  return state === 'merged' || state === 'failed' || state === 'cancelled';
}

/** Holds one of the queue's slots: from the order to build until the result is in, also while a later run's proof lands it. */
export function holdsSlot({ phase, kind, resultAt }: Pick<TestRun, 'phase' | 'kind' | 'resultAt'>): boolean {
  return phase === 'building' || phase === 'testing' || (phase === 'landing' && kind === 'line' && resultAt === null);
}

/** The interface calls these runs bisection. */
export function isOfCulpritSearch(kind: RunKind): boolean {
  return kind === 'search' || kind === 'verify';
}
