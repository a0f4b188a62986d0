import type { QueueSnapshot, StatusFact, TestRun, UploadFact } from '../../../engine/model';
import type { Statements } from '../../../platform/database/statements';
import type { QueueRow } from '../queue-lock';

/** The number of newest test runs with a result that show whether CI uploads test results, and in how many parts. */
const LAST_RUNS = 5;

/**
 * Reads the uploads for the commits under test. Only a failed test run needs them, so nothing is read before a status
 * has failed.
 */
export async function readUploads(
  tx: Statements,
  { id, repositoryId }: QueueRow,
  runs: readonly TestRun[],
  reports: readonly StatusFact[],
): Promise<Pick<QueueSnapshot, 'uploads' | 'usualUploads'>> {
  const inTest = runs.flatMap(({ phase, commit }) => (phase === 'testing' && commit !== null ? commit : []));
  const isRed = reports.some(({ state, commit }) => state === 'failed' && inTest.includes(commit));
  if (!isRed) return { uploads: [], usualUploads: 0 };
  const uploads = await tx.rows<UploadFact>`/* read-uploads readUploads */
    SELECT "commit", "upload", "flaky", "others", "tests" FROM "UploadFact"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "commit" = ANY(${inTest}::text[]) ORDER BY "upload"`;
  return { uploads, usualUploads: await usualUploads(tx, id, repositoryId) };
}

async function usualUploads(tx: Statements, queueId: string, repositoryId: string): Promise<number> {
  const [row] = await tx.rows<{ most: number }>`/* read-uploads usualUploads */
    SELECT coalesce(max(u.count), 0)::int AS "most"
    FROM (
      SELECT "commit" FROM "TestRun"
      WHERE "queueId" = ${queueId}::uuid AND "resultAt" IS NOT NULL AND "pushedAt" IS NOT NULL
      ORDER BY "number" DESC LIMIT ${LAST_RUNS}
    ) r CROSS JOIN LATERAL (
      SELECT count(*) FROM "UploadFact" WHERE "repositoryId" = ${repositoryId}::uuid AND "commit" = r."commit"
    ) u`;
  return row!.most;
}
