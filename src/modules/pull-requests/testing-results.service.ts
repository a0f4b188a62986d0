import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { instantOf, isRange } from '../shared/instant';
import { QueueLocator } from '../shared/queue-locator';
import { TAKEN } from './dto/pull-request-lists.dto';
import {
  type ListTestingResultsRequest,
  LONGEST_MS,
  RANGE,
  type TestingResult,
  type ListedTestingResults,
} from './dto/testing-results.dto';

interface Row {
  readonly number: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly toState: string;
  readonly runId: string;
  readonly queueType: string;
  /** The result of the run at that time; null: none yet. */
  readonly result: string | null;
  readonly failureType: string | null;
  readonly conclusion: TestingResult['cycleConclusion'];
}

/** The ended tests of pull requests, from the log of the queue. */
@Injectable()
export class TestingResultsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  async list(caller: Caller, request: ListTestingResultsRequest): Promise<ListedTestingResults> {
    const queue = await this.locator.queue(caller, request);
    const until = request.until ?? this.clock.now().toISOString();
    if (!isRange(request.since, until, LONGEST_MS)) {
      throw new DomainError('VALIDATION_FAILED', `since: ${RANGE}.`, [{ field: 'since', message: RANGE }]);
    }
    const where = { queueId: queue.id, since: instantOf(request.since), until: instantOf(until) };
    const rows = await this.ended(where, request.offset ?? 0, request.take ?? TAKEN);
    return { testingResults: rows.map(testingResult), totalItems: await this.count(where) };
  }

  /**
   * Every move out of testing, with the move into testing before it. A member of a bisection moves from one run to the
   * next. Details are queried for the rows of the page only.
   */
  private ended({ queueId, since, until }: Range, offset: number, take: number): Promise<Row[]> {
    return this.prisma.$queryRaw<Row[]>`/* testing-results.service ended */
      SELECT e."number", s."at" AS "startedAt", l."at" AS "endedAt", l."toState", s."runId", s."queueType",
        CASE WHEN r."resultAt" <= l."at" THEN r."result" END AS "result", r."failure" ->> 'type' AS "failureType",
        c."toState" AS "conclusion"
      FROM (
          SELECT "entryId", "attempt", "seq", "at", "toState" FROM "QueueLog"
          WHERE "queueId" = ${queueId}::uuid AND "at" >= ${since} AND "at" <= ${until} AND "fromState" = 'testing'
          ORDER BY "at" DESC, "seq" DESC LIMIT ${take} OFFSET ${offset}) l
        JOIN "Entry" e ON e."id" = l."entryId"
        JOIN LATERAL (
          SELECT "at", "runId", "queueType" FROM "QueueLog"
          WHERE "entryId" = l."entryId" AND "seq" < l."seq" AND "toState" = 'testing'
          ORDER BY "seq" DESC LIMIT 1) s ON true
        LEFT JOIN "TestRun" r ON r."id" = s."runId"
        LEFT JOIN LATERAL (
          SELECT "toState" FROM "QueueLog"
          WHERE "entryId" = l."entryId" AND "attempt" = l."attempt" AND "seq" >= l."seq"
            AND "toState" IN ('merged', 'failed', 'cancelled')
          ORDER BY "seq" LIMIT 1) c ON true
      ORDER BY l."at" DESC, l."seq" DESC`;
  }

  private async count({ queueId, since, until }: Range): Promise<number> {
    // The state is a literal in the SQL, because with a parameter PostgreSQL could not use the index of ended tests.
    const [row] = await this.prisma.$queryRaw<{ ended: number }[]>`/* testing-results.service count */
      SELECT count(*)::int AS "ended" FROM "QueueLog"
      WHERE "queueId" = ${queueId}::uuid AND "at" >= ${since} AND "at" <= ${until} AND "fromState" = 'testing'`;
    return row!.ended;
  }
}

interface Range {
  readonly queueId: string;
  readonly since: Date;
  readonly until: Date;
}

function testingResult(row: Row): TestingResult {
  return {
    prNumber: row.number,
    endedAt: row.endedAt.toISOString(),
    testingDurationMs: Math.max(0, row.endedAt.getTime() - row.startedAt.getTime()),
    outcome: outcomeOf(row),
    cycleConclusion: row.conclusion,
    bisection: row.queueType === 'bisection',
    testRunId: row.runId,
  };
}

/** Another run may have proved the pull request before its own run ended. */
function outcomeOf({ toState, result, failureType }: Row): TestingResult['outcome'] {
  if (toState === 'tests_passed' || result === 'succeeded') return 'passed';
  if (result !== 'failed') return 'cancelled';
  return failureType === 'timeout' ? 'timed_out' : 'failed';
}
