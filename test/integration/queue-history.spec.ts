import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueueHistoryByDay } from '../../src/modules/views/queue-history.dto';
import { ForecastKeeper } from '../../src/processing/forecasts/forecast-keeper';
import { World } from '../support/world';

const DAYS_OF_LOG = join(__dirname, '../fixtures/queue-days-of-log.sql');
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

describe('The days in the history of a queue', () => {
  let world: World;
  let last = 0;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
    for (const minutes of [10, 20, 30]) await world.report(await begin(minutes), 'success');
    await world.report(await begin(5), 'failure');
    const taken = await begin(5);
    const pr = { repo: world.repo, targetBranch: 'main', pr: { number: taken } };
    await world.api.mustPost('cancelPullRequest', pr);
    await world.settles();
    await world.advance(DAY_MINUTES);
    await world.report(await begin(40), 'success');
  });

  afterAll(() => world.close());

  async function begin(minutes: number): Promise<number> {
    world.memory.openPullRequest(++last);
    await world.submit(last);
    await world.settles();
    await world.app.get(ForecastKeeper).follow();
    await world.advance(minutes);
    return last;
  }

  const history = (more: object = {}) =>
    world.api.mustPost<QueueHistoryByDay>('getQueueHistoryByDay', { repo: world.repo, targetBranch: 'main', ...more });

  it('count merged, failed and cancelled pull requests, test runs and reasons, with the times in the queue', async () => {
    const { days, total, before } = await history();
    expect(
      days.map(({ mergedCount, failedCount, cancelledCount }) => [mergedCount, failedCount, cancelledCount]),
    ).toEqual([
      [3, 1, 1],
      [1, 0, 0],
    ]);
    expect(days.map(({ runCount, runsPerMerged }) => [runCount, runsPerMerged])).toEqual([
      [5, 1.67],
      [1, 1],
    ]);
    expect(days[0]!.reasons).toEqual([
      { reason: 'api_requested', count: 1 },
      { reason: 'test_run_required_status_failed', count: 1 },
    ]);
    const minutes = [days[0]!.waitedP50Ms, days[0]!.waitedP90Ms, total.waitedP90Ms].map((ms) => ms! / MINUTE_MS);
    [20, 30, 40].forEach((exact, index) => expect(Math.abs(minutes[index]! / exact - 1)).toBeLessThan(0.06));
    expect(total).toMatchObject({ mergedCount: 4, runCount: 6, runsPerMerged: 1.5 });
    expect(before).toBeNull();
  });

  it('are the requested number of days up to a day, and as many before', async () => {
    const { days } = await history();
    const today = await history({ take: 1 });
    expect(today.days).toEqual([days[1]]);
    expect(today.before).toMatchObject({ mergedCount: 3 });
    const yesterday = await history({ take: 1, until: days[0]!.day });
    expect(yesterday.days).toEqual([days[0]]);
    expect((await history({ until: '2020-01-01' })).days).toEqual([]);
  });

  it.each([[{ until: '2026-02-30' }], [{ until: 7 }], [{ take: 0 }], [{ take: 367 }]])(
    'are refused for %j',
    async (more) => {
      const answer = await world.api.post('getQueueHistoryByDay', { repo: world.repo, targetBranch: 'main', ...more });
      expect(answer.status).toBe(400);
    },
  );

  it('are the same as the days that a query over the log computes', async () => {
    const days = () => world.prisma.queueDay.findMany({ orderBy: { day: 'asc' } });
    const counted = await days();
    await world.prisma.queueDay.deleteMany();
    await world.prisma.$executeRawUnsafe(readFileSync(DAYS_OF_LOG, 'utf8'));
    expect(await days()).toEqual(counted);
  });

  it('show how far each real end was from its first forecast', async () => {
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    const learned = { durations: Array<number>(30).fill(10 * MINUTE_MS), outside: 0.1, late: 0.1 };
    await world.prisma.forecastOutcome.deleteMany();
    await world.prisma.forecastOutcome.createMany({
      data: ['tested', 'tested 0'].map((situation) => ({ queueId, situation, learned })),
    });
    const unknown = await history();
    expect(unknown.total).toMatchObject({ etaCount: 0, etaErrorMs: null, etaWithinShare: null });
    await world.report(await begin(25), 'success');
    await world.app.get(ForecastKeeper).follow();
    await world.app.get(ForecastKeeper).follow();
    const { lastWeek, days } = await history();
    expect(days.at(-1)).toMatchObject({ etaCount: 1, etaWithinShare: 0 });
    expect(Math.abs(lastWeek.etaErrorMs! / MINUTE_MS - 15)).toBeLessThan(1);
  });
});
