import type { Entry, QueueSnapshot } from '../model';
import { isConcluded } from '../states';

/** Of the entries that it needs: those that left without landing, or are not ready themselves. */
export function lostNeeds({ entries }: QueueSnapshot, { needs = [] }: Entry): readonly Entry[] {
  if (needs.length === 0) return [];
  return entries.filter(
    ({ id, state }) => needs.includes(id) && state !== 'merged' && (isConcluded(state) || state === 'not_ready'),
  );
}
