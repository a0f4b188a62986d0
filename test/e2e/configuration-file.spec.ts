import { World } from '../support/world';

const FILE = '.sluice/sluice.yaml';
const named = (...names: readonly string[]) => ({ [FILE]: `merge: { required_statuses: [${names.join(', ')}] }\n` });
const BROKEN = { [FILE]: 'merge:\n  required_statuses: [unit\n' };

describe('An unreadable configuration file on the target', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    world.git.pushTo('main', named('unit'));
    await world.createQueue({ concurrency: 2 });
  });

  afterEach(() => world.close());

  const states = (...numbers: readonly number[]) => Promise.all(numbers.map((number) => world.stateOf(number)));

  async function submit(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await world.submit(number);
    await world.settles();
  }

  it('fails no pull request: its fix is tested with the last readable version, and waiting pull requests continue then', async () => {
    world.git.openPullRequest(1, { 'one.txt': '1\n' });
    world.git.pushTo('main', BROKEN);
    world.git.openPullRequest(2, named('e2e'));
    world.git.openPullRequest(3, { 'three.txt': '3\n' });
    await submit(1, 2, 3);
    expect(await states(1, 2, 3)).toEqual(['pending', 'testing', 'pending']);
    expect((await world.record(1)).waitingFor).toMatch(
      /^\.sluice\/sluice\.yaml is not valid YAML: .* at line \d, column \d+\. No pull request fails because of this: tests start when the file is fixed on main, by a push or a pull request\. A pull request that fixes the file is tested with the file's last readable version\. Another way is to set the required statuses of the queue/,
    );
    await world.report(2, 'success', 'unit');
    expect(await states(1, 2, 3)).toEqual(['testing', 'merged', 'testing']);
    for (const number of [1, 3]) await world.report(number, 'success', 'e2e');
    expect(await states(1, 2, 3)).toEqual(['merged', 'merged', 'merged']);
  });

  it('makes testing pull requests wait, until a push fixes the file or the queue itself gets required statuses', async () => {
    for (const number of [1, 2]) world.git.openPullRequest(number, { [`${number}.txt`]: 'x\n' });
    await submit(1, 2);
    world.git.pushTo('main', BROKEN);
    await world.looksAtHost();
    expect(await states(1, 2)).toEqual(['pending', 'pending']);
    await world.advance(24 * 60);
    expect(await states(1, 2)).toEqual(['pending', 'pending']);
    world.git.pushTo('main', named('lint'));
    await world.looksAtHost();
    expect(await states(1, 2)).toEqual(['testing', 'testing']);
    world.git.pushTo('main', BROKEN);
    await world.looksAtHost();
    await world.updateQueue({ requiredStatuses: ['by-hand'] });
    await world.settles();
    expect(await states(1, 2)).toEqual(['testing', 'testing']);
  });

  const file = (first: string, last: string) => ({ [FILE]: `${first}\n${'\n'.repeat(9)}${last}\n` });
  const UNIT = 'merge: { required_statuses: [unit] }';
  const HALF = 'merge: { required_statuses: [unit';

  it('makes a pull request wait that changes another part of the file and leaves it unreadable', async () => {
    world.git.pushTo('main', file('# shop', UNIT));
    world.git.openPullRequest(1, file('# our shop', UNIT));
    world.git.pushTo('main', file('# shop', HALF));
    await submit(1);
    expect(await world.record(1)).toMatchObject({
      state: 'pending',
      waitingFor: expect.stringContaining('No pull request fails because of this') as string,
    });
  });

  it('at once fails a pull request that breaks another part of the file, although its batch also has the fix', async () => {
    await world.updateQueue({ batch: true, batchingMinSize: 2 });
    world.git.pushTo('main', file('# shop', UNIT));
    world.git.pushTo('main', file('# shop', HALF));
    world.git.openPullRequest(1, file('shop: [', HALF));
    world.git.openPullRequest(2, file('# shop', UNIT));
    await submit(1, 2);
    expect(await states(1, 2)).toEqual(['failed', 'testing']);
    const refused = { endedBecause: 'start_test_run_config_parsing_failure' };
    const { members } = await world.prisma.testRun.findFirstOrThrow({ where: refused, select: { members: true } });
    expect(members.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('fails only the pull request that makes the file unreadable, also in a batch, and names the line with the error', async () => {
    await world.updateQueue({ batch: true, batchingMinSize: 2 });
    world.git.openPullRequest(1, { [FILE]: 'merge:\n  required_statuses: unit\n' });
    world.git.openPullRequest(2, { 'two.txt': '2\n' });
    await submit(1, 2);
    expect(await states(1, 2)).toEqual(['failed', 'testing']);
    expect(await world.record(1)).toMatchObject({
      stateReason: 'start_test_run_config_bad_required_statuses',
      stateMessage:
        'Its change makes the required statuses in the configuration file of main invalid: merge.required_statuses in .sluice/sluice.yaml is not a list of names (line 2). Fix .sluice/sluice.yaml in the pull request, then submit it again.',
    });
  });
});

describe('An unreadable configuration file on the target, if the service runs the checks,', () => {
  it('makes pull requests wait even if the queue has its own required statuses, and none fails', async () => {
    const world = await World.create({ host: 'git', settings: { checkRunner: 'on' } });
    try {
      world.git.pushTo('main', { [FILE]: 'ci: [' });
      await world.createQueue({ requiredStatuses: ['unit'] });
      world.git.openPullRequest(1, { 'one.txt': '1\n' });
      world.git.openPullRequest(2, { [FILE]: 'ci: { unit: "true" }\n' });
      await world.submit(1);
      await world.settles();
      expect(await world.record(1)).toMatchObject({
        state: 'pending',
        waitingFor: expect.stringContaining('No pull request fails because of this') as string,
      });
      await world.submit(2);
      await world.settles();
      expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'merged']);
    } finally {
      await world.close();
    }
  });
});
