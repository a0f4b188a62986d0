import type { PrismaService } from '../../../platform/database/prisma.service';
import { DAY_MS, dayAfter, dayOf, startOfDay } from '../../rules/days';
import { outcomesByDayOf } from './outcome-counts';
import type {
  AlarmItem,
  DayItem,
  FailureItem,
  QuarantineChangeItem,
  StatusChangeItem,
} from '../../http/details/dto/test-details.dto';

const MOST_CHANGES = 100;
const MOST_FAILURES = 10;
const DAYS_SHOWN = 45;

export async function statusHistory(prisma: PrismaService, testCaseId: string): Promise<StatusChangeItem[]> {
  const rows = await prisma.testStatusChange.findMany({
    where: { testCaseId },
    orderBy: { id: 'desc' },
    take: MOST_CHANGES,
  });
  return rows.map(({ at, from, to, reason }) => ({ timestamp: at.toISOString(), from, to, reason }));
}

export async function quarantineHistory(prisma: PrismaService, testCaseId: string): Promise<QuarantineChangeItem[]> {
  const rows = await prisma.testQuarantineChange.findMany({
    where: { testCaseId },
    orderBy: { id: 'desc' },
    take: MOST_CHANGES,
  });
  return rows.map(({ at, actor, setting, quarantined, reason }) => ({
    timestamp: at.toISOString(),
    actor: actor ?? '',
    quarantine_setting: setting,
    quarantined,
    reason,
  }));
}

export async function alarmsOf(prisma: PrismaService, testCaseId: string): Promise<AlarmItem[]> {
  const rows = await prisma.testAlarm.findMany({ where: { testCaseId }, orderBy: { monitor: 'asc' } });
  return rows.map(({ monitor, verdict, reason, raisedAt }) => ({
    monitor,
    status: verdict,
    reason,
    raised_at: raisedAt.toISOString(),
  }));
}

/** Whole days and today, so far. */
export async function daysOfTest(prisma: PrismaService, testCaseId: string, now: Date): Promise<DayItem[]> {
  const end = startOfDay(dayAfter(dayOf(now)));
  const start = new Date(end.getTime() - DAYS_SHOWN * DAY_MS);
  const rows = await outcomesByDayOf(prisma, testCaseId, { start, end });
  return rows.map(({ day, passed, failed, skipped }) => ({ day, passed, failed, skipped }));
}

interface FailureRow {
  readonly at: Date;
  readonly summary: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly prNumber: number | null;
  readonly jobUrl: string | null;
}

export async function latestFailures(prisma: PrismaService, testCaseId: string): Promise<FailureItem[]> {
  const rows = await prisma.$queryRaw<FailureRow[]>`
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
  return rows.map(({ at, summary, commit, branch, prNumber, jobUrl }) => ({
    timestamp: at.toISOString(),
    summary: summary ?? '',
    commit: commit ?? '',
    branch: branch ?? '',
    pr_number: prNumber,
    job_url: jobUrl ?? '',
  }));
}
