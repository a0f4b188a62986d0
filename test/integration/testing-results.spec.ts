import type { Caller } from '../../src/platform/requests/caller';
import type { PrismaService } from '../../src/platform/database/prisma.service';
import { TestingResultsService } from '../../src/modules/pull-requests/testing-results.service';
import { QueueLocator } from '../../src/modules/shared/queue-locator';
import { World } from '../support/world';

const TESTS = 2_000;
const LINES_OF_EACH = 8;
const UNHURRIED = { timeout: 60_000 };

describe('listing the test results of a queue with a long log', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    world.memory.openPullRequest(1);
    await world.submit(1);
    await world.settles();
    await addTests();
  });
  afterAll(() => world.close());

  /** Adds tests that ended a minute apart. The log has lines before and after the end of each test. */
  async function addTests(): Promise<void> {
    const { prisma, clock } = world;
    const { id: queueId } = await prisma.queue.findFirstOrThrow();
    await prisma.$executeRaw`
      INSERT INTO "PullRequest" ("id", "repositoryId", "number", "title", "body", "author", "headSha", "baseBranch", "state",
        "draft", "mergeability", "observedAt")
      SELECT gen_random_uuid(), p."repositoryId", n, 'Change ' || n, '', p."author", p."headSha", p."baseBranch", 'merged',
        false, p."mergeability", p."observedAt"
      FROM "PullRequest" p, generate_series(101, ${100 + TESTS}::int) n WHERE p."number" = 1`;
    await prisma.$executeRaw`
      INSERT INTO "Entry" ("id", "queueId", "pullRequestId", "number", "attempt", "state", "stateChangedAt", "head",
        "priority", "usedDefaultPriority", "noBatch", "pendingRank", "returnedOrder", "submittedOrder", "placeIndex",
        "urgentInLine", "submittedAt", "evaluatedMode", "timesAsked", "concludedAt")
      SELECT gen_random_uuid(), ${queueId}::uuid, p."id", p."number", 1, 'merged', now(), p."headSha", 100, true, false, 2, 0,
        p."number", 0, false, now(), 'single', 0, now()
      FROM "PullRequest" p WHERE p."number" > 100`;
    await prisma.$executeRaw`
      INSERT INTO "QueueLog" ("queueId", "seq", "at", "type", "entryId", "attempt", "runId", "fromState", "toState", "change")
      SELECT ${queueId}::uuid, e."number" * 10 + k, ${clock.now()}::timestamptz - make_interval(mins => e."number"),
        'entryMoved', e."id", 1, gen_random_uuid(),
        (ARRAY[NULL, 'not_ready', 'pending', 'testing', 'tests_passed', NULL, NULL, NULL])[k + 1],
        (ARRAY['not_ready', 'pending', 'testing', 'tests_passed', 'merged', NULL, NULL, NULL])[k + 1], '{}'
      FROM "Entry" e, generate_series(0, ${LINES_OF_EACH - 1}::int) k WHERE e."number" > 100`;
    await prisma.$executeRaw`ANALYZE`;
  }

  /** The rows that PostgreSQL reads for a page, and the page's content. */
  function costOf(offset: number): Promise<{ rows: number; found: number; total: number }> {
    return world.prisma.$transaction(async (tx) => {
      const { organizationId } = await tx.repository.findFirstOrThrow();
      const caller = { organizationId, repositoryIds: null } as Caller;
      const service = new TestingResultsService(tx as PrismaService, world.app.get(QueueLocator), world.clock);
      const since = new Date(world.clock.now().getTime() - 40 * 24 * 3_600_000).toISOString();
      const before = await rowsRead();
      const page = { repo: world.repo, targetBranch: 'main', since, offset, take: 50 };
      const { testingResults, totalItems } = await service.list(caller, page);
      return { rows: (await rowsRead()) - before, found: testingResults.length, total: totalItems };

      async function rowsRead(): Promise<number> {
        const [row] = await tx.$queryRaw<{ rows: number }[]>`
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables`;
        return row!.rows;
      }
    }, UNHURRIED);
  }

  it.each([
    ['the first page', 0],
    ['a page far behind', 1_500],
  ])(
    'reads one log row for each test up to the end of the page, and a few for each test of the page: %s',
    async (_, offset) => {
      const cost = await costOf(offset);
      expect(cost).toMatchObject({ found: 50, total: TESTS });
      // PostgreSQL reads the tests once to count them, and the rows up to the page once more.
      expect(cost.rows).toBeLessThan(TESTS + offset + 1_000);
    },
  );
});
