import { deleteLog } from '../../src/processing/retention/expired-rows';
import type { Sql } from '../../src/platform/database/sql';
import type { Statements } from '../../src/platform/database/statements';
import { World } from '../support/world';

const LINES = 10_000;
const BATCH = 10;
const OTHER = 'other';

describe('retention of large tables', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.branches.set(OTHER, world.memory.tip('main').commit);
    for (const branch of ['main', OTHER]) await world.createQueue({ requiredStatuses: ['tests'] }, branch);
  });
  afterEach(() => world.close());

  it('reads only the log rows that it deletes, however many rows of other queues are between them', async () => {
    const now = world.clock.now();
    const before = new Date(now.getTime() - 1);
    await world.prisma.queueLog.deleteMany();
    await world.prisma.$executeRaw`
      INSERT INTO "QueueLog" ("queueId", "seq", "at", "type", "change")
      SELECT q."id", n, ${now}::timestamptz - (CASE q."branch" WHEN ${OTHER} THEN interval '1 day' ELSE interval '0' END), 'note', '{}'
      FROM generate_series(1, ${LINES}::int) n, "Queue" q`;
    await world.prisma.$executeRaw`ANALYZE "QueueLog"`;
    const read = await world.sql.transaction(
      async (tx) => {
        const inTransaction = { each: (): Statements => tx } as unknown as Sql;
        const readBefore = await linesRead(tx);
        expect(await deleteLog(inTransaction, before, BATCH)).toBe(BATCH);
        return (await linesRead(tx)) - readBefore;
      },
      { planner: 'joined by index' },
    );
    expect(read).toBeLessThan(5 * BATCH);
  });

  /** The lines of the log that PostgreSQL has read in this transaction so far. */
  async function linesRead(tx: Statements): Promise<number> {
    const [row] = await tx.rows<{ rows: number }>`
      SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables
      WHERE relname = 'QueueLog'`;
    return row?.rows ?? 0;
  }
});
