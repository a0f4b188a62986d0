import { commandsAppended, type AppendedTask } from '../../src/processing/outbox/append-tasks';
import { type LeasedTask, OutboxStore } from '../../src/processing/outbox/outbox.store';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { TaskHandover } from '../../src/processing/outbox/task-handover';
import { WorkPool } from '../../src/platform/lifecycle/work-pool';
import { writeTogether } from '../../src/platform/database/bulk';
import { World } from '../support/world';

const LEASE_MS = 30_000;

describe('tasks that are handed over with the decision that makes them', () => {
  let world: World;
  let pool: WorkPool<LeasedTask>;
  let taken: LeasedTask[];
  let end: () => void;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
    taken = [];
    const ended = new Promise<void>((resolve) => (end = resolve));
    pool = new WorkPool<LeasedTask>({
      width: 1,
      claim: () => Promise.resolve([]),
      carryOut: (task) => Promise.resolve(void taken.push(task)).then(() => ended),
      report: (message, error) => {
        throw new Error(`${message}: ${String(error)}`);
      },
    });
    const leaseUntil = new Date(world.clock.now().getTime() + LEASE_MS);
    world.app
      .get(TaskHandover)
      .offer({ reserve: () => pool.reserve(), lease: () => ({ leasedBy: 'this one', leaseUntil }) });
  });
  afterEach(async () => {
    end();
    jest.restoreAllMocks();
    await world.close();
  });

  const tasks = () => world.prisma.outboxTask.findMany({ orderBy: { id: 'asc' } });

  it('are the same as tasks that a claim returns', async () => {
    await world.submit(1);
    world.clock.advance(LEASE_MS);
    const now = world.clock.now();
    const [task] = await world.app.get(OutboxStore).claim('another', 8, now, now);
    const { dueAt, ...claimed } = task!;
    expect(dueAt).toEqual(now);
    expect(taken).toEqual([{ ...claimed, leasedBy: 'this one', attempts: 1 }]);
  });

  it('can be settled like claimed tasks', async () => {
    await world.submit(1);
    const outcome = {
      event: { type: 'runNotStarted', run: 1, because: { type: 'base_gone' }, seen: [] },
      observed: [],
    };
    const settled = await world.app.get(OutboxStore).settle(taken[0]!, 'done', outcome as never, world.clock.now());
    expect(settled).toBe('settled');
  });

  it('wait for a claim if there is no free slot', async () => {
    pool.reserve().keep(1);
    await world.submit(1);
    expect(taken).toEqual([]);
    expect(await tasks()).toMatchObject([{ state: 'waiting', attempts: 0, leasedBy: null, leaseUntil: null }]);
    await world.app.get(OutboxWorker).drain();
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('are not carried out if the answer to the commit is lost: another process does them, and the slot is free', async () => {
    const transaction = world.sql.transaction.bind(world.sql);
    jest.spyOn(world.sql, 'transaction').mockImplementationOnce(async (work) => {
      await transaction(work);
      throw new Error('the connection is lost');
    });
    expect((await world.submit(1)).status).toBe(500);
    expect(await world.settlesWithErrors()).toEqual([expect.stringContaining('the connection is lost')]);
    expect(taken).toEqual([]);
    expect(await world.stateOf(1)).toBe('pending');
    expect(pool.reserve().keep(1)).toBe(1);
    world.clock.advance(LEASE_MS);
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('are not leased while another task of the same subject is unsettled', async () => {
    await world.submit(1);
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    const now = world.clock.now();
    const stop = (run: number) => ({ type: 'stopTestRun', run, because: 'ended', failure: null }) as const;
    const start = { ...taken[0]!.command, run: 2 } as never;
    const lease = { most: 8, leasedBy: 'this one', leaseUntil: now };
    const listed = commandsAppended(queueId, [stop(1), start, stop(2), stop(3)], now, lease);
    const { list } = await writeTogether<AppendedTask>(world.sql, { listed });
    expect(list.map(({ key, state }) => [key.slice(queueId.length), state])).toEqual([
      ['/stopTestRun/1', 'waiting'],
      ['/startTestRun/2', 'leased'],
      ['/stopTestRun/2', 'waiting'],
      ['/stopTestRun/3', 'leased'],
    ]);
  });
});
