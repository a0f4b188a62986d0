const DAY_MS = 24 * 3_600_000;

/** Sets these locks apart from every other advisory lock of the database. */
const DAY_LOCKS = 0x74_65_73_74n;

/**
 * The key of pg_advisory_xact_lock for a day (YYYY-MM-DD, UTC) of test results. What stores results holds it shared for
 * each of their days until it commits, in the order of the days; the sum of the day holds it alone. So a result is seen
 * by the sum of its day, or its upload sees that the day is summed, and never both.
 */
export function dayLockKey(day: string): bigint {
  const ordinal = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  if (!Number.isInteger(ordinal)) throw new RangeError(`${day} is no day.`);
  return (DAY_LOCKS << 32n) | BigInt.asUintN(32, BigInt(ordinal));
}
