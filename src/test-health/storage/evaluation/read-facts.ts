import { Prisma } from '../../../generated/prisma/client';
import type { Tx } from '../../../platform/database/prisma.service';
import { DAY_MS, HOUR_MS } from '../../rules/days';
import { branchFilter } from '../../rules/branches';
import type { RetriedCommit, WindowCounts, TestFacts } from '../../rules/facts';
import type { Monitor, PassOnRetryMonitor, ThresholdMonitor } from '../../rules/settings';

interface Asked {
  readonly repositoryId: string;
  readonly ids: readonly string[];
  readonly now: Date;
}

/** Reads what enabled monitors need to know about these tests, by an index on test and time. */
export async function readFacts(
  tx: Tx,
  asked: Asked,
  monitors: readonly Monitor[],
): Promise<ReadonlyMap<string, TestFacts>> {
  const facts = new Map(
    asked.ids.map((id) => [id, { retriedCommits: [] as RetriedCommit[], counts: new Map<string, WindowCounts>() }]),
  );
  for (const monitor of monitors) {
    if (!monitor.enabled) continue;
    switch (monitor.type) {
      case 'pass_on_retry':
        for (const { id, ...commit } of await retriedCommits(tx, asked, monitor)) {
          facts.get(id)?.retriedCommits.push(commit);
        }
        break;
      case 'failure_rate':
      case 'failure_count':
        for (const { id, ...counts } of await runCounts(tx, asked, monitor)) {
          facts.get(id)?.counts.set(monitor.name, counts);
        }
        break;
    }
  }
  return facts;
}

/**
 * Commits on which a test failed within the quiet time and passed within twice that. Failures are few, so they are read
 * first. Passes are then read only for tests and commits that failed.
 */
function retriedCommits(
  tx: Tx,
  { repositoryId, ids, now }: Asked,
  { quietDays }: PassOnRetryMonitor,
): Promise<(RetriedCommit & { readonly id: string })[]> {
  const failedAfter = new Date(now.getTime() - quietDays * DAY_MS);
  const passedAfter = new Date(now.getTime() - 2 * quietDays * DAY_MS);
  return tx.$queryRaw`
    WITH failed AS MATERIALIZED (
      SELECT r.test_case_id AS id, u."commit", max(r.occurred_at) AS at
      FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome = 1 AND r.counted AND r.occurred_at > ${failedAfter}
      GROUP BY 1, 2
    ), upload AS MATERIALIZED (
      SELECT u."id", u."commit" FROM "TestUpload" u
      WHERE u."repositoryId" = ${repositoryId}::uuid AND u."commit" IN (SELECT "commit" FROM failed)
    )
    SELECT f.id, f."commit", f.at AS "failedAt", max(r.occurred_at) AS "passedAt"
    FROM test_results.result r
    JOIN upload u ON u."id" = r.upload_id
    JOIN failed f ON f.id = r.test_case_id AND f."commit" = u."commit"
    WHERE r.test_case_id = ANY(ARRAY(SELECT DISTINCT id FROM failed)) AND r.outcome = 0 AND r.counted
      AND r.occurred_at > ${passedAfter}
    GROUP BY 1, 2, 3`;
}

function runCounts(
  tx: Tx,
  { ids, now }: Asked,
  monitor: ThresholdMonitor,
): Promise<(WindowCounts & { readonly id: string })[]> {
  const after = new Date(now.getTime() - monitor.windowHours * HOUR_MS);
  // Failures alone have an index of their own, and counting them needs nothing else.
  const outcomes = monitor.type === 'failure_count' ? Prisma.sql`r.outcome = 1` : Prisma.sql`r.outcome <> 2`;
  const { join, where } = onBranches(monitor.branches);
  return tx.$queryRaw`
    SELECT r.test_case_id AS id, (count(*) FILTER (WHERE r.outcome = 1))::int AS "failed",
      (count(*) FILTER (WHERE r.outcome = 0))::int AS "passed",
      min(r.occurred_at) FILTER (WHERE r.outcome = 1) AS "oldestFailureAt"
    FROM test_results.result r ${join}
    WHERE r.test_case_id = ANY(${ids}::uuid[]) AND ${outcomes} AND r.counted AND r.occurred_at > ${after} AND ${where}
    GROUP BY 1`;
}

/** The branch class stands in the result itself; only branch names need a join with the upload. */
function onBranches(patterns: readonly string[]): { join: Prisma.Sql; where: Prisma.Sql } {
  const filter = branchFilter(patterns);
  if (filter === null) return { join: Prisma.empty, where: Prisma.sql`true` };
  const inClass = Prisma.sql`r.branch_class = ANY(${filter.classes}::smallint[])`;
  if (filter.namePattern === null) return { join: Prisma.empty, where: inClass };
  return {
    join: Prisma.sql`JOIN "TestUpload" u ON u."id" = r.upload_id`,
    where: Prisma.sql`(${inClass} OR u."branch" ~ ${filter.namePattern})`,
  };
}
