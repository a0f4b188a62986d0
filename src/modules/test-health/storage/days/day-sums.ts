import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { Sql, SqlTransaction } from '../../../../platform/database/sql';
import { withDayLock } from './day-lock';

interface StoredDay {
  /** `2026-11-21` */
  readonly day: string;
  readonly isSummed: boolean;
}

/** The days that have a partition of results, oldest first. */
export function storedDays(prisma: PrismaService): Promise<readonly StoredDay[]> {
  return prisma.$queryRaw<StoredDay[]>`/* day-sums storedDays */
    SELECT d.day::text AS "day",
      EXISTS (SELECT 1 FROM test_results.summed_day s WHERE s.day = d.day) AS "isSummed"
    FROM (
      SELECT to_date(substring(c.relname FROM '^result_([0-9]{8})$'), 'YYYYMMDD') AS day
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'test_results.result'::regclass AND NOT i.inhdetachpending
    ) d
    WHERE d.day IS NOT NULL ORDER BY d.day`;
}

/** The sum of a day may block uploads with results of that day for this time. */
const PATIENCE_MS = 5_000;

/**
 * Sums the results of a day by test and branch class, unless the day is already summed. The sum contains the uploads
 * that committed before it took the day's lock. Later uploads add their results themselves (`addToSummedDays`).
 */
export function sumDay(sql: Sql, day: string, summedAt: Date): Promise<'done' | 'in use'> {
  return withDayLock(sql, day, PATIENCE_MS, async (tx) => {
    if (await claim(tx, day, summedAt)) await sum(tx, day);
  });
}

async function claim(tx: SqlTransaction, day: string, summedAt: Date): Promise<boolean> {
  const claimed = await tx.execute`/* day-sums claim */
    INSERT INTO test_results.summed_day (day, summed_at) VALUES (${day}, ${summedAt}) ON CONFLICT (day) DO NOTHING`;
  return claimed === 1;
}

async function sum(tx: SqlTransaction, day: string): Promise<void> {
  await tx.execute`/* day-sums sum */
    INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
    SELECT test_case_id, ${day}::date, branch_class, count(*) FILTER (WHERE outcome = 0),
      count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
    FROM test_results.result
    WHERE counted AND occurred_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
      AND occurred_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY test_case_id, branch_class`;
}

/** Adds the results of an upload to the sums of its days, if these days are already summed. */
export async function addToSummedDays(tx: SqlTransaction, id: string, days: readonly string[]): Promise<void> {
  const rows = await tx.rows<{
    day: string;
  }>`/* day-sums addToSummedDays */ SELECT day::text AS day FROM test_results.summed_day WHERE day = ANY(${days}::date[]) ORDER BY day`;
  for (const { day } of rows) {
    await tx.execute`/* day-sums addToSummedDays 2 */
    INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
      SELECT test_case_id, ${day}::date, branch_class, count(*) FILTER (WHERE outcome = 0),
        count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
      FROM test_results.result
      WHERE upload_id = ${id} AND occurred_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
        AND occurred_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
      GROUP BY test_case_id, branch_class ORDER BY test_case_id, branch_class
      ON CONFLICT (test_case_id, day, branch_class) DO UPDATE SET passed = day_total.passed + excluded.passed,
        failed = day_total.failed + excluded.failed, skipped = day_total.skipped + excluded.skipped`;
  }
}
