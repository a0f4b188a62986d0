import type { TestAlarm, TestQuarantineChange, TestStatusChange } from '../../../generated/prisma/client';
import type { PrismaService } from '../../../platform/database/prisma.service';

const MOST_CHANGES = 100;
const MOST_FAILURES = 10;

/** Latest first, at most 100. */
export function statusHistory(prisma: PrismaService, testCaseId: string): Promise<TestStatusChange[]> {
  return prisma.testStatusChange.findMany({ where: { testCaseId }, orderBy: { id: 'desc' }, take: MOST_CHANGES });
}

/** Latest first, at most 100. */
export function quarantineHistory(prisma: PrismaService, testCaseId: string): Promise<TestQuarantineChange[]> {
  return prisma.testQuarantineChange.findMany({ where: { testCaseId }, orderBy: { id: 'desc' }, take: MOST_CHANGES });
}

export function alarmsOf(prisma: PrismaService, testCaseId: string): Promise<TestAlarm[]> {
  return prisma.testAlarm.findMany({ where: { testCaseId }, orderBy: { monitor: 'asc' } });
}

export interface FailureRow {
  readonly at: Date;
  readonly summary: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly prNumber: number | null;
  readonly jobUrl: string | null;
}

/** Latest first, at most 10. */
export function latestFailures(prisma: PrismaService, testCaseId: string): Promise<FailureRow[]> {
  return prisma.$queryRaw<FailureRow[]>`
    SELECT r.occurred_at AS "at", g.summary AS "summary", u."commit", u."branch", r.pr_number AS "prNumber", u."jobUrl"
    FROM (
      SELECT test_case_id, occurred_at, summary_id, pr_number, upload_id FROM test_results.result
      WHERE test_case_id = ${testCaseId}::uuid AND outcome = 1 AND counted
      ORDER BY occurred_at DESC LIMIT ${MOST_FAILURES}
    ) r
    LEFT JOIN "TestUpload" u ON u."id" = r.upload_id
    LEFT JOIN test_results.failure_group g ON g.test_case_id = r.test_case_id AND g.summary_id = r.summary_id
      AND g.day = (r.occurred_at AT TIME ZONE 'UTC')::date
    ORDER BY r.occurred_at DESC, r.upload_id DESC`;
}
