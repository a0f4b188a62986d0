import { deleteRepositoryRecords } from '../../src/cli/sample/delete-records';
import { ForecastKeeper } from '../../src/processing/forecasts/forecast-keeper';
import { World } from '../support/world';

const MINUTE_MS = 60_000;

describe('The expected end of a pull request', () => {
  let world: World;
  let last = 0;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], testingTimeoutMinutes: 600 });
    last = 0;
  });

  afterEach(() => world.close());

  const follow = (of = world) => of.app.get(ForecastKeeper).follow();
  const etaOf = async (number: number) => (await world.record(number)).eta as Record<string, string> | null;

  async function begin(): Promise<number> {
    world.memory.openPullRequest(++last);
    await world.submit(last);
    await world.settles();
    await follow();
    return last;
  }

  async function conclude(number: number, result: 'success' | 'failure'): Promise<void> {
    await world.report(number, result);
    await follow();
  }

  /**
   * Lets the forecasts learn of pull requests that were tested in isolation and ended after these numbers of minutes.
   */
  async function know(minutes: readonly number[]): Promise<void> {
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    const learned = { durations: minutes.map((each) => each * MINUTE_MS), outside: 0.1, late: 0.1 };
    const situations = ['tested', 'tested 0'];
    await world.prisma.forecastOutcome.createMany({
      data: situations.map((situation) => ({ queueId, situation, learned })),
    });
  }

  async function learned(): Promise<Record<string, number[]>> {
    const rows = await world.prisma.forecastOutcome.findMany({ orderBy: { situation: 'asc' } });
    return Object.fromEntries(
      rows.map(({ situation, learned }) => [
        situation,
        (learned as unknown as { durations: number[] }).durations.map((duration) => duration / MINUTE_MS),
      ]),
    );
  }

  const minutesFrom = (start: Date, eta: Record<string, string> | null) =>
    Object.fromEntries(
      Object.entries(eta ?? {}).map(([name, at]) => [name, (Date.parse(at) - start.getTime()) / MINUTE_MS]),
    );
  const TENS = Array<number>(20).fill(10);
  const TWENTIES = Array<number>(9).fill(20);

  it('is shown once the end of 30 comparable pull requests is known', async () => {
    await know([...TENS, ...TWENTIES]);
    const first = await begin();
    expect(await etaOf(first)).toBeNull();
    await world.advance(10);
    await conclude(first, 'failure');
    expect((await learned())['tested 0']).toEqual([...TENS, ...TWENTIES, 10]);
    const start = world.clock.now();
    const next = await begin();
    expect(minutesFrom(start, await etaOf(next))).toEqual({ p50: 10, p90: 20, low: 10, high: 20 });
    await conclude(next, 'success');
    expect(await etaOf(next)).toBeNull();
  });

  it('is learned from pull requests that took longer than this pull request so far, and so lies in the future', async () => {
    await know([...TENS, ...TENS, ...TWENTIES, ...TENS, ...TWENTIES, ...TWENTIES, ...TWENTIES]);
    const start = world.clock.now();
    const number = await begin();
    await world.advance(9);
    expect(minutesFrom(start, await etaOf(number))).toMatchObject({ p50: 10, low: 10 });
    await world.advance(6);
    expect(minutesFrom(start, await etaOf(number))).toMatchObject({ p50: 20, low: 20 });
    await world.advance(6);
    expect(await etaOf(number)).toBeNull();
  });

  it('is null while the queue is paused; the time before a pause is not learned from', async () => {
    await know([...TENS, ...TENS]);
    const number = await begin();
    expect(await etaOf(number)).not.toBeNull();
    await world.updateQueue({ state: 'paused' });
    expect(await etaOf(number)).toBeNull();
    await follow();
    expect(await world.prisma.forecastCourse.count()).toBe(0);
    await world.advance(60);
    await world.updateQueue({ state: 'running' });
    await world.settles();
    await follow();
    expect(minutesFrom(world.clock.now(), await etaOf(number))).toMatchObject({ p50: 10 });
  });

  /** The time of the test's clock, plus this many hours. */
  const inHours = (hours: number): string =>
    new Date(world.clock.now().getTime() + hours * 60 * MINUTE_MS).toISOString().slice(11, 16);

  async function freezeForTwoHours(): Promise<void> {
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    const window = { days, from: inHours(0), to: inHours(2), timeZone: 'UTC' };
    await world.updateQueue({ freezeWindows: [window] });
  }

  it('is not before the end of a freeze; the time before a freeze is not learned from', async () => {
    await know([...TENS, ...TENS]);
    const number = await begin();
    await world.advance(1);
    const start = world.clock.now();
    await freezeForTwoHours();
    const end = new Date(Math.floor(start.getTime() / MINUTE_MS) * MINUTE_MS + 120 * MINUTE_MS).toISOString();
    expect(await etaOf(number)).toEqual({ p50: end, p90: end, low: end, high: end });
    await world.report(number, 'success');
    expect(await etaOf(number)).toMatchObject({ p50: end });
    await world.advance(121);
    expect(await world.stateOf(number)).toBe('merged');
    await follow();
    expect((await learned())['tested 0']).toHaveLength(40);
  });

  it('is in the comment each time the comment is written, and causes no write of its own', async () => {
    const shown = world.memoryHost.openConversation().of(world.repo);
    const comment = (number: number) => shown.comment(number, 'sluice-merge-queue')!;
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    const waits = { durations: Array<number>(40).fill(30 * MINUTE_MS), outside: 0.1, late: 0.1 };
    await world.prisma.forecastOutcome.create({ data: { queueId, situation: 'waits', learned: waits } });
    const first = await begin();
    const second = await begin();
    const half = new Date(world.clock.now().getTime() + 30 * MINUTE_MS).toISOString().slice(11, 16);
    await world.advance(10);
    await conclude(first, 'success');
    await world.settles();
    expect(await world.stateOf(second)).toBe('testing');
    const now = inHours(0);
    expect(comment(second).body).toContain(
      `As of ${now} UTC: expected to merge or fail at about ${half} UTC, and with 90 % probability by ${half} UTC.`,
    );
    const { writes } = comment(second);
    await world.advance(5);
    await world.submit(second, { priority: 'high' });
    await world.advance(5);
    expect(comment(second).writes).toBe(writes);
  });

  it('is not learned from cancelled pull requests', async () => {
    const number = await begin();
    await world.advance(10);
    await world.cancel(number);
    await world.settles();
    await follow();
    expect(await learned()).toEqual({});
    expect(await world.prisma.forecastCourse.count()).toBe(0);
  });

  it('is learned once, however many instances of the service poll, and deleted with the queue', async () => {
    const other = await world.join();
    const number = await begin();
    await world.advance(10);
    await world.report(number, 'success');
    await Promise.all([follow(), follow(other)]);
    await Promise.all([follow(), follow(other)]);
    expect(await learned()).toEqual({ tested: [10], 'tested 0': [10] });
    await world.api.mustPost('deleteQueue', { repo: world.repo, targetBranch: 'main' });
    await follow(other);
    expect(await learned()).toEqual({});
    await other.close();
  });

  it.each(['the first look', 'a later look'])('leaves no rows of a queue that is deleted during %s', async (look) => {
    const { id } = await world.prisma.repository.findFirstOrThrow();
    await begin();
    if (look === 'the first look') await world.prisma.forecastTurn.deleteMany();
    else await world.report(1, 'success');
    const looking = await world.prisma.$transaction(async (tx) => {
      await deleteRepositoryRecords(tx, id);
      let hasEnded = false;
      const ended = follow().finally(() => (hasEnded = true));
      const waits = () => tx.$queryRaw<object[]>`SELECT 1 FROM pg_locks WHERE NOT granted`;
      while (!hasEnded && (await waits()).length === 0);
      return { ended };
    });
    await looking.ended;
    expect(await world.prisma.forecastTurn.count()).toBe(0);
  });
});
