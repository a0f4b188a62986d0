import type { PoolClient } from 'pg';
import type { DirectConnections } from '../../../platform/database/direct-connections';
import { dayLockKey } from './day-lock';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A transaction during which nothing stores results of the day. It waits at most so long for any lock, because whatever
 * needs the same one waits behind it. In use: that was too short, and nothing was done.
 */
export async function aloneWithDay(
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
