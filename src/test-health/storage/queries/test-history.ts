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
  /** Whether its upload counts for monitors; null: the upload is gone. */
  readonly counted: boolean | null;
}

/** Latest first, at most 10. */
export function latestFailures(prisma: PrismaService, testCaseId: string): Promise<FailureRow[]> {
  return prisma.$queryRaw<FailureRow[]>`
    SELECT r.occurred_at AS "at", g.summary AS "summary", u."commit", u."branch", r.pr_number AS "prNumber", u."jobUrl",
      u."counted"
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

export interface FailureMessageRow extends FailureRow {
  readonly message: string;
  readonly stack: string;
}

/** The last failure of each group of failures, latest first, at most 10. */
export function failureMessages(prisma: PrismaService, testCaseId: string): Promise<FailureMessageRow[]> {
  return prisma.$queryRaw<FailureMessageRow[]>`
    SELECT m.failed_at AS "at", m.summary AS "summary", m.message AS "message", m.stack AS "stack", u."commit", u."branch",
      u."prNumber", u."jobUrl", u."counted"
    FROM test_results.failure_message m LEFT JOIN "TestUpload" u ON u."id" = m.upload_id
    WHERE m.test_case_id = ${testCaseId}::uuid
    ORDER BY m.failed_at DESC, m.summary_id LIMIT ${MOST_FAILURES}`;
}
