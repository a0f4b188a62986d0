import type { Search } from './model';

/**
 * The length of the longest prefix that passed, and the length of the shortest longer prefix that failed. The suspects
 * are between these two lengths.
 */
export function suspectsOf(search: Search): { readonly passed: number; readonly failed: number } {
  const lengths = (result: 'passed' | 'failed'): readonly number[] =>
    [...search.results].filter(([, found]) => found === result).map(([length]) => length);
  const passed = Math.max(0, ...lengths('passed'));
  const failed = Math.min(search.members.length, ...lengths('failed').filter((length) => length > passed));
  return { passed, failed };
}

/** The lengths of the next prefixes to test, at most one per free slot. */
export function nextPrefixes(search: Search, free: number): readonly number[] {
  if (free <= 0) return [];
  if (search.stage.type !== 'prefixes') return search.tests.size === 0 ? [search.members.length] : [];
  const { passed, failed } = suspectsOf(search);
  if (search.tests.size === 0) return spread(passed, failed, free);
  return search.optimizationMode === 'off' ? [] : inWidestGap([passed, ...search.tests.keys(), failed]);
}

/** With k slots, divides the suspects into k + 1 parts of about the same size. */
function spread(passed: number, failed: number, free: number): readonly number[] {
  const suspects = failed - passed;
  const cuts = Math.min(free, suspects - 1);
  return Array.from({ length: cuts }, (_, i) => passed + Math.round(((i + 1) * suspects) / (cuts + 1)));
}

function inWidestGap(lengths: readonly number[]): readonly number[] {
  const sorted = lengths.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((to, i) => ({ from: sorted[i] ?? to, to }));
  const widest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (widest === undefined || widest.to - widest.from < 2) return [];
  return [(widest.from + widest.to + 1) >> 1];
}
