import type { Instant } from '../../engine/vocabulary';
import type { Eta } from '../../processing/forecasts/forecast-reader';
import type { ExpectedEnd } from '../shared/expected-end.dto';

/** A run may be built on thousands of pull requests. The nearest pull requests ahead matter most. */
export const MOST_BUILT_ON = 100;

export function timeOrNull(at: Instant | Date | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function endOrNull(eta: Eta | undefined): ExpectedEnd | null {
  if (eta === undefined) return null;
  const { p50, p90, low, high } = eta;
  return { p50: p50.toISOString(), p90: p90.toISOString(), low: low.toISOString(), high: high.toISOString() };
}

export function numbersOfHeads(heads: readonly { readonly number: number }[]): number[] {
  return heads.map(({ number }) => number);
}
