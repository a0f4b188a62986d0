import type { PrefixResult } from '../model';

/**
 * The bisection for the first entry that makes a failed batch fail. Prefixes of the batch are tested on one base, as
 * many at once as there are slots: separate parts could each pass and still fail together, prefixes cannot. Suspect `i`
 * is the last entry of the prefix of length `i + 1`.
 */
export interface SearchState {
  /** Number of entries in the failed batch. */
  readonly size: number;
  readonly results: readonly Pick<PrefixResult, 'length' | 'verdict'>[];
  /** How likely each entry is the culprit before any test, in any unit. Absent: all equally. */
  readonly priors?: readonly number[];
  /**
   * How often a good prefix fails. At 0 a failure is certain; above, it makes the entries behind it less likely
   * culprits.
   */
  readonly flakeRate?: number;
}

interface SearchBounds {
  /** The longest prefix that passed; 0: none did. */
  readonly passed: number;
  /** The shortest prefix that failed and is longer than that; the whole batch is known to fail. */
  readonly failed: number;
}

/** A passing prefix clears all its entries, even if a shorter one failed: that flaked, or a later entry repaired it. */
export function boundsOf({ size, results }: SearchState): SearchBounds {
  const passed = Math.max(0, ...lengthsOf(results, 'passed'));
  const failed = Math.min(size, ...failuresBehind(passed, results));
  return { passed, failed };
}

function failuresBehind(passed: number, results: SearchState['results']): readonly number[] {
  return lengthsOf(results, 'failed').filter((length) => length > passed);
}

function lengthsOf(results: SearchState['results'], verdict: PrefixResult['verdict']): readonly number[] {
  return results.filter((result) => result.verdict === verdict).map((result) => result.length);
}

/** From this likelihood on a suspect counts as the culprit. It is still tested in isolation before it fails. */
const LIKELY_ENOUGH = 0.95;

/** Index of the culprit; null while there is more than one suspect. */
export function culpritIn(search: SearchState): number | null {
  const { passed, failed } = boundsOf(search);
  if (!search.flakeRate) return failed - passed === 1 ? passed : null;
  const likelihood = likelihoodOf(search);
  const index = likelihood.findIndex((share) => share >= LIKELY_ENOUGH);
  return index < 0 ? null : index;
}

/** Probability of each entry to be the culprit, given the results; sums up to 1. */
export function likelihoodOf(search: SearchState): readonly number[] {
  const { size, results, flakeRate = 0 } = search;
  const { passed } = boundsOf(search);
  const failures = failuresBehind(passed, results);
  const weights = Array.from({ length: size }, (_, suspect) => {
    const prior = search.priors?.[suspect] ?? 1;
    if (suspect < passed) return 0;
    const unexplained = failures.filter((length) => length <= suspect);
    return prior * flakeRate ** unexplained.length;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * The lengths of the prefixes to test next, at most `slots`: together with the present tests they divide the likelihood
 * of the suspects as evenly as possible.
 */
export function nextPrefixes(search: SearchState, inFlight: readonly number[], slots: number): readonly number[] {
  const chosen: number[] = [];
  if (inFlight.length === 0) chosen.push(...spread(search, slots));
  while (chosen.length < slots) {
    const next = widestGap(search, [...inFlight, ...chosen]);
    if (next === null) break;
    chosen.push(next);
  }
  return chosen.sort((a, b) => a - b);
}

/** Divides all suspects evenly, when no prefix is being tested. */
function spread(search: SearchState, slots: number): readonly number[] {
  const { passed, failed } = boundsOf(search);
  const parts = slots + 1;
  const likelihood = likelihoodOf(search);
  const chosen = new Set<number>();
  for (let part = 1; part < parts; part++) {
    const length = lengthHolding(likelihood, part / parts, passed, failed);
    if (length !== null) chosen.add(length);
  }
  return [...chosen];
}

/** The length between the bounds (both excluded) whose prefix has the share closest to `share`. */
function lengthHolding(likelihood: readonly number[], share: number, passed: number, failed: number): number | null {
  let held = likelihood.slice(0, passed).reduce((sum, part) => sum + part, 0);
  let best: number | null = null;
  let bestDistance = Infinity;
  for (let length = passed + 1; length < failed; length++) {
    held += likelihood[length - 1]!;
    const distance = Math.abs(held - share);
    if (distance > bestDistance + 1e-9) break;
    best = length;
    bestDistance = distance;
  }
  return best;
}

/**
 * The middle of the most likely stretch of suspects that no test divides yet; null when each stretch is one suspect.
 */
function widestGap(search: SearchState, tested: readonly number[]): number | null {
  const { passed, failed } = boundsOf(search);
  const likelihood = likelihoodOf(search);
  const ends = [passed, ...tested.filter((length) => length > passed && length < failed), failed].sort((a, b) => a - b);
  let best: { readonly middle: number; readonly share: number } | null = null;
  for (const [i, to] of ends.slice(1).entries()) {
    const from = ends[i]!;
    const before = likelihood.slice(0, from).reduce((sum, part) => sum + part, 0);
    const share = likelihood.slice(from, to).reduce((sum, part) => sum + part, 0);
    const middle = lengthHolding(likelihood, before + share / 2, from, to);
    if (middle !== null && (best === null || share > best.share + 1e-9)) best = { middle, share };
  }
  return best?.middle ?? null;
}

/** True when the result of a test of this length is already known. */
export function isPointless(search: SearchState, length: number): boolean {
  const { passed, failed } = boundsOf(search);
  return length <= passed || length >= failed;
}
