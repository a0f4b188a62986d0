import type { PoolClient } from 'pg';
import { MAX_WINDOW_DAYS } from '../../rules/settings';
import { copyLines } from './copy-lines';
import type { UploadSpool } from './upload-spool';

interface Upload {
  readonly repositoryId: string;
  readonly receivedAt: Date;
  readonly counted: boolean;
}

/** Failures by test, day and message, and which tests are to be judged: those are answered. */
export async function storeFailures(
  client: PoolClient,
  id: string,
  upload: Upload,
  spool: UploadSpool,
): Promise<readonly string[]> {
  if (!spool.failures.isEmpty) await storeGroups(client, id, upload, spool);
  const isEmpty = spool.days.size === 0;
  return upload.counted && !isEmpty ? markForJudgement(client, id, upload, spool) : [];
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

/** A test that is due already is written, too: until the upload commits, nobody judges it and calls it done without these. */
/** A test may owe a verdict to a pass as long as a monitor remembers its failure. */
async function markForJudgement(
  client: PoolClient,
  id: string,
  { repositoryId, receivedAt }: Upload,
  { earliest, latest }: UploadSpool,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH due AS (
       SELECT t."id" FROM "TestCase" t
       WHERE t."repositoryId" = $1::uuid AND t."lastFailedAt" > $2::timestamptz - make_interval(days => $3)
         AND EXISTS (
           SELECT 1 FROM test_results.result r
           WHERE r.test_case_id = t."id" AND r.upload_id = $4 AND r.occurred_at BETWEEN $5 AND $6)
       ORDER BY t."id"
     ), marked AS (
       INSERT INTO test_results.judgement_due (test_case_id, repository_id, since)
       SELECT "id", $1::uuid, $2::timestamptz FROM due
       ON CONFLICT (test_case_id) DO UPDATE SET since = judgement_due.since
     )
     SELECT "id" AS id FROM due`,
    [repositoryId, receivedAt, MAX_WINDOW_DAYS, id, earliest, latest],
  );
  return rows.map((row) => row.id);
}
