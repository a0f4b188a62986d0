import type { Tx } from '../../../platform/database/prisma.service';
import { BRANCH_CLASS_CODES } from '../../rules/branches';
import { DAY_MS } from '../../rules/days';
import { MAX_WINDOW_DAYS, MOST_RESULTS } from '../../rules/settings';
import type { RunResult, ReportedRun } from '../../rules/tested-run';
import { RESULT_COLUMNS, type ResultRow, resultOf } from './result-row';

interface OutcomeRow {
  readonly id: string;
  readonly uploadId: bigint;
  readonly outcome: number;
  readonly at: Date;
}

/**
 * The latest results that count of each test on stable and on testing branches, by id of the test. They come from an index of
 * their own. What was tested is read once for each upload, because the tests of an upload share it.
 */
export async function readRecentResults(
  tx: Tx,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<ReadonlyMap<string, readonly RunResult[]>> {
  const after = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
  const { stable, queue } = BRANCH_CLASS_CODES;
  const rows = await tx.$queryRaw<OutcomeRow[]>`
    SELECT t.id, latest.outcome::int AS "outcome", latest.upload_id AS "uploadId", latest.occurred_at AS "at"
    FROM unnest(${ids}::uuid[]) AS t (id) CROSS JOIN unnest(${[stable, queue]}::smallint[]) AS c (branch_class)
    CROSS JOIN LATERAL (
      SELECT r.outcome, r.upload_id, r.occurred_at FROM test_results.result r
      WHERE r.test_case_id = t.id AND r.branch_class = c.branch_class AND r.branch_class <> 1 AND r.outcome <> 2
        AND r.occurred_at > ${after}
      ORDER BY r.occurred_at DESC LIMIT ${MOST_RESULTS}
    ) latest`;
  const runs = await readRuns(tx, [...new Set(rows.map(({ uploadId }) => uploadId))]);
  const results = new Map<string, RunResult[]>();
  for (const { id, uploadId, outcome, at } of rows) {
    const run = runs.get(uploadId);
    if (!run) continue;
    const own = results.get(id);
    const result: RunResult = { outcome: outcome === 1 ? 'failed' : 'passed', at, run };
    if (own) own.push(result);
    else results.set(id, [result]);
  }
  return results;
}

async function readRuns(tx: Tx, uploadIds: readonly bigint[]): Promise<ReadonlyMap<bigint, ReportedRun>> {
  const rows = await tx.$queryRaw<(ResultRow & { readonly id: bigint })[]>`
    SELECT u."id", ${RESULT_COLUMNS} FROM "TestUpload" u
    CROSS JOIN LATERAL (SELECT 0 AS outcome, u."receivedAt" AS occurred_at) r
    WHERE u."id" = ANY(${uploadIds}::bigint[]) AND u."counted"`;
  return new Map(rows.map((row) => [row.id, resultOf(row).run]));
}
