import type { QueueEvent } from '../../src/engine/events';
import { Prisma } from '../../src/generated/prisma/client';
import type { PrismaService } from '../../src/platform/database/prisma.service';
import type { Statements } from '../../src/platform/database/statements';
import { lockQueue, readQueue, tryLockQueue } from '../../src/processing/decisions/queue-lock';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { readExpectedDurations } from '../../src/modules/views/expected-durations';
import { readRunPhases } from '../../src/modules/views/queue-counts';
import { World } from '../support/world';

const MANY = 1_000;
/**
 * The tolerated difference in rows. Between the two decisions, PostgreSQL may make a new plan that finds open entries
 * by another index.
 */
const A_FEW = 10;
const MANY_READERS = 20;
/** The number of runs from which the service estimates test durations. */
const LAST_RUNS = 200;
const TABLES = ['Entry', 'PullRequest', 'TestRun', 'TestRunMember', 'OutboxTask', 'LandedChange', 'CommitStatus'];

const REGCLASSES = Prisma.raw(TABLES.map((table) => `'"${table}"'`).join(', '));
const NAMES = Prisma.raw(TABLES.map((table) => `"${table}"`).join(', '));

/**
 * Makes the tables as they are in a new database. Other tests leave large, empty tables, and PostgreSQL's statistics
 * about their rows.
 */
async function forgetRows(prisma: PrismaService): Promise<void> {
  await prisma.$executeRaw`TRUNCATE ${NAMES} CASCADE`;
  // On an external server, the tests may lack the permission to delete these statistics.
  await prisma.$executeRaw`DO $$ BEGIN
    DELETE FROM pg_statistic WHERE "starelid"::regclass IN (${REGCLASSES});
  EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`;
}

describe('a decision whose statements were planned while the tables were small', () => {
  let world: World;
  let queueId: string;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await forgetRows(world.prisma);
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
    ({ id: queueId } = await world.prisma.queue.findFirstOrThrow());
    await world.submit(1);
    await world.settles();
  });
  afterEach(() => world.close());

  const ON_TIME: QueueEvent = { type: 'clockTicked' };
  const ON_STATUS: QueueEvent = { type: 'statusReported', commit: 'c'.repeat(40) };

  it('reads no more rows if PostgreSQL planned its statement for other readers', async () => {
    await world.prisma.$executeRaw`ANALYZE ${NAMES}`;
    // The view is read so often that PostgreSQL makes a generic plan, and concurrently, so that each connection has
    // such a plan.
    const view = () => world.app.get(QueueProcessor).view(queueId, {});
    for (let times = 0; times < A_FEW; times++) await Promise.all(Array.from({ length: MANY_READERS }, view));
    const read = await world.sql.transaction((tx) => readByDecision(tx, ON_TIME), { planner: 'by index' });
    expect(read.few).toBeGreaterThan(0);
    expect(read.many).toBeLessThan(read.few + A_FEW);
  });

  it('finds the outcome of its task without reading more rows, however many tasks there are', async () => {
    await world.prisma.$executeRaw`ANALYZE ${NAMES}`;
    const lockOnce = () => world.sql.transaction((tx) => tryLockQueue(tx, queueId), { planner: 'by index' });
    // The lock is taken so often that PostgreSQL makes a generic plan.
    for (let times = 0; times < A_FEW; times++) await lockOnce();
    const read = await world.sql.transaction((tx) => readOfFewAndMany(tx, () => tryLockQueue(tx, queueId)), {
      planner: 'by index',
    });
    expect(read.many).toBeLessThan(read.few + A_FEW);
  });

  // PostgreSQL may analyze a table at any time, so two cases analyze the tables while they are small.
  it.each([
    ['on a clock event', ON_TIME, []],
    ['on a status event', ON_STATUS, []],
    ['on a clock event, with tables analyzed while small', ON_TIME, TABLES],
    ['on a status event, with tables analyzed while small', ON_STATUS, TABLES],
  ])('reads no more rows %s, however many pull requests concluded', async (_, event, analyzed) => {
    const read = await world.sql.transaction(
      async (tx) => {
        for (const table of analyzed) await tx.execute`ANALYZE ${Prisma.raw(`"${table}"`)}`;
        return readByDecision(tx, event);
      },
      { planner: 'by index' },
    );
    expect(read.few).toBeGreaterThan(0);
    expect(read.many).toBeLessThan(read.few + A_FEW);
  });

  it("runs with PostgreSQL's JIT off, which would compile its statements each time because their plans seem expensive", async () => {
    const jit = (tx: Statements) => tx.rows<{ jit: string }>`SELECT current_setting('jit') AS "jit"`;
    expect([...(await jit(world.sql)), ...(await world.sql.transaction(jit, { planner: 'by index' }))]).toEqual([
      { jit: 'on' },
      { jit: 'off' },
    ]);
  });

  it('has the same planner settings as reads that use the same statements', async () => {
    const settings = (tx: Statements) => tx.rows`
      SELECT "name", "setting" FROM pg_settings WHERE "source" = 'session' AND ("category" LIKE 'Query Tuning%') ORDER BY "name"`;
    const decision = await world.sql.transaction(settings, { planner: 'by index' });
    expect(decision).toHaveLength(4);
    expect(await world.sql.snapshot(settings)).toEqual(decision);
  });

  it('reads no more rows when somebody only reads the same state', async () => {
    const read = () =>
      world.sql.snapshot((tx) =>
        rowsReadBy(tx, async () => {
          const queue = (await readQueue(tx, queueId))!;
          await world.app.get(SnapshotLoader).load(tx, queue, { numbers: [1], commits: [] }, world.clock.now());
        }),
      );
    world.memory.branches.set('other', world.memory.tip('main').commit);
    await world.createQueue({ requiredStatuses: ['tests'] }, 'other');
    const few = await read();
    await world.sql.transaction(concludeMany, { planner: 'by index' });
    await world.prisma.$executeRaw`ANALYZE ${NAMES}`;
    expect(few).toBeGreaterThan(0);
    expect(await read()).toBeLessThan(few + A_FEW);
  });

  it('does not make the list of queues read ended runs', async () => {
    await world.sql.transaction(concludeMany, { planner: 'by index' });
    await world.prisma.$executeRaw`ANALYZE ${NAMES}`;
    const read = await world.sql.snapshot((tx) =>
      rowsReadBy(tx, async () => expect(await readRunPhases(tx, [queueId])).toHaveLength(1)),
    );
    expect(read).toBeLessThan(A_FEW);
  });

  it('does not make getQueuePicture read reports on older runs', async () => {
    await world.sql.transaction(concludeMany, { planner: 'by index' });
    await world.prisma.$executeRaw`
      UPDATE "TestRun" SET "commit" = "number"::text, "pushedAt" = now(), "result" = 'succeeded', "resultAt" = now(), "reused" = false`;
    await world.prisma.$executeRaw`
      INSERT INTO "CommitStatus" ("repositoryId", "sha", "kind", "name", "state", "hostTime", "hostId", "receivedAt")
      SELECT q."repositoryId", r."commit", 'status', 'tests', 'success', r."pushedAt", r."commit", now()
      FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"`;
    await world.prisma.$executeRaw`ANALYZE ${NAMES}`;
    const read = await world.sql.snapshot((tx) =>
      rowsReadBy(tx, async () => {
        const queue = (await readQueue(tx, queueId))!;
        expect((await readExpectedDurations(tx, queue, ['tests'])).statuses).toEqual(new Map([['tests', 0]]));
      }),
    );
    expect(read).toBeGreaterThan(LAST_RUNS);
    expect(read).toBeLessThan(2 * LAST_RUNS + A_FEW);
  });

  async function readByDecision(tx: Statements, event: QueueEvent): Promise<Record<'few' | 'many', number>> {
    const lock = (await lockQueue(tx, queueId))!;
    const load = () => world.app.get(SnapshotLoader).loadForDecision(lock, event, world.clock.now());
    return readOfFewAndMany(tx, load);
  }

  /** The rows that PostgreSQL reads for `work`, before and after many pull requests have concluded. */
  async function readOfFewAndMany(
    tx: Statements,
    work: () => Promise<unknown>,
  ): Promise<Record<'few' | 'many', number>> {
    const few = await rowsReadBy(tx, work);
    await concludeMany(tx);
    return { few, many: await rowsReadBy(tx, work) };
  }

  async function rowsReadBy(tx: Statements, work: () => Promise<unknown>): Promise<number> {
    const before = await rowsRead(tx);
    await work();
    return (await rowsRead(tx)) - before;
  }

  /** The rows that PostgreSQL has read in this transaction so far. */
  async function rowsRead(tx: Statements): Promise<number> {
    const [row] = await tx.rows<{ rows: number }>`
      SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables
      WHERE relname = ANY(${TABLES})`;
    return row!.rows;
  }

  /**
   * Copies all rows for other, merged pull requests. Merges of all queues alternate, so that no queue has its own part
   * of a table.
   */
  async function concludeMany(tx: Statements): Promise<void> {
    await tx.execute`
      WITH numbers AS MATERIALIZED (
        SELECT n, gen_random_uuid() AS pull, gen_random_uuid() AS entry, gen_random_uuid() AS run FROM generate_series(1000, 999 + ${MANY}::int) n
      ), pulls AS (
        INSERT INTO "PullRequest" SELECT (jsonb_populate_record(p, jsonb_build_object('id', pull, 'number', n))).* FROM "PullRequest" p, numbers
      ), entries AS (
        INSERT INTO "Entry" SELECT (jsonb_populate_record(e, jsonb_build_object('id', entry, 'pullRequestId', pull, 'number', n,
          'state', 'merged', 'place', NULL, 'concludedAt', now()))).* FROM "Entry" e, numbers
      ), runs AS (
        INSERT INTO "TestRun" SELECT (jsonb_populate_record(r, jsonb_build_object('id', run, 'number', n, 'live', false, 'phase', 'ended',
          'endedAt', now()))).* FROM "TestRun" r, numbers
      ), members AS (
        INSERT INTO "TestRunMember" SELECT (jsonb_populate_record(m, jsonb_build_object('runId', run, 'entryId', entry))).*
        FROM "TestRunMember" m, numbers
      ), landed AS (
        INSERT INTO "LandedChange" ("queueId", "seq", "epoch", "entryId", "number", "head", "commit", "tree", "landedAt")
        SELECT q."id", n - 5000, 1, entry, n, '', n::text, '', now() FROM numbers, "Queue" q
      )
      INSERT INTO "OutboxTask" SELECT (jsonb_populate_record(o, jsonb_build_object('id', n, 'key', n, 'subject', n))).*
      FROM "OutboxTask" o, numbers`;
  }
});
