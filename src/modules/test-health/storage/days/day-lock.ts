import type { PoolClient } from 'pg';
import type { DirectConnections } from '../../../../platform/database/direct-connections';
import { DAY_MS } from '../../rules/days';

/** Keeps these locks apart from all other advisory locks of the database. */
const DAY_LOCKS = 0x74_65_73_74n;

/**
 * The key of pg_advisory_xact_lock for a day (YYYY-MM-DD, UTC) of test results. An upload holds it shared for each of its
 * days, in the order of the days, until it commits. The sum of a day holds it exclusively. So a result is counted exactly
 * once: by the sum of its day, or by its upload, which then finds the day summed.
 */
export function dayLockKey(day: string): bigint {
  const ordinal = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  if (!Number.isInteger(ordinal)) throw new RangeError(`${day} must be a day such as 2026-11-21.`);
  return (DAY_LOCKS << 32n) | BigInt.asUintN(32, BigInt(ordinal));
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in a transaction while nobody else stores results of the day. Waits at most `patienceMs` for any lock, because
 * others queue up behind it. `in use`: a lock was not free in time, and nothing was changed.
 */
export async function withDayLock(
  connections: DirectConnections,
  day: string,
  patienceMs: number,
  work: (client: PoolClient) => Promise<void>,
): Promise<'done' | 'in use'> {
  try {
    await connections.transaction(async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${patienceMs}`);
      await client.query('SELECT pg_advisory_xact_lock($1)', [dayLockKey(day)]);
      await work(client);
    });
    return 'done';
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return 'in use';
    throw error;
  }
}
