import type { PoolClient } from 'pg';
import type { DirectConnections } from '../../../platform/database/direct-connections';
import { DAY_MS } from '../../rules/days';

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

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A transaction during which nothing stores results of the day. It waits at most so long for any lock, because whatever
 * needs the same one waits behind it. In use: that was too short, and nothing was done.
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
