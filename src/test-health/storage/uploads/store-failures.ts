import type { PoolClient } from 'pg';
import { copyLines } from './copy';
import type { UploadSpool } from './upload-spool';

interface Upload {
  readonly repositoryId: string;
}

/** Stores which tests failed in the upload, and their failures by day and message. */
export async function storeFailures(client: PoolClient, id: string, upload: Upload, spool: UploadSpool): Promise<void> {
  if (spool.failures.isEmpty) return;
  await client.query(
    'CREATE TEMPORARY TABLE incoming_failure (id UUID, at TIMESTAMPTZ, summary_id BIGINT, summary TEXT) ON COMMIT DROP',
  );
  await copyLines(client, 'incoming_failure', spool.failures);
  await client.query(
    `INSERT INTO test_results.upload_failure (upload_id, test_case_id)
     SELECT DISTINCT $1::bigint, id FROM incoming_failure`,
    [id],
  );
  await client.query(
    `WITH failed AS MATERIALIZED (
       SELECT t."id", f.last FROM (SELECT id, max(at) AS last FROM incoming_failure GROUP BY id) f
       JOIN "TestCase" t ON t."id" = f.id ORDER BY t."id" FOR NO KEY UPDATE OF t
     )
     UPDATE "TestCase" t SET "lastFailedAt" = greatest(t."lastFailedAt", f.last) FROM failed f WHERE t."id" = f."id"`,
  );
  await client.query(
    `INSERT INTO test_results.failure_group
       (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
     SELECT $1::uuid, (at AT TIME ZONE 'UTC')::date, id, summary_id, min(summary), count(*), min(at), max(at)
     FROM incoming_failure GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
     ON CONFLICT (repository_id, day, test_case_id, summary_id) DO UPDATE
       SET failures = failure_group.failures + excluded.failures,
         first_at = least(failure_group.first_at, excluded.first_at),
         last_at = greatest(failure_group.last_at, excluded.last_at)`,
    [upload.repositoryId],
  );
}
