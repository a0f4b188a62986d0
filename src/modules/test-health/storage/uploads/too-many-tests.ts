import { Prisma } from '../../../../generated/prisma/client';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { retiredBefore, TOO_MANY_TESTS } from '../../rules/live-tests';
import { testCaseId } from '../../rules/test-identity';
import type { UploadOfTests } from './stored-tests';

const NEW_TESTS = Prisma.sql`/* too-many-tests NEW_TESTS */
  SELECT DISTINCT i.id FROM incoming_test i
  WHERE NOT EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = i.id)
    AND NOT EXISTS (SELECT 1 FROM renamed_test r WHERE r.id = i.id)`;

/**
 * Stores new tests above the limit together as one test, which is never quarantined. Returns the number of such tests.
 */
export async function setAsideTooMany(
  tx: SqlTransaction,
  { repositoryId, receivedAt, mostTests }: UploadOfTests,
): Promise<number> {
  const added = await tx.rows<{
    count: number;
  }>`/* too-many-tests setAsideTooMany */ SELECT count(*)::int AS count FROM (${NEW_TESTS}) n`;
  if (added[0]!.count === 0) return 0;
  const live = await tx.rows<{
    count: number;
  }>`/* too-many-tests setAsideTooMany 2 */ SELECT count(*)::int AS count FROM "TestCase" WHERE "repositoryId" = ${repositoryId} AND "lastSeenAt" > ${retiredBefore(receivedAt)}`;
  const remaining = Math.max(mostTests - live[0]!.count, 0);
  if (added[0]!.count <= remaining) return 0;
  const { name, ...unknown } = TOO_MANY_TESTS;
  const id = testCaseId(repositoryId, TOO_MANY_TESTS);
  await tx.execute`/* too-many-tests setAsideTooMany 3 */
    INSERT INTO "TestCase" ("id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners",
      "firstSeenAt", "lastSeenAt", "status", "statusReason", "statusChangedAt", "quarantineSetting", "quarantined")
    VALUES (${id}, ${repositoryId}, ${name}, ${unknown.file}, ${unknown.file}, ${unknown.file}, ${unknown.file}, '{}', ${receivedAt}, ${receivedAt}, 'healthy', 'no monitor is active on the test', ${receivedAt}, 'never_quarantine', false)
    ON CONFLICT ("id") DO NOTHING`;
  return tx.execute`/* too-many-tests setAsideTooMany 4 */
    INSERT INTO renamed_test (id, stored_as, is_joined) SELECT n.id, ${id}::uuid, true FROM (${NEW_TESTS}) n
    ORDER BY n.id OFFSET ${remaining}`;
}
