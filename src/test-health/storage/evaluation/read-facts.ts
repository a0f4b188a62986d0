import { Prisma } from '../../../generated/prisma/client';
import type { Tx } from '../../../platform/database/prisma.service';
import { DAY_MS, HOUR_MS } from '../../rules/days';
import { branchFilter } from '../../rules/branches';
import { commitsByLine } from '../../rules/commits';
import type { RetriedCommit, TestFacts, WindowCounts } from '../../rules/facts';
import type { Monitor, PassOnRetryMonitor, ThresholdMonitor } from '../../rules/settings';
import { readRecentResults } from './recent-line-results';
import { RESULT_COLUMNS, type ResultRow, resultOf } from './result-row';

interface Asked {
  readonly repositoryId: string;
  readonly ids: readonly string[];
  readonly now: Date;
}

interface ReadFacts {
  readonly retriedCommits: RetriedCommit[];
  readonly counts: Map<string, WindowCounts>;
  readonly countsWithoutPullRequests: Map<string, WindowCounts>;
  lines: TestFacts['lines'];
}

/** Reads what enabled monitors need to know about these tests, by indexes on test and time. */
export async function readFacts(
  tx: Tx,
  asked: Asked,
  monitors: readonly Monitor[],
): Promise<ReadonlyMap<string, TestFacts>> {
  const facts = new Map(asked.ids.map((id) => [id, noFacts()]));
  let readsLines = false;
  for (const monitor of monitors.filter(({ enabled }) => enabled)) {
    switch (monitor.type) {
      case 'pass_on_retry':
        for (const [id, commit] of await retriedCommits(tx, asked, monitor)) facts.get(id)?.retriedCommits.push(commit);
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

interface RetriedRow extends ResultRow {
  readonly id: string;
  readonly code: string;
  readonly commit: string;
}

/**
 * Commits, or trees, on which a test failed within the quiet time and passed within twice that. Failures are few, so they are read
 * first. Passes are then read only for tests and code that failed. Of each test, code, job and kind of branch come the latest
 * failure and the latest pass.
 */
async function retriedCommits(
  tx: Tx,
  { repositoryId, ids, now }: Asked,
  { quietDays, branches }: PassOnRetryMonitor,
): Promise<(readonly [string, RetriedCommit])[]> {
  const failedAfter = new Date(now.getTime() - quietDays * DAY_MS);
  const passedAfter = new Date(now.getTime() - 2 * quietDays * DAY_MS);
  const where = onBranches(branches);
  const rows = await tx.$queryRaw<RetriedRow[]>`
    WITH failed AS MATERIALIZED (
      SELECT DISTINCT r.test_case_id AS id, coalesce(u."tree", u."commit") AS code
      FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
      WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome = 1 AND r.counted AND u."counted"
        AND r.occurred_at > ${failedAfter} AND ${where}
    ), upload AS MATERIALIZED (
      SELECT u.*, coalesce(u."tree", u."commit") AS code FROM "TestUpload" u
      WHERE u."repositoryId" = ${repositoryId}::uuid AND u."counted" AND ${where} AND (
        u."commit" IN (SELECT code FROM failed) OR u."tree" IN (SELECT code FROM failed))
    )
    SELECT DISTINCT ON (r.test_case_id, u.code, u."job", r.outcome, r.branch_class = 1)
      r.test_case_id AS id, u.code, ${RESULT_COLUMNS}
    FROM test_results.result r
    JOIN upload u ON u."id" = r.upload_id
    JOIN failed f ON f.id = r.test_case_id AND f.code = u.code
    WHERE r.test_case_id = ANY(ARRAY(SELECT DISTINCT id FROM failed)) AND r.outcome <> 2 AND r.counted
      AND r.occurred_at > CASE r.outcome WHEN 1 THEN ${failedAfter}::timestamptz ELSE ${passedAfter}::timestamptz END
    ORDER BY r.test_case_id, u.code, u."job", r.outcome, r.branch_class = 1, r.occurred_at DESC, r.upload_id DESC`;
  return retriedOf(rows);
}

function retriedOf(rows: readonly RetriedRow[]): (readonly [string, RetriedCommit])[] {
  const byCode = new Map<string, RetriedRow[]>();
  for (const row of rows) {
    const key = `${row.id} ${row.code}`;
    byCode.set(key, [...(byCode.get(key) ?? []), row]);
  }
  return [...byCode.values()].flatMap((those) => {
    // What fails in one job and passes in another may depend on where it runs.
    const found = [...new Set(those.map(({ job }) => job))].flatMap(
      (job) => retriedInJob(those.filter((row) => row.job === job)) ?? [],
    );
    const latest = found.sort((a, b) => b.failedAt.getTime() - a.failedAt.getTime());
    const commit = latest.find(({ isFromPullRequest }) => !isFromPullRequest) ?? latest[0];
    return commit ? [[those[0]!.id, commit] as const] : [];
  });
}

function retriedInJob(rows: readonly RetriedRow[]): RetriedCommit | null {
  const onBranches = rows.filter(({ branchClass }) => branchClass !== 'pull_request');
  return retriedIn(onBranches, false) ?? retriedIn(rows, true);
}

function retriedIn(rows: readonly RetriedRow[], isFromPullRequest: boolean): RetriedCommit | null {
  const latest = (outcome: number) =>
    rows.filter((row) => row.outcome === outcome).sort((a, b) => b.at.getTime() - a.at.getTime())[0];
  const [failed, passed] = [latest(1), latest(0)];
  if (!failed || !passed) return null;
  const evidence = [failed, passed].sort((a, b) => a.at.getTime() - b.at.getTime()).map(resultOf);
  return { commit: failed.commit, failedAt: failed.at, passedAt: passed.at, isFromPullRequest, evidence };
}

interface CountsRow {
  readonly id: string;
  readonly all: WindowCounts;
  readonly onBranches: WindowCounts;
}

async function runCounts(tx: Tx, { ids, now }: Asked, monitor: ThresholdMonitor): Promise<CountsRow[]> {
  const after = new Date(now.getTime() - monitor.windowHours * HOUR_MS);
  const rows = await tx.$queryRaw<(WindowCounts & { readonly id: string; readonly isPullRequest: boolean })[]>`
    SELECT r.test_case_id AS id, r.branch_class = 1 AS "isPullRequest",
      (count(*) FILTER (WHERE r.outcome = 1))::int AS "failed", (count(*) FILTER (WHERE r.outcome = 0))::int AS "passed",
      min(r.occurred_at) FILTER (WHERE r.outcome = 1) AS "oldestFailureAt"
    FROM test_results.result r JOIN "TestUpload" u ON u."id" = r.upload_id
    WHERE r.test_case_id = ANY(${ids}::uuid[]) AND r.outcome <> 2 AND r.counted AND u."counted"
      AND r.occurred_at > ${after} AND ${onBranches(monitor.branches)}
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

/** Of `TestUpload`, named u. */
function onBranches(patterns: readonly string[]): Prisma.Sql {
  const filter = branchFilter(patterns);
  if (filter === null) return Prisma.sql`true`;
  const inClass = Prisma.sql`u."branchClass" = ANY(${filter.classes}::text[])`;
  if (filter.namePattern === null) return inClass;
  return Prisma.sql`(${inClass} OR u."branch" ~ ${filter.namePattern})`;
}
