import { hashesOf } from '../../domain/impacted-targets';
import { readQueueSettings } from '../../domain/stored-settings';
import { areaFigures, figuresOf, type LearnedFigure } from '../../engine/flow-facts/chances';
import { FLOW_AT_START, type FlowState } from '../../engine/flow-state';
import type { Queue } from '../../generated/prisma/client';
import type { Sql } from '../../platform/database/sql';
import { readFlowForPeople } from './store/read-flow';

export interface ShownFigures extends ReturnType<typeof figuresOf> {
  /** The figures of the impacted targets that open pull requests have, the riskiest first. */
  readonly targets: (LearnedFigure & { readonly name: string })[];
  /** Why the learned figures cannot be read, and the consequence; null if they can be read. */
  readonly problem: string | null;
}

const MOST_TARGETS = 20;
const MOST_NAMES_LOOKED_AT = 10_000;

/**
 * The figures that a queue has learned from its tests, for people; undefined for a sequential queue, which shows none.
 */
export async function learnedFiguresOf(sql: Sql, queue: Queue): Promise<ShownFigures | undefined> {
  if (readQueueSettings(queue.settings).scheduling !== 'flow') return undefined;
  const { flow, problem } = readFlowForPeople(queue.flow ?? FLOW_AT_START, queue);
  return { ...figuresOf(flow), targets: await targetsOf(sql, queue.id, flow), problem };
}

/** Areas are stored as hashes, so the names of areas without an open pull request are unknown. */
async function targetsOf(sql: Sql, queueId: string, flow: FlowState): Promise<ShownFigures['targets']> {
  const figures = areaFigures(flow);
  if (figures.length === 0) return [];
  const names = await namesInUse(sql, queueId);
  const nameOf = new Map(names.map((name) => [Number(hashesOf([name])[0]), name]));
  return figures
    .flatMap(({ area, chance, outcomes }) => {
      const name = nameOf.get(area);
      return name === undefined ? [] : [{ name, chance, outcomes }];
    })
    .slice(0, MOST_TARGETS);
}

async function namesInUse(sql: Sql, queueId: string): Promise<readonly string[]> {
  const rows = await sql.rows<{ name: string }>`/* learned-figures namesInUse */
    WITH heads AS (
      SELECT e."number", p."repositoryId", e."head" AS "sha" FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
      WHERE e."queueId" = ${queueId}::uuid AND e."state" IN ('pending', 'testing', 'tests_passed', 'pending_failure')
    )
    SELECT DISTINCT unnest(t."names") AS "name" FROM heads h CROSS JOIN LATERAL (
      (SELECT "names", "targetCount" FROM "ImpactedTargets"
       WHERE "repositoryId" = h."repositoryId" AND "number" = h."number" AND "sha" = h."sha")
      UNION ALL
      (SELECT "names", "targetCount" FROM "ComputedTargets"
       WHERE "queueId" = ${queueId}::uuid AND "number" = h."number" AND "sha" = h."sha")) t
    WHERE t."targetCount" <= 64 LIMIT ${MOST_NAMES_LOOKED_AT}`;
  return rows.map(({ name }) => name);
}
