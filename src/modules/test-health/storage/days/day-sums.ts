import type { PoolClient } from 'pg';
import type { DirectConnections } from '../../../../platform/database/direct-connections';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { withDayLock } from './day-lock';

interface StoredDay {
  /** `2026-11-21` */
  readonly day: string;
  readonly isSummed: boolean;
}

/** The days that have a partition of results, oldest first. */
export function storedDays(prisma: PrismaService): Promise<readonly StoredDay[]> {
  return prisma.$queryRaw<StoredDay[]>`
    SELECT d.day::text AS "day",
      EXISTS (SELECT 1 FROM test_results.summed_day s WHERE s.day = d.day) AS "isSummed"
    FROM (
      SELECT to_date(substring(c.relname FROM '^result_([0-9]{8})$'), 'YYYYMMDD') AS day
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'test_results.result'::regclass AND NOT i.inhdetachpending
    ) d
    WHERE d.day IS NOT NULL ORDER BY d.day`;
}

/** Uploads with results of that day may have to wait so long. */
const PATIENCE_MS = 5_000;

/**
 * Sums the results of a day by test and branch class, unless that was done before. The lock of the day separates uploads:
 * those before it are in the sums, those after it add themselves (`addToSummedDays`).
 */
export function sumDay(connections: DirectConnections, day: string, summedAt: Date): Promise<'done' | 'in use'> {
  return withDayLock(connections, day, PATIENCE_MS, async (client) => {
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

/** Adds the results of an upload to those of its days that are summed already. */
export async function addToSummedDays(client: PoolClient, id: string, days: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ day: string }>(
    'SELECT day::text AS day FROM test_results.summed_day WHERE day = ANY($1::date[]) ORDER BY day',
    [days],
  );
  for (const { day } of rows) {
    await client.query(
      `INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
       SELECT test_case_id, $2::date, branch_class, count(*) FILTER (WHERE outcome = 0),
         count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
       FROM test_results.result
       WHERE upload_id = $1 AND occurred_at >= $2::date::timestamp AT TIME ZONE 'UTC'
         AND occurred_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
       GROUP BY test_case_id, branch_class ORDER BY test_case_id, branch_class
       ON CONFLICT (test_case_id, day, branch_class) DO UPDATE SET passed = day_total.passed + excluded.passed,
         failed = day_total.failed + excluded.failed, skipped = day_total.skipped + excluded.skipped`,
      [id, day],
    );
  }
}
