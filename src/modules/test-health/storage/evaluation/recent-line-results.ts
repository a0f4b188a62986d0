import type { Tx } from '../../../../platform/database/prisma.service';
import { BRANCH_CLASS_CODES } from '../../rules/branches';
import { DAY_MS } from '../../rules/days';
import { MAX_WINDOW_DAYS, MOST_RESULTS } from '../../rules/settings';
import type { UploadedResult } from '../../rules/attempts';
import { readUploadedRuns } from './uploaded-runs';

interface OutcomeRow {
  readonly id: string;
  readonly uploadId: bigint;
  readonly outcome: number;
  readonly at: Date;
}

/**
 * The latest counted results of each test on stable and on testing branches, by test id. A separate index serves these
 * queries. The tested code is read once for each upload, because the tests of an upload share it.
 */
export async function readRecentResults(
  tx: Tx,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<ReadonlyMap<string, readonly UploadedResult[]>> {
  const after = new Date(now.getTime() - MAX_WINDOW_DAYS * DAY_MS);
  const { stable, queue } = BRANCH_CLASS_CODES;
  const rows = await tx.$queryRaw<OutcomeRow[]>`/* recent-line-results readRecentResults */
    SELECT t.id, latest.outcome::int AS "outcome", latest.upload_id AS "uploadId", latest.occurred_at AS "at"
    FROM unnest(${ids}::uuid[]) AS t (id) CROSS JOIN unnest(${[stable, queue]}::smallint[]) AS c (branch_class)
    CROSS JOIN LATERAL (
      SELECT r.outcome, r.upload_id, r.occurred_at FROM test_results.result r
      WHERE r.test_case_id = t.id AND r.branch_class = c.branch_class AND r.branch_class <> 1 AND r.outcome <> 2
        AND r.occurred_at > ${after}
      ORDER BY r.occurred_at DESC LIMIT ${MOST_RESULTS}
    ) latest`;
  const runs = await readUploadedRuns(tx, [...new Set(rows.map(({ uploadId }) => uploadId))]);
  const results = new Map<string, UploadedResult[]>();
  for (const { id, uploadId, outcome, at } of rows) {
    const of = runs.get(uploadId);
    if (!of) continue;
    const { run, attempt } = of;
    const own = results.get(id);
    const result: UploadedResult = {
      ...{ outcome: outcome === 1 ? 'failed' : 'passed', at, run },
      ...{ attempt, uploadId: `${uploadId}` },
    };
    if (own) own.push(result);
    else results.set(id, [result]);
  }
  return results;
}
