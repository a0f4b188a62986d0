import { Backlog } from '../../src/platform/lifecycle/backlog';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { World } from '../support/world';

/** The most connections that all worlds of a jest worker have together. */
const CONNECTIONS = 20;

describe('The backlog of the service', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.close();
  });

  it('is the time for which a task was due, recorded by the process that claims the task', async () => {
    const note = jest.spyOn(Backlog.prototype, 'note');
    await world.submit(1);
    world.clock.advance(2_500);
    await world.settles();
    expect(note.mock.calls[0]).toEqual([2_500]);
    await world.settles();
    expect(note.mock.lastCall).toEqual([0]);
  });

  it('does not count tasks that only wait for people', async () => {
    const { id } = await world.prisma.queue.findFirstOrThrow();
    const shown = { type: 'updatePullRequestView', number: 1, dueAt: world.clock.now().getTime() } as const;
    await world.app.get(QueueProcessor).enqueueTasks(id, [shown]);
    const note = jest.spyOn(Backlog.prototype, 'note');
    world.clock.advance(2_500);
    await world.settles();
    expect(await world.prisma.outboxTask.count({ where: { type: shown.type, state: 'done' } })).toBe(1);
    expect(Math.max(...note.mock.calls.flat())).toBe(0);
  });

  it('includes transactions that wait for a database connection', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const held: Promise<void>[] = [];
    const hold = () =>
      new Promise<void>((begun) => {
        const work = world.sql.transaction(
          async (tx) => {
            await tx.rows`SELECT 1`;
            begun();
            await ended;
          },
          { planner: 'by index' },
        );
        held.push(work);
      });
    for (let one = 0; one < CONNECTIONS; one++) await hold();
    expect(world.sql.isBusy).toBe(false);
    void hold();
    expect(world.sql.isBusy).toBe(true);
    end();
    await Promise.all(held);
  });
});
