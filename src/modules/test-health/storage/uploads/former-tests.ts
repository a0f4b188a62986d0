import type { SqlTransaction } from '../../../../platform/database/sql';
import type { UploadOfTests } from './stored-tests';
import type { UploadSpool } from './upload-spool';

/** The number that distinguishes these locks from all other advisory locks of the database. */
const FORMER_LOCKS = 0x66_6f_72_6d;

/**
 * Lets tests keep their ids when a new version reads their identity differently. A test that was stored under a former
 * identity continues as the first of the tests for which it stood, and gets the name of that test. Uploads with the
 * same former tests wait in this function for each other.
 */
export async function takeOverFormerTests(
  tx: SqlTransaction,
  { repositoryId }: UploadOfTests,
  spool: UploadSpool,
): Promise<void> {
  if (spool.has.former)
    await tx.execute`/* former-tests takeOverFormerTests */ SELECT pg_advisory_xact_lock(${FORMER_LOCKS}, hashtext(${repositoryId}))`;
  await tx.execute`/* former-tests takeOverFormerTests 2 */
    INSERT INTO renamed_test (id, stored_as, is_joined)
    SELECT DISTINCT i.id, t."id", false FROM incoming_test i JOIN "TestCase" t ON t."identityId" = i.id
    ON CONFLICT (id) DO NOTHING`;
  if (!spool.has.former) return;
  await tx.execute`/* former-tests takeOverFormerTests 3 */
    WITH heir AS MATERIALIZED (
      SELECT DISTINCT ON (i.id) i.* FROM (SELECT DISTINCT ON (former) * FROM incoming_test ORDER BY former, id) i
      WHERE i.former IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "TestCase" t WHERE t."id" = i.id)
        AND NOT EXISTS (SELECT 1 FROM renamed_test r WHERE r.id = i.id)
        AND NOT EXISTS (SELECT 1 FROM incoming_test o WHERE o.id = i.former)
      ORDER BY i.id
    ), locked AS MATERIALIZED (
      SELECT t."id" FROM "TestCase" t JOIN heir h ON h.former = t."id"
      WHERE t."repositoryId" = ${repositoryId}::uuid AND t."identityId" IS NULL ORDER BY t."id" FOR NO KEY UPDATE OF t
    ), taken AS (
      UPDATE "TestCase" t SET "identityId" = h.id, "name" = h.name, "filePath" = h.file, "parent" = h.parent,
        "classname" = h.classname
      FROM heir h JOIN locked l ON l."id" = h.former WHERE t."id" = h.former
      RETURNING t."identityId" AS id, t."id" AS stored_as
    )
    INSERT INTO renamed_test (id, stored_as, is_joined) SELECT id, stored_as, false FROM taken`;
}
