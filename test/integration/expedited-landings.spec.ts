import { commandSubject, type LandRun } from '../../src/engine/commands';
import { landingExpedited, mergeIsNotLast } from '../../src/processing/outbox/expedited-landings';
import { OutboxStore } from '../../src/processing/outbox/outbox.store';
import { World } from '../support/world';

const LEASE_MS = 30_000;
const AGAIN_MS = 8_000;

describe('a merge in the background', () => {
  let world: World;
  let queueId: string;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    ({ id: queueId } = await world.prisma.queue.findFirstOrThrow());
  });
  afterEach(() => world.close());

  const after = (ms: number): Date => new Date(world.clock.now().getTime() + ms);
  const store = (): OutboxStore => world.app.get(OutboxStore);

  /**
   * Adds a task that merges three pull requests. The host was asked to merge the pull request with the number `asked`.
   */
  async function add(asked: number): Promise<void> {
    const numbers = [1, 2, 3];
    const merged = numbers.filter((number) => number < asked).map((number) => ({ number, commit: 'a'.repeat(40) }));
    const underWay = { number: asked, id: 'one', askedAt: 0 };
    const payload = { type: 'landRun', changes: numbers.map((number) => ({ number })) };
    const subject = commandSubject(queueId, { type: 'landRun' } as LandRun);
    const task = { queueId, subject, type: 'landRun', key: 'landing', payload, notes: { asked: { merged, underWay } } };
    const at = after(AGAIN_MS);
    await world.prisma.outboxTask.createMany({
      data: { ...task, state: 'waiting', createdAt: world.clock.now(), notBefore: at },
    });
  }

  async function lease() {
    const [task] = await store().claim('a process', 8, after(AGAIN_MS), after(LEASE_MS));
    return task!;
  }

  const expedite = (which: { number?: number; isAskedFor?: true }): Promise<number> =>
    world.sql.execute(landingExpedited(queueId, which, world.clock.now()));
  const dueIn = async (): Promise<number> => {
    const { notBefore } = await world.prisma.outboxTask.findFirstOrThrow();
    return notBefore.getTime() - world.clock.now().getTime();
  };
  const askAgain = async (task: Awaited<ReturnType<typeof lease>>): Promise<number> => {
    await store().askAgain(task, { askAgainAt: after(AGAIN_MS), waitsFor: 'It merges.' }, world.clock.now());
    return dueIn();
  };

  it('is read again when the next read is due, and at once after a host event', async () => {
    await add(1);
    expect(await dueIn()).toBe(AGAIN_MS);
    expect([await expedite({ number: 1, isAskedFor: true }), await dueIn()]).toEqual([1, 0]);
  });

  it('is read again at once after a host event during a read', async () => {
    await add(1);
    const task = await lease();
    world.clock.advance(AGAIN_MS);
    expect(await expedite({ number: 1, isAskedFor: true })).toBe(1);
    expect(await askAgain(task)).toBe(0);
    expect(await askAgain(await lease())).toBe(AGAIN_MS);
  });

  it('is read at once on an event of the pull request that the host was asked to merge, and not of another', async () => {
    await add(2);
    const expedited = [1, 2, 3, 4].map((number) => () => expedite({ number, isAskedFor: true }));
    const changed: number[] = [];
    for (const one of expedited) changed.push(await one());
    expect(changed).toEqual([0, 1, 0, 0]);
    expect([
      await expedite({ number: 3 }),
      await expedite({ number: 4 }),
      await expedite({ isAskedFor: true }),
    ]).toEqual([1, 0, 1]);
  });

  it.each([
    [1, true],
    [2, true],
    [3, false],
  ])('of pull request %i of 3 needs a read of the target, too: %s', async (asked, isSo) => {
    await add(asked);
    expect(await world.sql.rows`${mergeIsNotLast(queueId)}`).toEqual([{ found: isSo }]);
  });

  it('needs a read of the target only while the merge continues', async () => {
    expect(await world.sql.rows`${mergeIsNotLast(queueId)}`).toEqual([{ found: false }]);
    await add(1);
    await world.prisma.outboxTask.updateMany({ data: { firstFailedAt: world.clock.now() } });
    expect(await world.sql.rows`${mergeIsNotLast(queueId)}`).toEqual([{ found: false }]);
  });
});
