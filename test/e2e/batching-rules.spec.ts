import { World } from '../support/world';

describe('batchingRules', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], batch: true, batchingMinSize: 2, concurrency: 9 });
  });

  afterEach(() => world.close());

  async function isolate(...patterns: string[]): Promise<void> {
    await world.updateQueue({
      batchingRules: patterns.map((targetPattern) => ({ targetPattern, policy: 'isolate' })),
    });
  }

  const setTargets = (number: number, impactedTargets: readonly string[] | 'ALL') =>
    world.api.mustPost('setImpactedTargets', { ...main(), pr: { number }, impactedTargets });
  const main = () => ({ repo: world.repo, targetBranch: 'main' });

  async function submit(number: number, impactedTargets?: readonly string[] | 'ALL'): Promise<void> {
    world.memory.openPullRequest(number);
    if (impactedTargets) await setTargets(number, impactedTargets);
    await world.submit(number);
    await world.settles();
  }

  /** The pull requests of each test run, in the order in which the runs began. */
  async function runs(): Promise<number[][]> {
    const rows = await world.prisma.testRun.findMany({
      orderBy: { number: 'asc' },
      include: { members: { orderBy: { position: 'asc' } } },
    });
    return rows.map(({ members }) => members.map(({ number }) => number));
  }

  it.each([
    ['//infra/*', ['//web', '//infra/db/main']],
    ['*', ['//web']],
    ['//web', ['//web']],
    ['//we?', ['//web']],
    ['//a_b%c\\d', ['//a_b%c\\d']],
    ['//infra/*', 'ALL'],
  ] as const)('keep pull requests out of batches: %j with impact %j', async (pattern, targets) => {
    await isolate('//never/*', pattern);
    await submit(1, targets);
    await submit(2, ['//other']);
    await submit(3, ['//other']);
    // Only the first run is compared, because with `*` the other pull requests are isolated, too.
    expect((await runs())[0]).toEqual([1]);
  });

  it.each([
    ['//infra/*', ['//web', 'x//infra/db']],
    ['//infra', ['//infra/db']],
    ['//we?', ['//we', '//webs']],
    ['//a_b', ['//axb']],
    ['//a%', ['//ab']],
    ['*', []],
    ['*', undefined],
  ] as const)('do not keep pull requests out of batches: %j with impact %j', async (pattern, targets) => {
    await isolate(pattern);
    await submit(1, targets);
    await submit(2);
    expect(await runs()).toEqual([[1, 2]]);
  });

  it('apply to targets that arrive, and to rules that change, while pull requests wait', async () => {
    await world.updateQueue({ state: 'paused' });
    await submit(1, ['//web']);
    await submit(2, ['//web']);
    await submit(3, ['//web']);
    await setTargets(2, ['//infra/db']);
    const batchingRules = [{ targetPattern: '//infra/*', policy: 'isolate' }];
    await world.updateQueue({ state: 'running', batchingRules });
    await world.settles();
    expect(await runs()).toEqual([[1], [2]]);
    expect(await world.api.mustPost('getQueue', main())).toMatchObject({ batchingRules });
  });
});
