import type { PoolClient } from 'pg';
import { copyLines } from './copy-lines';
import type { UploadSpool } from './upload-spool';

interface Upload {
  readonly repositoryId: string;
  readonly receivedAt: Date;
  readonly counted: boolean;
}

/** A test that failed as long ago as that may owe a verdict to a pass. */
const REMEMBERED_DAYS = 30;

/** Failures by test, day and message, and which tests are to be judged: those are answered. */
export async function storeFailures(
  client: PoolClient,
  id: string,
  upload: Upload,
  spool: UploadSpool,
): Promise<readonly string[]> {
  if (!spool.failures.isEmpty) await storeGroups(client, id, upload, spool);
  return upload.counted ? markForJudgement(client, upload) : [];
}

async function storeGroups(client: PoolClient, id: string, upload: Upload, spool: UploadSpool): Promise<void> {
  await client.query(
    'CREATE TEMPORARY TABLE incoming_failure (id UUID, at TIMESTAMPTZ, summary_id BIGINT, summary TEXT) ON COMMIT DROP',
  );
  await copyLines(client, 'incoming_failure', spool.failures);
  await client.query(
    `INSERT INTO test_results.upload_failure (upload_id, test_case_id)
     SELECT DISTINCT $1::bigint, id FROM incoming_failure`,
    [id],
  );
  if (!upload.counted) return;
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

async function markForJudgement(client: PoolClient, upload: Upload): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH due AS (
       SELECT DISTINCT t."id" FROM incoming_test i JOIN "TestCase" t ON t."id" = i.id
       WHERE t."lastFailedAt" > $2::timestamptz - make_interval(days => $3) ORDER BY t."id"
     ), marked AS (
       INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
       SELECT "id", $1::uuid, $2::timestamptz FROM due ON CONFLICT (test_case_id) DO NOTHING
     )
     SELECT "id" AS id FROM due`,
    [upload.repositoryId, upload.receivedAt, REMEMBERED_DAYS],
  );
  return rows.map((row) => row.id);
}
