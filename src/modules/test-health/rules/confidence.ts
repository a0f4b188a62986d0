/** The quantile of the normal distribution for 95 % confidence, one-sided. */
const Z = 1.645;

/**
 * The lower bound of the share of failures at 95 % confidence, 0 to 1 (Wilson's interval). The fewer runs, the further
 * is the bound below the observed share.
 */
export function leastShare(failed: number, runs: number): number {
  if (runs === 0) return 0;
  const share = failed / runs;
  const middle = share + (Z * Z) / (2 * runs);
  const spread = Z * Math.sqrt((share * (1 - share)) / runs + (Z * Z) / (4 * runs * runs));
  return Math.max(0, (middle - spread) / (1 + (Z * Z) / runs));
}
