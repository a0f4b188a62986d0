import type { EntryState, RunKind, RunPhase } from './vocabulary';

/** Final for the attempt; only a new submission starts another one. */
export function isConcluded(state: EntryState): boolean {
  return state === 'merged' || state === 'failed' || state === 'cancelled';
}

/** Holds one of the queue's slots: from the order to build until the result is in. */
export function holdsSlot(phase: RunPhase): boolean {
  return phase === 'building' || phase === 'testing';
}

/** The interface calls these runs bisection. */
export function isOfCulpritSearch(kind: RunKind): boolean {
  return kind === 'search' || kind === 'verify';
}
