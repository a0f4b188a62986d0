import type { SqlTransaction } from '../../../../platform/database/sql';
import { DAY_MS } from '../../rules/days';
import { RANDOM_NAME_HOURS, RETIRED_AFTER_DAYS } from '../../rules/live-tests';
import type { UploadOfTests } from './stored-tests';

/**
 * A name whose pattern is a test belongs to that test. A name that was seen twice keeps its own test, because a name
 * that returns is not random. A name that was stored before patterns existed keeps its own test too.
 */
export async function joinRandomNames(tx: SqlTransaction): Promise<void> {
  await tx.execute`/* random-names joinRandomNames */
    INSERT INTO renamed_test (id, stored_as, is_joined)
    SELECT DISTINCT i.id, p."id", true FROM incoming_test i JOIN "TestCase" p ON p."id" = i.pattern
    WHERE NOT EXISTS (
      SELECT 1 FROM "TestCase" t WHERE t."id" = i.id AND (t."seenAgain" OR t."patternId" IS NULL))
    ON CONFLICT (id) DO NOTHING`;
}

/**
 * Makes one test for each pattern whose names come once and never again. From the next upload on, results of such names
 * belong to that test.
 */
export async function findRandomNames(tx: SqlTransaction, { repositoryId, receivedAt }: UploadOfTests): Promise<void> {
  const since = new Date(receivedAt.getTime() - RETIRED_AFTER_DAYS * DAY_MS);
  await tx.execute`/* random-names findRandomNames */
    INSERT INTO "TestCase" ("id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners",
      "firstSeenAt", "lastSeenAt", "status", "statusReason", "statusChangedAt", "quarantineSetting", "quarantined")
    SELECT DISTINCT ON (i.pattern) i.pattern, ${repositoryId}::uuid, i.pattern_name, i.variant, i.pattern_file, i.pattern_parent,
      i.pattern_classname, i.owners, ${receivedAt}::timestamptz, ${receivedAt}::timestamptz, 'healthy', 'no monitor is active on the test', ${receivedAt}::timestamptz,
      'unspecified', false
    FROM incoming_test i WHERE i.pattern IN (
      SELECT t."patternId" FROM "TestCase" t
      WHERE t."patternId" IN (SELECT pattern FROM incoming_test) AND NOT t."seenAgain" AND t."firstSeenAt" > ${since}::timestamptz
      GROUP BY 1 HAVING count(DISTINCT date_trunc('hour', t."firstSeenAt")) >= ${RANDOM_NAME_HOURS})
    ORDER BY i.pattern
    ON CONFLICT ("id") DO NOTHING`;
}
