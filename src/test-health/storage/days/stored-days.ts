import type { PrismaService } from '../../../platform/database/prisma.service';

export interface StoredDay {
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
