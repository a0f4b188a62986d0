import type { Tx } from '../../../../platform/database/prisma.service';
import { byAttempt } from '../../rules/attempts';
import { DAY_MS } from '../../rules/days';
import type { RetriedCommit } from '../../rules/facts';
import { mayBeRetried, type MostUploads, retriedCommit, type UploadOfTest } from '../../rules/retried-commits';
import { conditionsKey } from '../../rules/tested-run';
import { MAX_WINDOW_DAYS, MOST_RESULTS, type PassOnRetryMonitor } from '../../rules/settings';
import { onBranches } from './on-branches';
import { readUploadedRuns } from './uploaded-runs';

/** The tests that are evaluated, and the time of the evaluation. */
export interface EvaluatedTests {
  readonly repositoryId: string;
  readonly ids: readonly string[];
  readonly now: Date;
}

/**
 * The maximum number of uploads for each combination of test, code, job and conditions. A scheduled job may test one
 * commit for weeks.
 */
const MOST_UPLOADS = 100;

/** Finds the commits, or trees, on which tests failed within the quiet time and were retried. */
export async function readRetriedCommits(
  tx: Tx,
  asked: EvaluatedTests,
  monitor: PassOnRetryMonitor,
): Promise<readonly (readonly [string, RetriedCommit])[]> {
  const codes = await uploadsOnFailedCode(tx, asked, monitor);
  const ids = [...new Set(codes.filter(({ uploads }) => mayBeRetried(uploads)).map(({ id }) => id))];
  const most = await mostUploadsOfAttempt(tx, ids, asked.now);
  return codes.flatMap(({ id, uploads }) => {
    const commit = retriedCommit(uploads, { most: most(id), quietDays: monitor.quietDays, now: asked.now });
    return commit === null ? [] : [[id, commit] as const];
  });
}

interface FailedCode {
  /** The id of the test. */
  readonly id: string;
  readonly uploads: readonly UploadOfTest[];
}

interface UploadRow {
  readonly id: string;
  readonly code: string;
  readonly uploadId: bigint;
  readonly failedAt: Date | null;
  readonly passedAt: Date | null;
}

/**
 * The latest uploads of each job that tested code on which a test failed within the quiet time. Failures are few, so
 * they are read first. Then passes are read only for tests and code that failed.
 */
async function uploadsOnFailedCode(
  tx: Tx,
  { repositoryId, ids, now }: EvaluatedTests,
  { quietDays, branches }: PassOnRetryMonitor,
): Promise<readonly FailedCode[]> {
  const failedAfter = new Date(now.getTime() - quietDays * DAY_MS);
  // The range is one day longer, so that no attempt is read in part: the missing part might contain the attempt's
  // failure.
  const after = new Date(now.getTime() - (2 * quietDays + 1) * DAY_MS);
  const where = onBranches(branches);
  const rows = await tx.$queryRaw<UploadRow[]>`/* read-retried-commits uploadsOnFailedCode */
    WITH failed AS MATERIALIZED (
      SELECT DISTINCT r.test_case_id AS id, coalesce(u."tree", u."commit") AS code
      FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome = 1 AND r.counted AND u."counted"
        AND r.occurred_at > ${failedAfter} AND ${where}
    ), upload AS MATERIALIZED (
      SELECT u."id", u."job", u."conditions", coalesce(u."tree", u."commit") AS code FROM "TestUpload" u
      WHERE u."repositoryId" = ${repositoryId}::uuid AND u."counted" AND ${where} AND (
        u."commit" IN (SELECT code FROM failed) OR u."tree" IN (SELECT code FROM failed))
    ), said AS (
      SELECT r.test_case_id AS id, u.code, u."job", u."conditions", u."id" AS upload_id,
        max(r.occurred_at) FILTER (WHERE r.outcome = 1) AS failed_at,
        max(r.occurred_at) FILTER (WHERE r.outcome = 0) AS passed_at
      FROM test_results.result r
      JOIN upload u ON u."id" = r.upload_id
      JOIN failed f ON f.id = r.test_case_id AND f.code = u.code
      WHERE r.test_case_id = ANY(ARRAY(SELECT DISTINCT id FROM failed)) AND r.outcome <> 2 AND r.counted
        AND r.occurred_at > ${after}
      GROUP BY 1, 2, 3, 4, 5
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY id, code, "job", "conditions" ORDER BY greatest(failed_at, passed_at) DESC, upload_id DESC) AS place
      FROM said
    )
    SELECT id, code, upload_id AS "uploadId", failed_at AS "failedAt", passed_at AS "passedAt" FROM placed
    WHERE place <= ${MOST_UPLOADS} ORDER BY greatest(failed_at, passed_at), upload_id`;
  const runs = await readUploadedRuns(tx, [...new Set(rows.map(({ uploadId }) => uploadId))]);
  return byAttempt(rows, ({ id, code }) => `${id} ${code}`).map((own) => ({
    id: own[0]!.id,
    uploads: own.flatMap(({ uploadId, failedAt, passedAt }) => {
      const of = runs.get(uploadId);
      return of === undefined ? [] : [{ ...of, failedAt, passedAt }];
    }),
  }));
}

interface MostRow {
  readonly id: string;
  readonly job: string;
  readonly conditions: string;
  readonly isPullRequest: boolean;
  readonly most: number;
}

/** Counts the uploads of each attempt among the latest results of each test. */
async function mostUploadsOfAttempt(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<(testCaseId: string) => MostUploads> {
  if (ids.length === 0) return () => () => 1;
  const after = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
  const rows = await tx.$queryRaw<MostRow[]>`/* read-retried-commits mostUploadsOfAttempt */
    SELECT id, "job", "conditions", "isPullRequest", max(uploads)::int AS "most" FROM (
      SELECT t.id, u."job", u."conditions", u."branchClass" = 'pull_request' AS "isPullRequest", count(DISTINCT u."id") AS uploads
      FROM unnest(${ids}::uuid[]) AS t (id) CROSS JOIN LATERAL (
        SELECT r.upload_id FROM test_results.result r
        WHERE r.test_case_id = t.id AND r.outcome <> 2 AND r.occurred_at > ${after}
        ORDER BY r.occurred_at DESC LIMIT ${MOST_RESULTS}
      ) latest JOIN "TestUpload" u ON u."id" = latest.upload_id
      WHERE u."attempt" <> '' GROUP BY t.id, u."job", u."conditions", u."branchClass", u."commit", u."attempt"
    ) attempt GROUP BY 1, 2, 3, 4`;
  return (testCaseId) => (key, withPullRequests) => {
    const own = rows.filter((row) => row.id === testCaseId && conditionsKey(row) === key);
    return Math.max(1, ...own.filter((row) => withPullRequests || !row.isPullRequest).map(({ most }) => most));
  };
}
