interface Standing {
  readonly status: { readonly value: string };
  readonly failure_rate_last_7d: number;
}

/** A test that failed in each of its runs is not called healthy, even before a monitor is active. */
export function shownStatus({ status: { value }, failure_rate_last_7d: rate }: Standing): string {
  return value === 'healthy' && rate === 1 ? 'failed each time' : value;
}
