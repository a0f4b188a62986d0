import { Prisma } from '../../../../generated/prisma/client';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { copyLines } from './copy';
import { failuresWithoutRepeats } from './repeated-results';
import type { StoredNames } from './store-results';
import type { UploadSpool } from './upload-spool';

interface Upload {
  readonly id: string;
  readonly repositoryId: string;
}

/** The number of failure groups of a test whose last message is kept. */
const MOST_MESSAGES = 10;

/** Stores the failed tests of the upload, their failures by day and message, and the last messages. */
export async function storeFailures(
  tx: SqlTransaction,
  { id, repositoryId }: Upload,
  spool: UploadSpool,
  names: StoredNames,
): Promise<void> {
  if (spool.failures.isEmpty) return;
  await tx.execute`/* store-failures storeFailures */ CREATE TEMPORARY TABLE incoming_failure (id UUID, at TIMESTAMPTZ, summary_id BIGINT, summary TEXT, is_attempt BOOLEAN) ON COMMIT DROP`;
  const change = spool.names.any ? failuresWithoutRepeats(spool.names, names.retries) : undefined;
  await copyLines(tx, 'incoming_failure', spool.failures, change);
  if (names.areRenamed) await renameIn(tx, 'incoming_failure');
  await tx.execute`/* store-failures storeFailures 2 */
    INSERT INTO test_results.upload_failure (upload_id, test_case_id)
    SELECT DISTINCT ${id}::bigint, id FROM incoming_failure`;
  await tx.execute`/* store-failures storeFailures 3 */
    WITH failed AS MATERIALIZED (
      SELECT t."id", f.last FROM (SELECT id, max(at) AS last FROM incoming_failure GROUP BY id) f
      JOIN "TestCase" t ON t."id" = f.id ORDER BY t."id" FOR NO KEY UPDATE OF t
    )
    UPDATE "TestCase" t SET "lastFailedAt" = greatest(t."lastFailedAt", f.last) FROM failed f WHERE t."id" = f."id"`;
  await markOutsideTests(tx, spool, names);
  await tx.execute`/* store-failures storeFailures 4 */
    INSERT INTO test_results.failure_group
      (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
    SELECT ${repositoryId}::uuid, (at AT TIME ZONE 'UTC')::date, id, summary_id, min(summary), count(*), min(at), max(at)
    FROM incoming_failure GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
    ON CONFLICT (repository_id, day, test_case_id, summary_id) DO UPDATE
      SET failures = failure_group.failures + excluded.failures,
        first_at = least(failure_group.first_at, excluded.first_at),
        last_at = greatest(failure_group.last_at, excluded.last_at)`;
  await storeMessages(tx, id, spool, names);
}

/** Needs no order of ids, because the rows are locked already. */
async function markOutsideTests(
  tx: SqlTransaction,
  { outsideTests }: UploadSpool,
  { areRenamed }: StoredNames,
): Promise<void> {
  if (outsideTests.size === 0) return;
  await tx.execute`/* store-failures markOutsideTests */ CREATE TEMPORARY TABLE outside_test (id UUID) ON COMMIT DROP`;
  await tx.execute`/* store-failures markOutsideTests 2 */ INSERT INTO outside_test SELECT unnest(${[...outsideTests]}::uuid[])`;
  if (areRenamed) await renameIn(tx, 'outside_test');
  await tx.execute`/* store-failures markOutsideTests 3 */
    UPDATE "TestCase" SET "outsideTests" = true WHERE NOT "outsideTests"
      AND "id" IN (SELECT id FROM outside_test INTERSECT SELECT id FROM incoming_failure)`;
}

async function renameIn(tx: SqlTransaction, table: string): Promise<void> {
  await tx.execute`/* store-failures renameIn */ UPDATE ${Prisma.raw(table)} f SET id = r.stored_as FROM renamed_test r WHERE r.id = f.id`;
}

/** Must run after the rows of the tests are locked: otherwise two uploads could wait for each other. */
async function storeMessages(
  tx: SqlTransaction,
  id: string,
  spool: UploadSpool,
  { areRenamed }: StoredNames,
): Promise<void> {
  await tx.execute`/* store-failures storeMessages */
    CREATE TEMPORARY TABLE incoming_message (
      id UUID, at TIMESTAMPTZ, summary_id BIGINT, summary TEXT, message TEXT, stack TEXT
    ) ON COMMIT DROP`;
  await copyLines(tx, 'incoming_message', spool.messages);
  if (areRenamed) await renameIn(tx, 'incoming_message');
  await tx.execute`/* store-failures storeMessages 2 */
    INSERT INTO test_results.failure_message AS m
      (test_case_id, summary_id, upload_id, failed_at, summary, message, stack)
    SELECT DISTINCT ON (id, summary_id) id, summary_id, ${id}::bigint, at, summary, message, stack
    FROM incoming_message JOIN (SELECT DISTINCT id, summary_id FROM incoming_failure) stored USING (id, summary_id)
    ORDER BY id, summary_id, at DESC
    ON CONFLICT (test_case_id, summary_id) DO UPDATE
      SET upload_id = excluded.upload_id, failed_at = excluded.failed_at, message = excluded.message, stack = excluded.stack
      WHERE m.failed_at <= excluded.failed_at`;
  await tx.execute`/* store-failures storeMessages 3 */
    DELETE FROM test_results.failure_message m USING (
      SELECT test_case_id, summary_id, row_number() OVER (PARTITION BY test_case_id ORDER BY failed_at DESC) AS place
      FROM test_results.failure_message WHERE test_case_id IN (SELECT id FROM incoming_message)
    ) old
    WHERE old.place > ${MOST_MESSAGES} AND m.test_case_id = old.test_case_id AND m.summary_id = old.summary_id`;
}
