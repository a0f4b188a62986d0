import { Prisma } from '../../../../generated/prisma/client';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { type ActiveMove, renameMoved } from '../moves/active-moves';
import { copyLines } from './copy';
import { takeOverFormerTests } from './former-tests';
import { SEEN_EVERY_MS } from './known-tests';
import { findRandomNames, joinRandomNames } from './random-names';
import { setAsideTooMany } from './too-many-tests';
import type { StoredTests, UploadOfTests } from './stored-tests';
import type { UploadSpool } from './upload-spool';

const NOTHING: StoredTests = { areRenamed: false, storedAs: new Map(), passing: new Set(), setAside: 0 };

/**
 * Stores new tests, and changes of known tests. Afterwards the table `renamed_test` lists the ids of the spool whose
 * results belong to a test with another id. With `is_joined`, the results of several ids become one result.
 */
export async function storeTests(
  tx: SqlTransaction,
  upload: UploadOfTests,
  spool: UploadSpool,
  moves: readonly ActiveMove[],
): Promise<StoredTests> {
  if (spool.tests.isEmpty && moves.length === 0) return NOTHING;
  await tx.execute`/* store-tests storeTests */
    CREATE TEMPORARY TABLE incoming_test (
      id UUID, name TEXT, variant TEXT, file TEXT, parent TEXT, classname TEXT, owners TEXT[], former UUID,
      pattern UUID, pattern_name TEXT, pattern_file TEXT, pattern_parent TEXT, pattern_classname TEXT
    ) ON COMMIT DROP`;
  await tx.execute`/* store-tests storeTests 2 */
    CREATE TEMPORARY TABLE renamed_test (
      id UUID PRIMARY KEY, stored_as UUID, is_joined BOOLEAN, is_moved BOOLEAN NOT NULL DEFAULT false
    ) ON COMMIT DROP`;
  await copyLines(tx, 'incoming_test', spool.tests);
  await renameMoved(tx, moves, spool);
  await takeOverFormerTests(tx, upload, spool);
  if (spool.has.pattern) await joinRandomNames(tx);
  await markSeen(tx, upload);
  const setAside = await setAsideTooMany(tx, upload);
  await insertNew(tx, upload, spool);
  if (spool.has.pattern) await findRandomNames(tx, upload);
  await writeOwners(tx);
  return { ...(await namesOf(tx, upload, spool.rememberedIds)), setAside };
}

/** Updates known tests. Rows that other transactions have locked are left for the next upload. */
async function markSeen(tx: SqlTransaction, { receivedAt }: UploadOfTests): Promise<void> {
  await tx.execute`/* store-tests markSeen */
    WITH incoming AS (
      SELECT coalesce(r.stored_as, i.id) AS id, min(CASE WHEN r.is_joined THEN NULL ELSE i.pattern::text END)::uuid AS pattern
      FROM incoming_test i LEFT JOIN renamed_test r ON r.id = i.id GROUP BY 1
    ), seen AS MATERIALIZED (
      SELECT t."id", n.pattern FROM incoming n JOIN "TestCase" t ON t."id" = n.id
      WHERE t."lastSeenAt" < ${notedBefore(receivedAt)}::timestamptz OR (n.pattern IS NOT NULL AND NOT t."seenAgain")
      ORDER BY t."id" FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE "TestCase" t SET "lastSeenAt" = greatest(t."lastSeenAt", ${receivedAt}::timestamptz),
      "patternId" = coalesce(s.pattern, t."patternId"), "seenAgain" = t."seenAgain" OR s.pattern IS NOT NULL
    FROM seen s WHERE t."id" = s."id"`;
}

/**
 * Inserts in the order of ids, so that two uploads cannot deadlock. A test that an older version stored together with
 * another test inherits the manual settings of that test.
 */
async function insertNew(tx: SqlTransaction, upload: UploadOfTests, spool: UploadSpool): Promise<void> {
  const rows = await tx.rows<{ id: string }>`/* store-tests insertNew */
    INSERT INTO "TestCase" ("id", "repositoryId", "name", "variant", "filePath", "parent", "classname", "codeowners",
      "firstSeenAt", "lastSeenAt", "patternId", "status", "statusReason", "statusChangedAt", "quarantineSetting",
      "quarantined", "quarantinedAt", "ticketUrl")
    SELECT DISTINCT ON (i.id) i.id, ${upload.repositoryId}::uuid, i.name, i.variant, i.file, i.parent, i.classname, i.owners,
      ${upload.receivedAt}::timestamptz, ${upload.receivedAt}::timestamptz, i.pattern, 'healthy', 'no monitor is active on the test', ${upload.receivedAt}::timestamptz,
      coalesce(f."quarantineSetting", 'unspecified'),
      coalesce(f."quarantined" AND f."quarantineSetting" = 'always_quarantine', false),
      CASE WHEN f."quarantined" AND f."quarantineSetting" = 'always_quarantine' THEN ${upload.receivedAt}::timestamptz END, f."ticketUrl"
    FROM incoming_test i LEFT JOIN "TestCase" f ON f."id" = i.former AND f."repositoryId" = ${upload.repositoryId}::uuid
    WHERE NOT EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = i.id)
      AND NOT EXISTS (SELECT 1 FROM renamed_test r WHERE r.id = i.id)
    ORDER BY i.id
    ON CONFLICT ("id") DO NOTHING ${spool.has.former ? Prisma.sql`RETURNING "id"` : Prisma.empty}`;
  if (!spool.has.former || rows.length === 0) return;
  await tx.execute`/* store-tests insertNew 2 */
    INSERT INTO "TestQuarantineChange" ("testCaseId", "at", "setting", "quarantined", "reason")
    SELECT DISTINCT ON (t."id") t."id", ${upload.receivedAt}::timestamptz, t."quarantineSetting", t."quarantined",
      'set for the test ' || i.former || ', which stood for this one, too'
    FROM incoming_test i JOIN "TestCase" t ON t."id" = i.id
    WHERE i.id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND i.former IS NOT NULL AND t."quarantineSetting" <> 'unspecified'`;
}

/** Writes the owners of tests. An upload without owners does not change any owners. */
async function writeOwners(tx: SqlTransaction): Promise<void> {
  await tx.execute`/* store-tests writeOwners */
    WITH changed AS MATERIALIZED (
      SELECT t."id", i.owners
      FROM incoming_test i LEFT JOIN renamed_test r ON r.id = i.id JOIN "TestCase" t ON t."id" = coalesce(r.stored_as, i.id)
      WHERE i.owners <> '{}' AND t."codeowners" <> i.owners
      ORDER BY t."id" FOR NO KEY UPDATE OF t
    )
    UPDATE "TestCase" t SET "codeowners" = c.owners FROM changed c WHERE t."id" = c."id"`;
}

/** `ids`: the ids of the tests that the process would cache. An upload may have millions of other tests. */
async function namesOf(
  tx: SqlTransaction,
  { receivedAt }: UploadOfTests,
  ids: readonly string[],
): Promise<Omit<StoredTests, 'setAside'>> {
  const renamings = await tx.rows<{
    any: boolean;
  }>`/* store-tests namesOf */ SELECT EXISTS (SELECT 1 FROM renamed_test) AS any`;
  const renamed = await tx.rows<{
    id: string;
    stored_as: string;
  }>`/* store-tests namesOf 2 */ SELECT id, stored_as FROM renamed_test WHERE id = ANY(${ids}::uuid[])`;
  const passing = await tx.rows<{ id: string }>`/* store-tests namesOf 3 */
    SELECT i.id FROM incoming_test i LEFT JOIN renamed_test r ON r.id = i.id
    JOIN "TestCase" t ON t."id" = coalesce(r.stored_as, i.id)
    WHERE i.id = ANY(${ids}::uuid[])
      AND (r.is_joined OR r.is_moved OR (i.pattern IS NOT NULL AND NOT t."seenAgain") OR t."lastSeenAt" < ${notedBefore(receivedAt)}::timestamptz)`;
  return {
    areRenamed: renamings[0]!.any,
    storedAs: new Map(renamed.map(({ id, stored_as }) => [id, stored_as])),
    passing: new Set(passing.map(({ id }) => id)),
  };
}

/** A stored time of the last upload of a test is updated if it is before this time. */
function notedBefore(receivedAt: Date): Date {
  return new Date(receivedAt.getTime() - SEEN_EVERY_MS);
}
