import { Prisma } from '../../../../generated/prisma/client';
import type { Tx } from '../../../../platform/database/prisma.service';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { DAY_MS } from '../../rules/days';
import type { QuarantineSetting, TestStanding } from '../../rules/quarantine';
import { MAX_WINDOW_DAYS } from '../../rules/settings';

const CLAIMED = Prisma.sql`t."id", t."repositoryId", t."status", t."statusReason",
  t."statusFromPullRequests" AS "isFromPullRequests", t."outsideTests" AS "isOutsideTests", t."quarantineSetting", t."quarantined"`;

/**
 * A test whose row is locked by this transaction: no other transaction evaluates it, mutes its monitors or sets its
 * quarantine.
 */
export interface ClaimedTest extends TestStanding {
  readonly id: string;
  readonly repositoryId: string;
  readonly statusReason: string;
  readonly quarantineSetting: QuarantineSetting;
  readonly quarantined: boolean;
}

interface UploadTests {
  readonly id: string;
  readonly repositoryId: string;
  readonly receivedAt: Date;
  /** The times of the upload's first and last result. */
  readonly earliest: Date;
  readonly latest: Date;
}

/**
 * Marks tests of an upload as due: tests that failed in the upload or in the last 30 days, and `revised`, whose
 * evidence the upload changes. The row of an already due test is written again. The write locks the row, so that an
 * evaluation without these results cannot remove it before the upload commits. One statement marks all tests in the
 * order of their ids, so that two uploads cannot deadlock.
 */
export async function markTestsOfUpload(
  tx: SqlTransaction,
  { id, repositoryId, receivedAt, earliest, latest }: UploadTests,
  revised: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>`/* due-tests markTestsOfUpload */
    WITH due AS (
      SELECT t."id" FROM "TestCase" t
      WHERE t."repositoryId" = ${repositoryId}::uuid AND t."lastFailedAt" > ${receivedAt}::timestamptz - make_interval(days => ${MAX_WINDOW_DAYS})
        AND EXISTS (
          SELECT 1 FROM test_results.result r
          WHERE r.test_case_id = t."id" AND r.upload_id = ${id} AND r.occurred_at BETWEEN ${earliest} AND ${latest})
      UNION SELECT unnest(${revised}::uuid[])
      ORDER BY 1
    ), marked AS (
      INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
      SELECT "id", ${repositoryId}::uuid, ${receivedAt}::timestamptz FROM due
      ON CONFLICT (test_case_id) DO UPDATE SET since = judgement_due.since
    )
    SELECT "id" AS id FROM due`;
  return rows.map((row) => row.id);
}

/**
 * Marks the tests of a repository that changed settings can affect as due. On a healthy test without a quarantine
 * setting, only monitors have an effect, and only if it failed in the last 30 days.
 */
export async function markTestsOfRepository(
  tx: Tx,
  repositoryId: string,
  changed: 'quarantine' | 'monitors',
  now: Date,
): Promise<readonly string[]> {
  const failedAfter = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
  const due = await tx.$queryRaw<{ id: string }[]>`/* due-tests markTestsOfRepository */
    INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
    SELECT "id", "repositoryId", ${now}::timestamptz FROM "TestCase"
    WHERE "repositoryId" = ${repositoryId}::uuid AND (
      "status" <> 'healthy' OR "quarantined" OR "quarantineSetting" <> 'unspecified'
      OR (${changed === 'monitors'}::boolean AND "lastFailedAt" > ${failedAfter}))
    ORDER BY "id" ON CONFLICT (test_case_id) DO UPDATE SET since = excluded.since
    RETURNING test_case_id AS id`;
  return due.map(({ id }) => id);
}

// Claims skip locked rows, which stay due. An upload waits for locks of tests while it holds locks of further tests, so
// a claim that waits could deadlock.

/** Claims tests that are marked as due, tests whose alarms may be over, and tests whose mutes have ended. */
export async function claimDueTests(tx: Tx, limit: number, now: Date): Promise<readonly ClaimedTest[]> {
  const tests = await tx.$queryRaw<ClaimedTest[]>`/* due-tests claimDueTests */
    SELECT ${CLAIMED}
    FROM "TestCase" t
    WHERE t."id" IN (
      SELECT test_case_id FROM test_results.judgement_due
      UNION SELECT "testCaseId" FROM "TestAlarm" WHERE "lookAgainAt" <= ${now}
      UNION SELECT "testCaseId" FROM "TestMute" WHERE "until" <= ${now})
    LIMIT ${limit} FOR NO KEY UPDATE OF t SKIP LOCKED`;
  await forgetDue(tx, tests);
  return tests;
}

/** Claims the given tests, except locked ones. */
export async function claimTests(tx: Tx, ids: readonly string[]): Promise<readonly ClaimedTest[]> {
  const tests = await tx.$queryRaw<ClaimedTest[]>`/* due-tests claimTests */
    SELECT ${CLAIMED}
    FROM "TestCase" t WHERE t."id" = ANY(${ids}::uuid[]) FOR NO KEY UPDATE OF t SKIP LOCKED`;
  await forgetDue(tx, tests);
  return tests;
}

/** Locks one test of a repository, and waits for its lock if needed; undefined: the test does not exist. */
export async function lockTest(tx: Tx, repositoryId: string, id: string): Promise<ClaimedTest | undefined> {
  const [test] = await tx.$queryRaw<ClaimedTest[]>`/* due-tests lockTest */
    SELECT ${CLAIMED}
    FROM "TestCase" t WHERE t."id" = ${id}::uuid AND t."repositoryId" = ${repositoryId}::uuid
    FOR NO KEY UPDATE OF t`;
  return test;
}

/** Must run before the facts of the tests are read: results that arrive later then make a test due again. */
async function forgetDue(tx: Tx, tests: readonly ClaimedTest[]): Promise<void> {
  if (tests.length === 0) return;
  await tx.$executeRaw`/* due-tests forgetDue */
    DELETE FROM test_results.judgement_due WHERE test_case_id IN (
      SELECT test_case_id FROM test_results.judgement_due
      WHERE test_case_id = ANY(${tests.map(({ id }) => id)}::uuid[]) FOR UPDATE SKIP LOCKED)`;
}
