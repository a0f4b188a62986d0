import type { PrefixResult } from '../model';

/**
 * The bisection for the first entry that makes a failed batch fail. Prefixes of the batch are tested on one base, as
 * many at once as there are slots. Separate parts of a batch could each pass and still fail together; prefixes cannot.
 * Suspect `i` is the last entry of the prefix of length `i + 1`.
 */
export interface SearchState {
  /** The number of entries in the failed batch. */
  readonly size: number;
  readonly results: readonly Pick<PrefixResult, 'length' | 'verdict'>[];
  /** How likely each entry is the culprit before any test, in any unit. Absent: all entries are equally likely. */
  readonly priors?: readonly number[];
  /**
   * How often a prefix without the culprit fails, from 0 to 1. At 0, a failed prefix must contain the culprit. Above 0,
   * a failure only makes the entries behind the prefix less likely culprits.
   */
  readonly flakeRate?: number;
}

interface SearchBounds {
  /** The length of the longest prefix that passed; 0: no prefix has passed. */
  readonly passed: number;
  /**
   * The length of the shortest failed prefix that is longer than `passed`. It is at most the whole batch, which is
   * known to fail.
   */
  readonly failed: number;
}

/**
 * A passed prefix clears all its entries, even if a shorter prefix failed: that test flaked, or a later entry fixed the
 * failure.
 */
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

/** A suspect that is at least this likely counts as the culprit. It is still tested in isolation before it fails. */
const LIKELY_ENOUGH = 0.95;

/** The index of the culprit; null while it is not known. */
export function culpritIn(search: SearchState): number | null {
  const { passed, failed } = boundsOf(search);
  if (!search.flakeRate) return failed - passed === 1 ? passed : null;
  const likelihood = likelihoodOf(search);
  const index = likelihood.findIndex((share) => share >= LIKELY_ENOUGH);
  return index < 0 ? null : index;
}

/** For each entry, the probability that it is the culprit, given the results. The probabilities sum up to 1. */
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
 * The lengths of the prefixes to test next, at most `slots` of them. Together with the tests in flight, they divide the
 * likelihood of the suspects as evenly as possible.
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

/** The lengths that divide the likelihood of all suspects evenly, for a bisection without a test in flight. */
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

/**
 * The length between `passed` and `failed`, both excluded, whose prefix contains the culprit with the probability
 * closest to `share`.
 */
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
 * The middle of the likeliest stretch of suspects that no test divides yet; null if each stretch has only one suspect.
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
