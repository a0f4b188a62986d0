import type { Tx } from '../../../../platform/database/prisma.service';
import { dayLockKey } from '../days/day-lock';

interface Tests {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves all results of a test, and the counts of these results, to another test. Records the uploads of the results in
 * the move.
 */
export async function moveResults(tx: Tx, moveId: string, { from, to }: Tests): Promise<void> {
  await lockDays(
    tx,
    await tx.$queryRaw<DayRow[]>`/* moved-results moveResults */
      SELECT DISTINCT (occurred_at AT TIME ZONE 'UTC')::date::text AS day FROM test_results.result
      WHERE test_case_id = ${from}::uuid`,
  );
  await tx.$executeRaw`/* moved-results moveResults 2 */
    INSERT INTO "TestMoveUpload" ("moveId", "uploadId", "hasBoth")
    SELECT DISTINCT ${BigInt(moveId)}::bigint, upload_id, false FROM test_results.result WHERE test_case_id = ${from}::uuid`;
  await tx.$executeRaw`/* moved-results moveResults 3 */ UPDATE test_results.result SET test_case_id = ${to}::uuid WHERE test_case_id = ${from}::uuid`;
  await moveSums(tx, { from, to });
  await moveGroups(tx, { from, to });
  await tx.$executeRaw`/* moved-results moveResults 4 */
    UPDATE test_results.upload_failure SET test_case_id = ${to}::uuid WHERE test_case_id = ${from}::uuid
      AND upload_id IN (SELECT "uploadId" FROM "TestMoveUpload" WHERE "moveId" = ${BigInt(moveId)}::bigint)`;
}

async function moveSums(tx: Tx, { from, to }: Tests): Promise<void> {
  await tx.$executeRaw`/* moved-results moveSums */
    INSERT INTO test_results.day_total AS t (test_case_id, day, branch_class, passed, failed, skipped)
    SELECT ${to}::uuid, day, branch_class, passed, failed, skipped FROM test_results.day_total
    WHERE test_case_id = ${from}::uuid
    ON CONFLICT (test_case_id, day, branch_class) DO UPDATE
      SET passed = t.passed + excluded.passed, failed = t.failed + excluded.failed, skipped = t.skipped + excluded.skipped`;
  await tx.$executeRaw`/* moved-results moveSums 2 */ DELETE FROM test_results.day_total WHERE test_case_id = ${from}::uuid`;
}

async function moveGroups(tx: Tx, { from, to }: Tests): Promise<void> {
  await tx.$executeRaw`/* moved-results moveGroups */
    INSERT INTO test_results.failure_group AS g
      (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
    SELECT repository_id, day, ${to}::uuid, summary_id, summary, failures, first_at, last_at
    FROM test_results.failure_group WHERE test_case_id = ${from}::uuid
    ON CONFLICT (repository_id, day, test_case_id, summary_id) DO UPDATE
      SET failures = g.failures + excluded.failures, first_at = least(g.first_at, excluded.first_at),
        last_at = greatest(g.last_at, excluded.last_at)`;
  await tx.$executeRaw`/* moved-results moveGroups 2 */ DELETE FROM test_results.failure_group WHERE test_case_id = ${from}::uuid`;
  await tx.$executeRaw`/* moved-results moveGroups 3 */
    INSERT INTO test_results.failure_message AS m
      (test_case_id, summary_id, upload_id, failed_at, summary, message, stack)
    SELECT ${to}::uuid, summary_id, upload_id, failed_at, summary, message, stack
    FROM test_results.failure_message WHERE test_case_id = ${from}::uuid
    ON CONFLICT (test_case_id, summary_id) DO UPDATE
      SET upload_id = excluded.upload_id, failed_at = excluded.failed_at, message = excluded.message, stack = excluded.stack
      WHERE m.failed_at <= excluded.failed_at`;
  await tx.$executeRaw`/* moved-results moveGroups 4 */ DELETE FROM test_results.failure_message WHERE test_case_id = ${from}::uuid`;
}

/** Returns the results that arrived under the new name. Sums of days whose results are deleted stay with the test. */
export async function giveBackResults(tx: Tx, moveId: string, { from, to }: Tests): Promise<void> {
  const id = BigInt(moveId);
  const days = await tx.$queryRaw<DayRow[]>`/* moved-results giveBackResults */
    SELECT DISTINCT (r.occurred_at AT TIME ZONE 'UTC')::date::text AS day
    FROM test_results.result r JOIN "TestMoveUpload" u ON u."uploadId" = r.upload_id AND u."moveId" = ${id}::bigint
    WHERE r.test_case_id = ${from}::uuid`;
  await lockDays(tx, days);
  const given = { from, to, days: days.map(({ day }) => day) };
  for (const table of ['result', 'upload_failure', 'failure_message'] as const)
    await giveBackRows(tx, id, table, given);
  // If both tests had a message, the later message wins.
  await tx.$executeRaw`/* moved-results giveBackResults 2 */
    INSERT INTO test_results.failure_message
    SELECT r.* FROM "TestMove" m, jsonb_populate_recordset(NULL::test_results.failure_message, m."before"->'messages') r
    WHERE m."id" = ${id}::bigint ON CONFLICT DO NOTHING`;
  await sumAgain(tx, given);
  await groupAgain(tx, given);
}

type GivenBack = Tests & { readonly days: readonly string[] };

function giveBackRows(
  tx: Tx,
  moveId: bigint,
  table: 'result' | 'upload_failure' | 'failure_message',
  { from, to }: Tests,
): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE test_results.${table} r SET test_case_id = $1::uuid FROM "TestMoveUpload" u
     WHERE r.test_case_id = $2::uuid AND u."moveId" = $3::bigint AND u."uploadId" = r.upload_id`,
    ...[to, from, moveId],
  );
}

async function sumAgain(tx: Tx, { from, to, days }: GivenBack): Promise<void> {
  await tx.$executeRaw`/* moved-results sumAgain */
    DELETE FROM test_results.day_total WHERE test_case_id IN (${from}::uuid, ${to}::uuid) AND day = ANY(${days}::date[])`;
  await tx.$executeRaw`/* moved-results sumAgain 2 */
    INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
    SELECT r.test_case_id, s.day, r.branch_class, count(*) FILTER (WHERE r.outcome = 0),
      count(*) FILTER (WHERE r.outcome = 1), count(*) FILTER (WHERE r.outcome = 2)
    FROM test_results.summed_day s JOIN test_results.result r
      ON r.occurred_at >= s.day::timestamp AT TIME ZONE 'UTC' AND r.occurred_at < (s.day + 1)::timestamp AT TIME ZONE 'UTC'
    WHERE s.day = ANY(${days}::date[]) AND r.counted AND r.test_case_id IN (${from}::uuid, ${to}::uuid)
    GROUP BY 1, 2, 3`;
}

async function groupAgain(tx: Tx, { from, to, days }: GivenBack): Promise<void> {
  await tx.$executeRaw`/* moved-results groupAgain */
    INSERT INTO test_results.failure_group
      (repository_id, day, test_case_id, summary_id, summary, failures, first_at, last_at)
    SELECT g.repository_id, g.day, ${to}::uuid, g.summary_id, g.summary, count(*), min(r.occurred_at), max(r.occurred_at)
    FROM test_results.failure_group g JOIN test_results.result r
      ON r.test_case_id = ${to}::uuid AND r.outcome = 1 AND r.summary_id = g.summary_id
      AND (r.occurred_at AT TIME ZONE 'UTC')::date = g.day
    WHERE g.test_case_id = ${from}::uuid AND g.day = ANY(${days}::date[])
    GROUP BY 1, 2, 4, 5`;
  await tx.$executeRaw`/* moved-results groupAgain 2 */
    DELETE FROM test_results.failure_group g WHERE g.test_case_id = ${from}::uuid AND g.day = ANY(${days}::date[])
      AND NOT EXISTS (SELECT 1 FROM test_results.result r WHERE r.test_case_id = ${from}::uuid AND r.outcome = 1
        AND r.summary_id = g.summary_id AND (r.occurred_at AT TIME ZONE 'UTC')::date = g.day)`;
  await tx.$executeRaw`/* moved-results groupAgain 3 */
    UPDATE test_results.failure_group g SET failures = r.failures, first_at = r.first_at, last_at = r.last_at
    FROM (
      SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, summary_id, count(*)::int AS failures,
        min(occurred_at) AS first_at, max(occurred_at) AS last_at
      FROM test_results.result WHERE test_case_id = ${from}::uuid AND outcome = 1 GROUP BY 1, 2
    ) r
    WHERE g.test_case_id = ${from}::uuid AND g.day = ANY(${days}::date[]) AND r.day = g.day
      AND r.summary_id = g.summary_id`;
}

interface DayRow {
  readonly day: string;
}

/** Takes the locks of days as an upload does, so that the sum of a day counts each result for one test only. */
async function lockDays(tx: Tx, rows: readonly DayRow[]): Promise<void> {
  for (const day of rows.map((row) => row.day).sort())
    await tx.$queryRaw`/* moved-results lockDays */ SELECT pg_advisory_xact_lock_shared(${dayLockKey(day)})::text`;
}
