import { culpritIn, nextPrefixes } from '../../../src/engine/policy/culprit-search';
import type { PrefixResult } from '../../../src/engine/model';

export interface SearchCost {
  /** The culprit's index in the batch; null when the batch passed after all. */
  readonly culprit: number | null;
  readonly runs: number;
  readonly rounds: number;
}

type IsRedPrefix = (length: number) => boolean;

/**
 * Plays one bisection by the engine's own policy, in rounds. All tests of a round end together. The test of the failed
 * batch does not count.
 */
export function searchPrefixes(size: number, slots: number, isRed: IsRedPrefix): SearchCost {
  const results: Pick<PrefixResult, 'length' | 'verdict'>[] = [];
  for (let rounds = 0; ; rounds++) {
    const culprit = culpritIn({ size, results });
    if (culprit !== null) return { culprit, runs: results.length, rounds };
    const next = nextPrefixes({ size, results }, [], slots);
    if (next.length === 0) throw new Error(`the search among ${size} with ${slots} slots is stuck`);
    for (const length of next) results.push({ length, verdict: isRed(length) ? 'failed' : 'passed' });
  }
}

/** With `optimizationMode` off the whole batch is tested once more before the bisection. */
export function searchWholeFirst(size: number, slots: number, isRed: IsRedPrefix): SearchCost {
  if (!isRed(size)) return { culprit: null, runs: 1, rounds: 1 };
  const search = searchPrefixes(size, slots, isRed);
  return { culprit: search.culprit, runs: search.runs + 1, rounds: search.rounds + 1 };
}
