import { failureMessages } from '../../src/modules/test-health/storage/queries/test-history';
import { TestResultsRig } from './test-results-rig';

const NOW = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const WORDS = ['red', 'green', 'blue', 'black', 'white', 'grey', 'pink', 'brown', 'gold', 'silver', 'cyan', 'lime'];

describe('Failure messages', () => {
  let rig: TestResultsRig;

  beforeAll(async () => {
    rig = await TestResultsRig.open(NOW);
  });

  beforeEach(() => rig.empty());

  afterAll(() => rig.close());

  const minute = (number: number) => new Date(NOW.getTime() - 60 * MINUTE_MS + number * MINUTE_MS);
  const fail = (tests: readonly string[], at: Date, message: string) =>
    rig.upload({ results: tests.map((test) => ({ test, at, outcome: 'failed', message })), receivedAt: NOW });
  const kept = (test: string) => failureMessages(rig.prisma, rig.idOf(test));

  it('are kept for the ten newest groups of failures of a test', async () => {
    for (const [number, word] of WORDS.entries()) await fail(['paints'], minute(number), `no ${word}`);
    const messages = (await kept('paints')).map(({ message }) => message);
    expect(messages).toEqual(
      WORDS.slice(-10)
        .reverse()
        .map((word) => `no ${word}`),
    );
    expect(await rig.prisma.$queryRaw`SELECT count(*)::int AS "rows" FROM test_results.failure_message`).toEqual([
      { rows: 10 },
    ]);
  });

  it('come from the newest failure of a group, in any order of arrival', async () => {
    await fail(['paints'], minute(1), 'waited 1 s');
    await fail(['paints'], minute(3), 'waited 3 s');
    await fail(['paints'], minute(2), 'waited 2 s');
    expect(await kept('paints')).toMatchObject([{ at: minute(3), message: 'waited 3 s' }]);
  });

  it('are kept for a thousand tests of an upload; other failures keep only the line that identifies their group', async () => {
    const tests = Array.from({ length: 1_100 }, (_, number) => `test ${number}`);
    await fail(tests, minute(1), 'no network');
    expect(await kept('test 999')).toHaveLength(1);
    expect(await kept('test 1000')).toHaveLength(0);
    const [{ groups }] = await rig.prisma.$queryRaw<[{ groups: number }]>`
      SELECT count(*)::int AS "groups" FROM test_results.failure_group`;
    expect(groups).toBe(1_100);
  });

  it('are stored by two uploads at the same time, even if the uploads list the same tests in another order', async () => {
    const tests = Array.from({ length: 200 }, (_, number) => `test ${number}`);
    const orders = [tests, [...tests].reverse(), tests, [...tests].reverse()];
    for (let round = 0; round < 3; round++) {
      await Promise.all(orders.map((order, index) => fail(order, minute(round), `no ${WORDS[4 * round + index]}`)));
    }
    for (const test of tests.slice(0, 5)) expect(await kept(test)).toHaveLength(10);
  });
});
