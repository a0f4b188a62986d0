/** 95 %, to one side. */
const Z = 1.645;

/**
 * The share of failures that is at least there with a confidence of 95 %, 0 to 1: the lower bound of Wilson's interval. The fewer
 * runs there are, the further it lies below the share that was seen.
 */
export function leastShare(failed: number, runs: number): number {
  if (runs === 0) return 0;
  const share = failed / runs;
  const middle = share + (Z * Z) / (2 * runs);
  const spread = Z * Math.sqrt((share * (1 - share)) / runs + (Z * Z) / (4 * runs * runs));
  return Math.max(0, (middle - spread) / (1 + (Z * Z) / runs));
}
