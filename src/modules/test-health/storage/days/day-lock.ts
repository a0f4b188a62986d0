import type { Sql, SqlTransaction } from '../../../../platform/database/sql';
import { DAY_MS } from '../../rules/days';

/** The number that distinguishes these locks from all other advisory locks of the database. */
const DAY_LOCKS = 0x74_65_73_74n;

/**
 * The key of pg_advisory_xact_lock for a day (YYYY-MM-DD, UTC) of test results. An upload holds the lock of each of its
 * days in shared mode until it commits, and takes the locks in the order of the days. The sum of a day holds the lock
 * exclusively. So each result is counted exactly once: by the sum of its day, or by its upload if the day is already
 * summed.
 */
export function dayLockKey(day: string): bigint {
  const ordinal = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  if (!Number.isInteger(ordinal)) throw new RangeError(`${day} must be a day such as 2026-11-21.`);
  return (DAY_LOCKS << 32n) | BigInt.asUintN(32, BigInt(ordinal));
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in a transaction while no other transaction stores results of the day. Waits at most `patienceMs` for any
 * lock, because later transactions wait behind this one. `in use`: a lock was not free in time, and the transaction
 * changed nothing.
 */
export async function withDayLock(
  sql: Sql,
  day: string,
  patienceMs: number,
  work: (tx: SqlTransaction) => Promise<void>,
): Promise<'done' | 'in use'> {
  try {
    await sql.transaction(
      async (tx) => {
        await tx.execute`/* day-lock withDayLock */ SELECT set_config('lock_timeout', ${`${patienceMs}ms`}, true)`;
        await tx.execute`/* day-lock withDayLock 2 */ SELECT pg_advisory_xact_lock(${dayLockKey(day)})`;
        await work(tx);
      },
      { tries: 5 },
    );
    return 'done';
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return 'in use';
    throw error;
  }
}
