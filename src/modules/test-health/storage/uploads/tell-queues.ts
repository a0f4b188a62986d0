import type { ResultsUploaded } from '../../../../domain/host-event';
import type { SqlTransaction } from '../../../../platform/database/sql';
import type { UploadRow } from './upload-row';
import type { UploadSpool } from './upload-spool';

type FailedTests = Pick<ResultsUploaded, 'flaky' | 'others' | 'tests'>;

/** The maximum number of failed tests to read. If more tests failed, it does not matter which tests are known. */
const MOST_READ = 1_000;
const MOST_NAMED = 3;
const LONGEST_NAME = 200;

/**
 * Notifies the queues about an upload for a commit that they test: an event in their inbox, stored with the upload.
 * Must run before the tests are evaluated, because only earlier knowledge about the tests counts. A candidate is stored
 * before its branch is pushed, so no upload arrives before its candidate is known.
 */
export async function tellQueues(tx: SqlTransaction, id: string, upload: UploadRow, spool: UploadSpool): Promise<void> {
  const { repositoryId, commit, receivedAt } = upload;
  const rows = await tx.rows<{ host: string }>`/* tell-queues tellQueues */
    SELECT r."host" FROM "Candidate" c JOIN "Repository" r ON r."id" = c."repositoryId"
    WHERE c."repositoryId" = ${repositoryId} AND c."commit" = ${commit}`;
  const [repository] = rows;
  if (repository === undefined) return;
  const tests = upload.testExitCode === 0 ? NONE : await failuresIn(tx, id, upload, spool);
  const event: ResultsUploaded = { type: 'results_uploaded', repositoryId, commit, upload: id, ...tests };
  await tx.execute`/* tell-queues tellQueues 2 */
    INSERT INTO "InboxDelivery" ("host", "deliveryId", "repositoryId", "type", "payload", "receivedAt", "notBefore")
    VALUES (${repository.host}, ${`upload-${id}`}, ${repositoryId}, ${event.type}, ${JSON.stringify(event)}, ${receivedAt}, ${receivedAt})`;
}

const NONE: FailedTests = { flaky: 0, others: 0, tests: [] };

/** A failure outside tests, or an unreadable report, is not a failure of a known test. */
async function failuresIn(tx: SqlTransaction, id: string, upload: UploadRow, spool: UploadSpool): Promise<FailedTests> {
  const { refusedCount, outsideTests, unmetTotals } = spool.findings.toJSON();
  const elsewhere = refusedCount + outsideTests.length + unmetTotals.length;
  const tests = spool.failed === 0 ? NONE : await failedTestsOf(tx, id, upload, spool);
  return { ...tests, others: tests.others + elsewhere };
}

/**
 * A test that passed in the same upload was retried and did not fail. Knowledge from pull requests only does not count.
 */
async function failedTestsOf(
  tx: SqlTransaction,
  id: string,
  { ignoresQuarantined }: UploadRow,
  { earliest, latest }: UploadSpool,
): Promise<FailedTests> {
  const rows = await tx.rows<FailedTests>`/* tell-queues failedTestsOf */
    SELECT count(*) FILTER (WHERE known)::int AS flaky, count(*) FILTER (WHERE NOT known)::int AS others,
      coalesce((array_agg(name ORDER BY name) FILTER (WHERE known))[1:${MOST_NAMED}], '{}') AS tests
    FROM (
      SELECT left(t."name", ${LONGEST_NAME}) AS name,
        t."quarantined" OR (t."status" = 'flaky' AND NOT t."statusFromPullRequests" AND NOT t."outsideTests") AS known
      FROM (SELECT test_case_id FROM test_results.upload_failure WHERE upload_id = ${id} LIMIT ${MOST_READ}) f
      JOIN "TestCase" t ON t."id" = f.test_case_id
      WHERE NOT (t."quarantined" AND ${ignoresQuarantined}) AND NOT EXISTS (
        SELECT 1 FROM test_results.result r
        WHERE r.test_case_id = f.test_case_id AND r.upload_id = ${id} AND r.outcome = 0
          AND r.occurred_at BETWEEN ${earliest} AND ${latest})
    ) failed`;
  return rows[0]!;
}
