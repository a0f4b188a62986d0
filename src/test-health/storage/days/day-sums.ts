import type { PoolClient } from 'pg';
import type { DirectConnections } from '../../../platform/database/direct-connections';
import { aloneWithDay } from './with-day-lock';

/** Uploads of that day wait meanwhile. */
const PATIENCE_MS = 5_000;

/**
 * Sums the results of a day by test and class of branch, once. Uploads that are storing results of that day end before,
 * and no other begins: what is stored before is in these sums, and what comes later adds itself to them.
 */
export function sumDay(connections: DirectConnections, day: string, summedAt: Date): Promise<'done' | 'in use'> {
  return aloneWithDay(connections, day, PATIENCE_MS, async (client) => {
    if (await claim(client, day, summedAt)) await sum(client, day);
  });
}

async function claim(client: PoolClient, day: string, summedAt: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO test_results.summed_day (day, summed_at) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING',
    [day, summedAt],
  );
  return rowCount === 1;
}

async function sum(client: PoolClient, day: string): Promise<void> {
  await client.query(
    `INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
     SELECT test_case_id, $1::date, branch_class, count(*) FILTER (WHERE outcome = 0),
       count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
     FROM test_results.result
     WHERE counted AND occurred_at >= $1::date::timestamp AT TIME ZONE 'UTC'
       AND occurred_at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC'
     GROUP BY test_case_id, branch_class`,
    [day],
  );
}
