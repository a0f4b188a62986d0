import { DueQueues } from '../../src/processing/decisions/due-queues';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';
import { World } from '../support/world';

describe('two instances of the service', () => {
  let world: World;
  let other: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    other = await world.join();
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 5 });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const submitted = () => world.prisma.entry.findMany({ orderBy: { submittedOrder: 'asc' } });

  it('decide on one queue one after the other', async () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i + 1);
    for (const number of numbers) world.memory.openPullRequest(number);
    const answers = await Promise.all(numbers.map((number) => (number % 2 ? world : other).submit(number)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const orders = (await submitted()).map((entry) => Number(entry.submittedOrder));
    expect(orders).toEqual(numbers);
    const log = await world.prisma.queueLog.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } });
    expect(log.map(({ seq }) => Number(seq))).toEqual(log.map((_, i) => i + 1));
    expect(await world.prisma.queue.findFirstOrThrow()).toMatchObject({ version: 40n });
  });

  it('share the work, and merge every pull request once, in order', async () => {
    for (let round = 0; round < 60; round++) {
      await Promise.all([world.settles(), other.settles()]);
      const runs = await world.prisma.testRun.findMany({ where: { live: true, phase: 'testing' } });
      if (runs.length === 0) break;
      const instances = [world, other];
      await Promise.all(
        runs.map(({ commit }, i) => {
          const status = { repo: world.repo, sha: commit, context: 'tests', state: 'success' };
          return instances[i % 2]!.api.mustPost('reportStatus', status);
        }),
      );
    }
    expect(await world.prisma.entry.count({ where: { state: 'merged' } })).toBe(40);
    const messages = world.memory.firstParents('main').map((commit) => commit.message.split('\n')[0]);
    const titles = (await submitted()).map(({ number }) => `Change ${number} (#${number})`);
    expect(messages.reverse()).toEqual(['start', ...titles]);
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });

  describe('while another transaction has locked a queue', () => {
    /** Runs `work` while the row is locked. Fails if `work` waits for the lock. */
    async function whileLocked<T>(how: 'UPDATE' | 'KEY SHARE', work: (queueId: string) => Promise<T>): Promise<T> {
      const { id } = await world.prisma.queue.findFirstOrThrow();
      return world.prisma.$transaction(async (tx) => {
        await tx.$queryRawUnsafe(`SELECT 1 FROM "Queue" WHERE "id" = $1::uuid FOR ${how}`, id);
        return work(id);
      });
    }

    it('an instance with due work in that queue continues with other queues', async () => {
      const processor = other.app.get(QueueProcessor);
      const due = { wakeAt: world.clock.now() };
      await world.prisma.queue.updateMany({ data: due });
      expect(await whileLocked('UPDATE', (id) => processor.processNextDue(id))).toBe('busy');
      expect(await world.prisma.queue.findFirstOrThrow()).toMatchObject(due);
    });

    it('the instance that needs it polls again until that transaction has ended', async () => {
      const { id } = await world.prisma.queue.findFirstOrThrow();
      // The queue is claimed only once, so the instance must process the busy queue again under the same claim.
      const claim = jest.spyOn(other.app.get(DueQueues), 'claim').mockResolvedValue([]).mockResolvedValueOnce([id]);
      const processed = jest.spyOn(other.app.get(QueueProcessor), 'processNextDue').mockResolvedValueOnce('busy');
      await other.app.get(QueueScheduler).drain();
      expect(await Promise.all(processed.mock.results.map(({ value }) => value as unknown))).toEqual([
        'busy',
        'processed',
      ]);
      processed.mockRestore();
      claim.mockRestore();
    });

    it('a request waits for the lock, and has no database connection meanwhile', async () => {
      world.memory.openPullRequest(49);
      let submitted!: ReturnType<World['submit']>;
      const waiting = await whileLocked('UPDATE', async () => {
        submitted = other.submit(49);
        const looks: number[] = [];
        for (let nth = 0; nth < 40; nth++) looks.push(await waitingForLocks());
        return looks;
      });
      expect(new Set(waiting)).toEqual(new Set([0]));
      expect((await submitted).status).toBe(200);
      await other.cancel(49);
    });

    it("a request that found the queue locked too often waits for PostgreSQL's lock, and is decided then", async () => {
      let decided!: Promise<unknown>;
      await whileLocked('UPDATE', async (id) => {
        decided = other.app.get(QueueProcessor).processEvent(id, { event: { type: 'clockTicked' } });
        while ((await waitingForLocks()) === 0);
      });
      expect(await decided).toEqual({ type: 'decided' });
    });

    async function waitingForLocks(): Promise<number> {
      const [row] = await world.prisma.$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS "waiting" FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row!.waiting;
    }

    it('an insert that refers to that queue is not delayed, because it locks only the key', async () => {
      const processor = other.app.get(QueueProcessor);
      expect(await whileLocked('KEY SHARE', (id) => processor.processNextDue(id))).toBe('idle');
    });
  });

  describe('if the decisions of one queue fail', () => {
    let broken: string;

    beforeAll(async () => {
      world.memory.branches.set('release', world.memory.tip('main').commit);
      await world.createQueue({ requiredStatuses: ['tests'] }, 'release');
      const queue = await world.prisma.queue.findFirstOrThrow({ where: { branch: 'release' } });
      broken = queue.id;
      const landing = { number: 1, runs: null };
      await world.prisma.queue.update({ where: { id: broken }, data: { landing, wakeAt: world.clock.now() } });
      const changes = { id: broken, queueId: broken, number: 1, phase: 'landing', live: true };
      await world.prisma.$executeRaw`
        INSERT INTO "TestRun" SELECT (jsonb_populate_record(r, ${JSON.stringify(changes)}::jsonb)).*
        FROM "TestRun" r LIMIT 1`;
    });

    it('delays the decisions of that queue only, and counts the failures', async () => {
      world.memory.openPullRequest(50);
      await world.submit(50);
      const errors = await world.settlesWithErrors();
      expect(errors).toEqual([expect.stringContaining(`A decision of queue ${broken} failed, 1 in a row`)]);
      expect(await world.stateOf(50)).toBe('testing');
      const { failures, retryAt } = await world.prisma.queue.findUniqueOrThrow({ where: { id: broken } });
      expect({ failures, wait: retryAt!.getTime() - world.clock.now().getTime() }).toEqual({
        failures: 1,
        wait: 1_000,
      });
      await world.app.get(QueueScheduler).drain();
      expect((await world.prisma.queue.findUniqueOrThrow({ where: { id: broken } })).failures).toBe(1);
      world.clock.advance(1_000);
      expect(await world.settlesWithErrors()).toHaveLength(1);
      world.clock.advance(1_000);
      expect(await world.settlesWithErrors()).toHaveLength(0);
    });

    it('continues with that queue once a decision succeeds', async () => {
      await world.prisma.testRun.delete({ where: { id: broken } });
      await world.prisma.$executeRaw`UPDATE "Queue" SET "landing" = NULL WHERE "id" = ${broken}::uuid`;
      world.clock.advance(10_000);
      await world.settles();
      const queue = await world.prisma.queue.findUniqueOrThrow({ where: { id: broken } });
      expect(queue).toMatchObject({ failures: 0, retryAt: null, wakeAt: null });
    });
  });

  it('answer that a queue is gone after it was deleted', async () => {
    const { id } = await world.prisma.queue.findFirstOrThrow({ where: { branch: 'release' } });
    await world.api.mustPost('deleteQueue', { repo: world.repo, targetBranch: 'release' });
    const processor = other.app.get(QueueProcessor);
    expect(await processor.processEvent(id, { event: { type: 'clockTicked' } })).toEqual({ type: 'gone' });
    await expect(processor.view(id, {})).rejects.toThrow('no such merge queue');
    expect(await processor.processNextDue(id)).toBe('idle');
  });
});
