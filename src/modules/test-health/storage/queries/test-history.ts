import type { TestAlarm, TestQuarantineChange, TestStatusChange } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { BRANCH_CLASS_CODES, type BranchClass } from '../../rules/branches';

const MOST_CHANGES = 100;
const MOST_FAILURES = 10;
const MOST_RUNS_OF_CLASS = 60;
/**
 * The latest runs are sought among this many results, so that a test that runs in every pull request costs no more to
 * show than other tests.
 */
const MOST_RUNS_READ = 1_000;

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
  /** Whether the upload of the failure counts for monitors; null: the upload has been deleted. */
  readonly counted: boolean | null;
}

/** Latest first, at most 10. */
export function latestFailures(prisma: PrismaService, testCaseId: string): Promise<FailureRow[]> {
  return prisma.$queryRaw<FailureRow[]>`/* test-history latestFailures */
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
  return prisma.$queryRaw<FailureMessageRow[]>`/* test-history failureMessages */
    SELECT m.failed_at AS "at", m.summary AS "summary", m.message AS "message", m.stack AS "stack", u."commit", u."branch",
      u."prNumber", u."jobUrl", u."counted"
    FROM test_results.failure_message m LEFT JOIN "TestUpload" u ON u."id" = m.upload_id
    WHERE m.test_case_id = ${testCaseId}::uuid
    ORDER BY m.failed_at DESC, m.summary_id LIMIT ${MOST_FAILURES}`;
}

export interface LatestRunRow extends Omit<FailureRow, 'summary' | 'counted'> {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly branchClass: BranchClass;
}

/** Oldest first: the last 60 of each branch class, among the last 1,000 counted results. */
export function latestRuns(prisma: PrismaService, testCaseId: string): Promise<LatestRunRow[]> {
  const { queue, pull_request } = BRANCH_CLASS_CODES;
  return prisma.$queryRaw<LatestRunRow[]>`/* test-history latestRuns */
    WITH latest AS MATERIALIZED (
      SELECT occurred_at, upload_id, pr_number, outcome, branch_class FROM test_results.result
      WHERE test_case_id = ${testCaseId}::uuid AND counted
      ORDER BY occurred_at DESC LIMIT ${MOST_RUNS_READ}
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY branch_class ORDER BY occurred_at DESC, upload_id DESC) AS place
      FROM latest
    )
    SELECT p.occurred_at AS "at", p.pr_number AS "prNumber", u."commit", u."branch", u."jobUrl",
      CASE p.outcome WHEN 0 THEN 'passed' WHEN 1 THEN 'failed' ELSE 'skipped' END AS "outcome",
      CASE p.branch_class WHEN ${queue} THEN 'queue' WHEN ${pull_request} THEN 'pull_request' ELSE 'stable' END
        AS "branchClass"
    FROM placed p LEFT JOIN "TestUpload" u ON u."id" = p.upload_id
    WHERE p.place <= ${MOST_RUNS_OF_CLASS} ORDER BY p.occurred_at, p.upload_id`;
}
