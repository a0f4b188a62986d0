import type { Faults } from '../support/forge/faults';
import { FORGES, type ForgePlace } from '../support/forges';
import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

const STATUS = 'tests';

describe.each(repetitionsOfThisRun(FORGES))('a queue on $name', ({ at, hurry, kind, letWrite, tellsStatuses }) => {
  let world: World;
  let place: ForgePlace;
  let opened = 0;

  beforeAll(async () => {
    world = await World.create({ host: kind });
    ({ place } = at(world));
    hurry(world);
    place.changePermission('grace', 'write');
    const settings = { requiredStatuses: [STATUS], concurrency: 4, testingTimeoutMinutes: 30 };
    // With this method alone, every code host shows pull requests as merged after a push.
    await world.createQueue({ ...settings, mergeMethod: 'merge_commit' });
  });
  afterAll(() => world.close());

  const beginTest = async (): Promise<number> => {
    const { number } = place.openPullRequest({ [`${++opened}.txt`]: 'new\n' }, { by: 'ada' });
    place.comment(number, '/sluice merge', 'grace');
    await world.settles();
    return number;
  };

  const finish = async (number: number): Promise<void> => {
    const branch = place.branches().find((name) => name.startsWith(`sluice-merge/pr-${number}/`)) ?? '';
    place.setStatus(place.tip(branch), STATUS, 'success');
    await world.settles();
  };

  /** Time passes, and the service polls the code host. */
  const pass = async (minutes: number, step = 10): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += step) {
      await world.advance(step);
      await world.looksAtHost();
    }
  };

  const waitingFor = async (number: number): Promise<string> => String((await world.record(number)).waitingFor);
  const states = (...numbers: number[]): Promise<string[]> => Promise.all(numbers.map((one) => world.stateOf(one)));

  it.each([
    ['no answer', (faults: Faults) => faults.goDown('disconnect'), /has not answered for/],
    ['502 from a proxy', (faults: Faults) => faults.goDown('bad_gateway'), /unable to work with .* for [^:]+: .*502/],
    [
      '429',
      (faults: Faults) => faults.answer(/./, 429, 'Slow down', { times: Infinity }),
      /unable to work with .*: .*(limit|429)/,
    ],
  ])('waits on %s, reports the outage, and fails no pull request', async (_, begin, words) => {
    const { faults, webhooks } = at(world);
    const [merging, tested] = [await beginTest(), await beginTest()];
    begin(faults);
    await finish(merging);
    webhooks.fateOf = () => 'dropped';
    await finish(tested);
    await pass(60, 20);
    expect(await states(merging, tested)).toEqual([tellsStatuses ? 'tests_passed' : 'testing', 'testing']);
    for (const number of [merging, tested]) expect(await waitingFor(number)).toMatch(words);
    faults.recover();
    webhooks.fateOf = () => 'delivered';
    await pass(10);
    expect(await states(merging, tested)).toEqual(['merged', 'merged']);
  });

  it('waits while the host does not let the service write, and continues afterwards', async () => {
    const tested = await beginTest();
    letWrite(world, false);
    await finish(tested);
    const behind = await beginTest();
    await pass(20);
    expect(await states(tested, behind)).toEqual(['tests_passed', 'pending']);
    for (const number of [tested, behind])
      expect(await waitingFor(number)).toMatch(
        new RegExp(`been unable to work with ${world.repo.host} for 20 minutes: .*does not let the service `),
      );
    letWrite(world, true);
    await pass(10);
    await finish(behind);
    expect(await states(tested, behind)).toEqual(['merged', 'merged']);
  });
});
