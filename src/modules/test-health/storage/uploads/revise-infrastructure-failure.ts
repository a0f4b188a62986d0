import type { SqlTransaction } from '../../../../platform/database/sql';
import { BRANCH_CLASS_CODES } from '../../rules/branches';
import { DistinctTests } from '../../rules/distinct-tests';
import { isInfrastructureFailure } from '../../rules/infrastructure-failure';
import type { UploadRow } from './upload-row';

/** The number that distinguishes these locks from all other advisory locks of the database. */
const COMMIT_LOCKS = 0x63_6f_6d_6d;
/** The number of latest other commits on which a test is looked up. A test was healthy if it passed on one of them. */
const LATEST_COMMITS = 10;
/**
 * The maximum number of results for each branch class: several jobs may have tested each commit, and each job several
 * times.
 */
const READ_RESULTS = 100;

interface Sibling {
  readonly id: string;
  readonly counted: boolean;
  readonly failed: number;
  readonly sketch: readonly number[];
}

/**
 * Evaluates again whether the uploads of a commit, including this one, show an infrastructure failure. Returns the
 * tests whose evidence changes: all tests that failed in any of these uploads. Uploads of one commit wait in this
 * function until the previous one has committed, so the last upload sees all of them. Must run before tests are marked
 * as due, so that a waiting upload holds no locks of tests.
 */
export async function reviseInfrastructureFailure(
  tx: SqlTransaction,
  upload: UploadRow,
  limit: number,
): Promise<readonly string[]> {
  const { repositoryId, commit, branchClass, prNumber } = upload;
  await tx.execute`/* revise-infrastructure-failure reviseInfrastructureFailure */ SELECT pg_advisory_xact_lock(${COMMIT_LOCKS}, hashtext(${`${repositoryId} ${commit}`}))`;
  // Uploads of a pull request for a commit say nothing about other runs.
  const siblings = await tx.rows<Sibling>`/* revise-infrastructure-failure reviseInfrastructureFailure 2 */
    SELECT "id"::text, "counted", "failed", "sketch" FROM "TestUpload"
    WHERE "repositoryId" = ${repositoryId} AND "commit" = ${commit} AND "branchClass" = ${branchClass} AND "prNumber" IS NOT DISTINCT FROM ${prNumber}::int`;
  const isOut = await isInfrastructureFailureOf(tx, siblings, upload, limit);
  const revised = siblings.filter(({ counted }) => counted === isOut).map(({ id }) => id);
  if (revised.length === 0) return [];
  await tx.execute`/* revise-infrastructure-failure reviseInfrastructureFailure 3 */ UPDATE "TestUpload" SET "counted" = ${!isOut} WHERE "id" = ANY(${revised}::bigint[])`;
  const rows = await tx.rows<{
    id: string;
  }>`/* revise-infrastructure-failure reviseInfrastructureFailure 4 */ SELECT DISTINCT test_case_id AS id FROM test_results.upload_failure WHERE upload_id = ANY(${revised}::bigint[])`;
  return rows.map(({ id }) => id);
}

/** Reads the earlier results of the failed tests only if their number makes an infrastructure failure possible. */
async function isInfrastructureFailureOf(
  tx: SqlTransaction,
  siblings: readonly Sibling[],
  { commit }: UploadRow,
  limit: number,
): Promise<boolean> {
  const distinct = new DistinctTests();
  for (const { sketch } of siblings) distinct.addSketch(sketch);
  const failed = siblings.reduce((sum, sibling) => sum + sibling.failed, 0);
  const ran = distinct.count;
  if (!isInfrastructureFailure({ ran, healthyFailed: failed }, limit)) return false;
  const rows = await tx.rows<{ count: number }>`/* revise-infrastructure-failure isInfrastructureFailureOf */
    SELECT count(*)::int AS count
    FROM (SELECT DISTINCT test_case_id FROM test_results.upload_failure WHERE upload_id = ANY(${siblings.map(({ id }) => id)}::bigint[])) f
    WHERE EXISTS (
      SELECT 1 FROM unnest(ARRAY[${BRANCH_CLASS_CODES.stable}::smallint, ${BRANCH_CLASS_CODES.queue}::smallint]) AS c (branch_class) CROSS JOIN LATERAL (
        SELECT bool_or(latest.outcome = 0 AND u."counted") AS passed
        FROM (
          SELECT r.outcome, r.upload_id, r.occurred_at FROM test_results.result r
          WHERE r.test_case_id = f.test_case_id AND r.branch_class = c.branch_class AND r.branch_class <> 1 AND r.outcome <> 2
          ORDER BY r.occurred_at DESC LIMIT ${READ_RESULTS}
        ) latest JOIN "TestUpload" u ON u."id" = latest.upload_id
        WHERE u."commit" <> ${commit} GROUP BY u."commit" ORDER BY max(latest.occurred_at) DESC LIMIT ${LATEST_COMMITS}
      ) commits WHERE commits.passed)`;
  return isInfrastructureFailure({ ran, healthyFailed: rows[0]!.count }, limit);
}
