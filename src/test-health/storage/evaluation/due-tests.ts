import type { Tx } from '../../../platform/database/prisma.service';
import type { QuarantineSetting } from '../../rules/quarantine';
import type { TestStatus } from '../../rules/settings';

/** A test whose row this transaction holds: nobody else judges it, mutes its monitors or sets its quarantine. */
export interface ClaimedTest {
  readonly id: string;
  readonly repositoryId: string;
  readonly status: TestStatus;
  readonly statusReason: string;
  readonly quarantineSetting: QuarantineSetting;
  readonly quarantined: boolean;
}

// Waits for no one, as an upload does that holds the rows of its tests: what is held is left to whoever holds it, or to
// the next time.

/** Tests that something arrived for, whose alarms may be over, or whose mutes have ended. */
export async function claimDueTests(tx: Tx, limit: number, now: Date): Promise<readonly ClaimedTest[]> {
  const tests = await tx.$queryRaw<ClaimedTest[]>`
    SELECT t."id", t."repositoryId", t."status", t."statusReason", t."quarantineSetting", t."quarantined"
    FROM "TestCase" t
    WHERE t."id" IN (
      SELECT test_case_id FROM test_results.judgement_due
      UNION SELECT "testCaseId" FROM "TestAlarm" WHERE "lookAgainAt" <= ${now}
      UNION SELECT "testCaseId" FROM "TestMute" WHERE "until" <= ${now})
    LIMIT ${limit} FOR NO KEY UPDATE OF t SKIP LOCKED`;
  await forgetDue(tx, tests);
  return tests;
}

/** Those of these tests that nobody holds. */
export async function claimTests(tx: Tx, ids: readonly string[]): Promise<readonly ClaimedTest[]> {
  const tests = await tx.$queryRaw<ClaimedTest[]>`
    SELECT t."id", t."repositoryId", t."status", t."statusReason", t."quarantineSetting", t."quarantined"
    FROM "TestCase" t WHERE t."id" = ANY(${ids}::uuid[]) FOR NO KEY UPDATE OF t SKIP LOCKED`;
  await forgetDue(tx, tests);
  return tests;
}

/** One test of a repository, waiting until nobody holds it; undefined: there is none. */
export async function lockTest(tx: Tx, repositoryId: string, id: string): Promise<ClaimedTest | undefined> {
  const [test] = await tx.$queryRaw<ClaimedTest[]>`
    SELECT t."id", t."repositoryId", t."status", t."statusReason", t."quarantineSetting", t."quarantined"
    FROM "TestCase" t WHERE t."id" = ${id}::uuid AND t."repositoryId" = ${repositoryId}::uuid
    FOR NO KEY UPDATE OF t`;
  return test;
}

/** Before anything is read of them: what arrives later makes them due again. */
async function forgetDue(tx: Tx, tests: readonly ClaimedTest[]): Promise<void> {
  if (tests.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM test_results.judgement_due WHERE test_case_id IN (
      SELECT test_case_id FROM test_results.judgement_due
      WHERE test_case_id = ANY(${tests.map(({ id }) => id)}::uuid[]) FOR UPDATE SKIP LOCKED)`;
}
