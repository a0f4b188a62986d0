import { OutboxStore } from '../../src/processing/outbox/outbox.store';
import type { Sql } from '../../src/platform/database/sql';
import type { Statements } from '../../src/platform/database/statements';
import { World } from '../support/world';

/** The number of tasks, which is more than one claim reads. */
const MANY = 100;

describe('a claim of tasks', () => {
  let world: World;
  let queueId: string;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    ({ id: queueId } = await world.prisma.queue.findFirstOrThrow());
  });
  afterEach(() => world.close());

  interface NewTask {
    readonly subject: string;
    readonly type: 'startTestRun' | 'updatePullRequestView';
    readonly state?: 'waiting' | 'leased' | 'done';
    /**
     * The time until the task is due, or until its lease ends if it is leased. A negative value means that this time
     * lies in the past.
     */
    readonly inMs?: number;
  }

  async function add(count: number, of: (nth: number) => NewTask): Promise<void> {
    const now = world.clock.now().getTime();
    const data = Array.from({ length: count }, (_, nth) => {
      const { subject, type, state = 'waiting', inMs = 0 } = of(nth);
      const at = new Date(now + inMs);
      const held = state === 'leased' ? { leasedBy: 'a dead process', leaseUntil: at, attempts: 1 } : {};
      const settled = state === 'done' ? { settledAt: at, consumedAt: at } : {};
      const task = { queueId, subject, type, payload: { type }, state, createdAt: at, notBefore: at };
      return { ...task, ...held, ...settled, key: `${subject}/${nth}/${type}` };
    });
    await world.prisma.outboxTask.createMany({ data });
  }

  async function claim(free = 8): Promise<string[]> {
    const now = world.clock.now();
    const tasks = await world.app.get(OutboxStore).claim('a process', free, now, new Date(now.getTime() + 30_000));
    return tasks.map(({ key }) => key);
  }

  it('returns tasks for which a queue waits before older tasks that only write comments or statuses', async () => {
    await add(MANY, (nth) => ({ subject: `view ${nth}`, type: 'updatePullRequestView', inMs: -MANY + nth }));
    await add(1, () => ({ subject: 'run', type: 'startTestRun' }));
    expect(await claim(2)).toEqual(['run/0/startTestRun', 'view 0/0/updatePullRequestView']);
  });

  it('returns the first task of each subject, however many tasks of the subject wait behind it', async () => {
    await add(MANY, () => ({ subject: 'a target', type: 'startTestRun', inMs: -1 }));
    await add(1, () => ({ subject: 'another target', type: 'startTestRun' }));
    expect(await claim()).toEqual(['a target/0/startTestRun', 'another target/0/startTestRun']);
    expect(await claim()).toEqual([]);
  });

  it('returns no task that is not due, and returns the tasks of a dead process once their lease has ended', async () => {
    await add(MANY, (nth) => ({ subject: `later ${nth}`, type: 'startTestRun', inMs: 1 }));
    await add(1, () => ({ subject: 'held', type: 'startTestRun', state: 'leased', inMs: 1 }));
    await add(1, () => ({ subject: 'left', type: 'startTestRun', state: 'leased', inMs: -1 }));
    expect(await claim()).toEqual(['left/0/startTestRun']);
  });

  it('reads no more rows with many finished tasks, also with a plan made while the table was empty', async () => {
    await world.prisma.$executeRaw`VACUUM "OutboxTask"`;
    const now = world.clock.now();
    const read = await world.sql.transaction(
      async (tx) => {
        const store = new OutboxStore({ each: (): Statements => tx } as unknown as Sql);
        const claimHere = (): Promise<unknown> => store.claim('a process', 8, now, now);
        await claimHere();
        await add(5_000, (nth) => ({ subject: `done ${nth}`, type: 'startTestRun', state: 'done', inMs: -1 }));
        const before = await rowsRead(tx);
        for (let nth = 0; nth < 10; nth++) expect(await claimHere()).toEqual([]);
        return (await rowsRead(tx)) - before;
      },
      { planner: 'joined by index' },
    );
    expect(read).toBeLessThan(100);
  });

  /** The rows that PostgreSQL has read in this transaction so far. */
  async function rowsRead(tx: Statements): Promise<number> {
    const [row] = await tx.rows<{ rows: number }>`
      SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS "rows" FROM pg_stat_xact_user_tables
      WHERE relname = 'OutboxTask'`;
    return row?.rows ?? 0;
  }
});
