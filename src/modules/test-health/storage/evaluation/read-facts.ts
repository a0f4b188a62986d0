import type { Tx } from '../../../../platform/database/prisma.service';
import { HOUR_MS } from '../../rules/days';
import { commitsByLine } from '../../rules/commits';
import type { RetriedCommit, TestFacts, WindowCounts } from '../../rules/facts';
import type { Monitor, ThresholdMonitor } from '../../rules/settings';
import { onBranches } from './on-branches';
import { readRecentResults } from './recent-line-results';
import { type EvaluatedTests, readRetriedCommits } from './read-retried-commits';

interface ReadFacts {
  readonly retriedCommits: RetriedCommit[];
  readonly counts: Map<string, WindowCounts>;
  readonly countsWithoutPullRequests: Map<string, WindowCounts>;
  lines: TestFacts['lines'];
}

/** Reads the facts that enabled monitors need about the tests, by indexes on test and time. */
export async function readFacts(
  tx: Tx,
  asked: EvaluatedTests,
  monitors: readonly Monitor[],
): Promise<ReadonlyMap<string, TestFacts>> {
  const facts = new Map(asked.ids.map((id) => [id, noFacts()]));
  let readsLines = false;
  for (const monitor of monitors.filter(({ enabled }) => enabled)) {
    switch (monitor.type) {
      case 'pass_on_retry':
        for (const [id, commit] of await readRetriedCommits(tx, asked, monitor))
          facts.get(id)?.retriedCommits.push(commit);
        break;
      case 'failure_rate':
      case 'failure_count':
        for (const { id, all, onBranches } of await runCounts(tx, asked, monitor)) {
          facts.get(id)?.counts.set(monitor.name, all);
          facts.get(id)?.countsWithoutPullRequests.set(monitor.name, onBranches);
        }
        break;
      case 'consecutive_failures':
      case 'transitions':
        readsLines = true;
        break;
    }
  }
  if (readsLines) {
    for (const [id, results] of await readRecentResults(tx, asked)) facts.get(id)!.lines = commitsByLine(results);
  }
  return facts;
}

function noFacts(): ReadFacts {
  return { retriedCommits: [], counts: new Map(), countsWithoutPullRequests: new Map(), lines: [] };
}

interface CountsRow {
  readonly id: string;
  readonly all: WindowCounts;
  readonly onBranches: WindowCounts;
}

/**
 * The uploads of one attempt of a job count once, by their worst result: failed, else retried, else passed. An upload
 * without a known attempt counts separately.
 */
async function runCounts(tx: Tx, { ids, now }: EvaluatedTests, monitor: ThresholdMonitor): Promise<CountsRow[]> {
  const after = new Date(now.getTime() - monitor.windowHours * HOUR_MS);
  const rows = await tx.$queryRaw<
    (WindowCounts & { readonly id: string; readonly isPullRequest: boolean })[]
  >`/* read-facts runCounts */
    WITH said AS (
      SELECT r.test_case_id AS id, r.branch_class = 1 AS is_pull_request, u."commit", u."job", u."conditions", u."attempt",
        CASE u."attempt" WHEN '' THEN u."id" END AS alone,
        count(*) FILTER (WHERE r.outcome = 1) AS failed, count(*) FILTER (WHERE r.outcome = 0) AS passed,
        min(r.occurred_at) FILTER (WHERE r.outcome = 1) AS oldest
      FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome <> 2 AND r.counted AND u."counted"
        AND r.occurred_at > ${after} AND ${onBranches(monitor.branches)}
      GROUP BY r.test_case_id, r.branch_class = 1, u."id"
    ), attempt AS (
      SELECT id, is_pull_request, max(failed) FILTER (WHERE passed = 0) AS failures, max(failed) AS retries,
        max(passed) AS passes, min(oldest) AS oldest
      FROM said GROUP BY id, is_pull_request, "commit", "job", "conditions", "attempt", alone
    )
    SELECT id, is_pull_request AS "isPullRequest", sum(coalesce(failures, retries))::int AS "failed",
      coalesce(sum(passes) FILTER (WHERE failures IS NULL), 0)::int AS "passed", min(oldest) AS "oldestFailureAt"
    FROM attempt
    GROUP BY 1, 2`;
  return [...new Set(rows.map(({ id }) => id))].map((id) => {
    const own = rows.filter((row) => row.id === id);
    return { id, all: sumOf(own), onBranches: sumOf(own.filter(({ isPullRequest }) => !isPullRequest)) };
  });
}

function sumOf(counts: readonly WindowCounts[]): WindowCounts {
  const oldest = counts.flatMap(({ oldestFailureAt }) => (oldestFailureAt === null ? [] : [oldestFailureAt.getTime()]));
  return {
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    oldestFailureAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
  };
}
