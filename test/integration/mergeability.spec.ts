import { World } from '../support/world';

describe('a pull request that its host has not checked for conflicts yet', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'] });
  });
  afterAll(() => world.close());

  const passSeconds = async (seconds: number): Promise<void> => {
    world.clock.advance(seconds * 1_000);
    await world.settles();
  };
  const asked = (): Promise<number> => world.prisma.inboxDelivery.count({ where: { type: 'pull_request_changed' } });

  it('is read again after waits that double, up to five minutes', async () => {
    world.memory.openPullRequest(1);
    world.memory.pullRequest(1).mergeabilityAnswers = Array.from({ length: 20 }, () => 'in_progress' as const);
    await world.submit(1);
    const times: number[] = [];
    for (let second = 0; second < 1_300; second += 5) {
      const before = await asked();
      await world.settles();
      if ((await asked()) > before) times.push(second);
      world.clock.advance(5_000);
    }
    expect(times).toEqual([5, 10, 20, 40, 80, 160, 320, 620, 920, 1_220]);
    expect(await world.record(1)).toMatchObject({ state: 'not_ready' });
    expect(String((await world.record(1)).waitingFor)).toContain(
      'must still report whether the pull request can be merged',
    );
    world.memory.pullRequest(1).mergeabilityAnswers = [];
    await passSeconds(300);
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('is not read while it is a draft, nor after it was cancelled', async () => {
    for (const number of [2, 3]) {
      world.memory.openPullRequest(number);
      world.memory.pullRequest(number).mergeabilityAnswers = ['in_progress'];
    }
    world.memory.pullRequest(2).draft = true;
    for (const number of [2, 3]) await world.submit(number);
    await world.cancel(3);
    const before = await asked();
    await passSeconds(60);
    expect(await asked()).toBe(before);
  });
});
