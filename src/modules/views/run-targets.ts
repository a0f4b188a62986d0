import type { QueueSnapshot } from '../../engine/model';
import type { Statements } from '../../platform/database/statements';

/** A lane is named after at most three targets, because a pull request may impact thousands of targets. */
const MOST_NAMES = 3;

interface QueueOfRepository {
  readonly id: string;
  readonly repositoryId: string;
}

/**
 * The first impacted targets of the first pull request of each run, by run number: the uploaded targets of its head, or
 * else the computed targets. A run is missing if its targets are unknown or are all targets, or if the queue has no
 * lanes.
 */
export async function readRunTargets(
  tx: Statements,
  { id: queueId, repositoryId }: QueueOfRepository,
  { mode, runs }: QueueSnapshot,
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (mode !== 'parallel') return new Map();
  const heads = runs.flatMap(({ number: run, own }) =>
    own.slice(0, 1).map(({ number, head }) => ({ run, number, head })),
  );
  const rows = await tx.rows<{ run: number; names: string[] }>`/* run-targets readRunTargets */
    SELECT h."run", t."names"
    FROM jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) AS h("run" int, "number" int, "head" text)
    CROSS JOIN LATERAL (
      (SELECT 1 AS "turn", "all", "names"[1:${MOST_NAMES}::int] AS "names" FROM "ImpactedTargets"
       WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = h."number" AND "sha" = h."head")
      UNION ALL
      (SELECT 2, c."all" OR c."configuration" IS DISTINCT FROM f."key", c."names"[1:${MOST_NAMES}::int]
       FROM "ComputedTargets" c LEFT JOIN "TargetsConfiguration" f ON f."queueId" = c."queueId"
       WHERE c."queueId" = ${queueId}::uuid AND c."number" = h."number" AND c."sha" = h."head")
      ORDER BY "turn" LIMIT 1) t
    WHERE NOT t."all"`;
  return new Map(rows.map(({ run, names }) => [run, names]));
}
