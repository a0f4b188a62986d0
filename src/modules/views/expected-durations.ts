import type { Statements } from '../../platform/database/statements';

/** A median of fewer values means nothing. */
const LEAST_RUNS = 5;
/** Recent runs only: older runs say nothing about the durations of today. */
const LAST_RUNS = 20;
/**
 * The duration of a status is unknown if none of these runs had the status. The limit bounds the query, however long
 * the history is.
 */
const RUNS_LOOKED_AT = 200;

/** Durations in milliseconds, counted from the push of a testing branch. */
export interface ExpectedDurations {
  /** The duration until the result of a run; null: unknown yet. */
  readonly run: number | null;
  /** The duration until the result of a status, by name. Statuses with an unknown duration are missing. */
  readonly statuses: ReadonlyMap<string, number>;
}

interface Row {
  /** Null: the row is about whole runs. */
  readonly name: string | null;
  readonly median: number;
}

/**
 * Medians of the last 20 runs with a result, if there are at least 5: of whole runs, and of the statuses with the given
 * names. Reports of CI are queried run by run, because a cached plan does not know how few runs a query is about.
 */
export async function readExpectedDurations(
  tx: Statements,
  queue: { readonly id: string; readonly repositoryId: string },
  names: readonly string[],
): Promise<ExpectedDurations> {
  const rows = await tx.rows<Row>`/* expected-durations readExpectedDurations */
    WITH "lately" AS (
      SELECT * FROM (
        SELECT "number", "commit", "pushedAt", "resultAt", "result", "reused" FROM "TestRun"
        WHERE "queueId" = ${queue.id}::uuid ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}) r
      WHERE "pushedAt" IS NOT NULL AND NOT "reused"),
    "ended" AS (
      SELECT NULL AS "name", "number", "resultAt" - "pushedAt" AS "took" FROM "lately"
      WHERE "result" IN ('succeeded', 'failed')
      UNION ALL
      SELECT s."name", r."number", s."at" - r."pushedAt"
      FROM "lately" r CROSS JOIN LATERAL (
        SELECT "name", max("hostTime") AS "at" FROM "CommitStatus"
        WHERE "repositoryId" = ${queue.repositoryId}::uuid AND "sha" = r."commit" AND "name" = ANY(${[...names]})
          AND "state" <> 'superseded'
        GROUP BY "name"
        HAVING bool_and("state" IN ('success', 'neutral', 'skipped', 'failure', 'error', 'timed_out', 'action_required'))) s),
    "last" AS (
      SELECT "name", greatest(extract(epoch FROM "took") * 1000, 0) AS "ms",
        row_number() OVER (PARTITION BY "name" ORDER BY "number" DESC) AS "nth" FROM "ended")
    SELECT "name", round(percentile_cont(0.5) WITHIN GROUP (ORDER BY "ms"))::float8 AS "median" FROM "last"
    WHERE "nth" <= ${LAST_RUNS} GROUP BY "name" HAVING count(*) >= ${LEAST_RUNS}`;
  return {
    run: rows.find(({ name }) => name === null)?.median ?? null,
    statuses: new Map(rows.flatMap(({ name, median }) => (name === null ? [] : [[name, median]]))),
  };
}
