import { Injectable } from '@nestjs/common';
import { FailedTestsReader } from '../../domain/failed-tests.port';
import type { FailedTestOfRun } from '../../engine/pull-request-view-facts';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { QueueLocator } from '../shared/queue-locator';
import {
  type FlakyTestCost,
  type FlakyTestCosts,
  type GetFlakyTestCostsRequest,
  MOST_RUNS,
  MOST_COSTLY_TESTS,
} from './flaky-costs.dto';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 28;

/** A failed run whose tree passed elsewhere. */
interface RedForNothing {
  readonly branch: string;
  readonly tree: string;
  readonly statuses: readonly string[];
  readonly lostMs: number;
  readonly entryIds: readonly string[];
}

interface RunOfTest {
  readonly run: RedForNothing;
  readonly test: FailedTestOfRun;
}

/** Reads the cost of flaky tests: runs of a queue that failed, although the same tree passed elsewhere. */
@Injectable()
export class FlakyCostsReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly failedTests: FailedTestsReader,
    private readonly clock: Clock,
  ) {}

  /** Errors: REPOSITORY_NOT_FOUND, MERGE_QUEUE_NOT_FOUND. */
  async read(caller: Caller, request: GetFlakyTestCostsRequest): Promise<FlakyTestCosts> {
    const { id, branch, repository } = await this.locator.queue(caller, request);
    const readAt = this.clock.now();
    const since = new Date(readAt.getTime() - (request.take ?? USUAL_DAYS) * DAY_MS);
    const found = await this.redForNothing(id, since);
    const runs = found.slice(0, MOST_RUNS);
    const uploaded = await this.failedTests.of(repository.id, runs);
    const failures = runs.flatMap((run): RunOfTest[] => {
      const failed = uploaded.get(run.branch);
      // Many healthy tests that fail together are not counted as flaky: the machines are the likely cause.
      return failed && !failed.areMachinesLikely ? failed.tests.map((test) => ({ run, test })) : [];
    });
    const { host, owner, name } = repository;
    return {
      ...{ repo: { host, owner, name }, targetBranch: branch },
      ...{ since: since.toISOString(), readAt: readAt.toISOString() },
      ...costOf(runs),
      unexplainedRunCount: runs.length - new Set(failures.map(({ run }) => run)).size,
      tests: byTest(failures).slice(0, MOST_COSTLY_TESTS),
      hasMore: found.length > MOST_RUNS,
    };
  }

  private redForNothing(queueId: string, since: Date): Promise<RedForNothing[]> {
    return this.prisma.$queryRaw<RedForNothing[]>`/* flaky-costs redForNothing */
      SELECT r."branch", r."tree", ARRAY(SELECT jsonb_array_elements_text(r."failure"->'names')) AS "statuses",
        (extract(epoch FROM r."resultAt" - r."pushedAt") * 1000)::float8 AS "lostMs",
        ARRAY(SELECT m."entryId"::text FROM "TestRunMember" m WHERE m."runId" = r."id") AS "entryIds"
      FROM "TestRun" r
      WHERE r."queueId" = ${queueId}::uuid AND r."result" = 'failed' AND r."resultAt" >= ${since}
        AND r."pushedAt" IS NOT NULL AND NOT r."reused" AND r."failure"->>'type' = 'status' AND EXISTS (
          SELECT 1 FROM "TestRun" p WHERE p."tree" = r."tree" AND p."queueId" = r."queueId"
            AND p."result" = 'succeeded' AND NOT p."reused" AND p."requiredStatuses" @> r."requiredStatuses")
      ORDER BY r."resultAt" DESC LIMIT ${MOST_RUNS + 1}`;
  }
}

function costOf(runs: readonly RedForNothing[]): Pick<FlakyTestCost, 'runCount' | 'lostMs' | 'pullRequestCount'> {
  return {
    runCount: runs.length,
    lostMs: Math.round(runs.reduce((sum, { lostMs }) => sum + lostMs, 0)),
    pullRequestCount: new Set(runs.flatMap(({ entryIds }) => entryIds)).size,
  };
}

function byTest(failures: readonly RunOfTest[]): FlakyTestCost[] {
  const tests = new Map(failures.map(({ test }) => [test.id, test]));
  return [...tests.values()]
    .map(({ id, name, parent, file, variant }): FlakyTestCost => {
      const runs = failures.filter(({ test }) => test.id === id).map(({ run }) => run);
      const statuses = [...new Set(runs.flatMap((run) => run.statuses))].sort();
      return { testCaseId: id, ...{ name, parent, file, variant }, statuses, ...costOf(runs) };
    })
    .sort((a, b) => b.lostMs - a.lostMs || b.runCount - a.runCount || a.testCaseId.localeCompare(b.testCaseId));
}
