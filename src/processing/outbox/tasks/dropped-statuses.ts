import type { StartTestRun } from '../../../engine/commands';
import type { DroppedStatus } from '../../../engine/model';
import type { Sql } from '../../../platform/database/sql';
import type { TaskContext } from '../task';
import { readConfiguration } from './configuration-file';
import type { FoundStatuses } from '../required-statuses';

const RUNS_LOOKED_AT = 50;

/** Required statuses that the configuration file of this candidate does not name any more, with how long CI usually takes to report. */
export async function droppedStatuses(
  sql: Sql,
  task: TaskContext<StartTestRun>,
  { names, source }: FoundStatuses,
  candidate: { readonly commit: string; readonly brand: string },
): Promise<readonly DroppedStatus[]> {
  if (source !== 'trunk_config') return [];
  const file = await readConfiguration(task, candidate.commit, candidate.brand);
  if (file.type !== 'readable') return [];
  const dropped = names.filter((name) => !file.statuses.includes(name));
  if (dropped.length === 0) return [];
  const known = await usualDelays(sql, task, dropped);
  return dropped.map((name) => ({ name, usualDelayMs: known.get(name) ?? null }));
}

async function usualDelays(
  sql: Sql,
  { queueId, repository }: TaskContext<StartTestRun>,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.rows<{ name: string; delay: number }>`/* dropped-statuses usualDelays */
    SELECT s."name", round(percentile_cont(0.9) WITHIN GROUP (
      ORDER BY greatest(extract(epoch FROM s."hostTime" - r."pushedAt") * 1000, 0)))::float8 AS "delay"
    FROM (SELECT "commit", "pushedAt" FROM "TestRun" WHERE "queueId" = ${queueId}::uuid AND "pushedAt" IS NOT NULL
        ORDER BY "number" DESC LIMIT ${RUNS_LOOKED_AT}) r
      JOIN "CommitStatus" s ON s."repositoryId" = ${repository.id}::uuid AND s."sha" = r."commit" AND s."name" = ANY(${[...names]})
    GROUP BY s."name"`;
  return new Map(rows.map(({ name, delay }) => [name, delay]));
}
