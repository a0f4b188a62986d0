import { HostInbox } from '../../src/domain/code-host.port';
import { newId } from '../../src/platform/ids';
import { World } from '../support/world';

describe('the dependencies of a pull request', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 3 });
  });
  afterEach(() => world.close());

  it('are found by the commits; the pull request does not merge with commits of a cancelled pull request', async () => {
    const one = world.git.openPullRequest(1, { 'one.txt': '1\n' });
    world.git.setPullRequest(2, world.git.commitTo('refs/heads/two', one, { 'two.txt': '2\n' }));
    for (const number of [1, 2]) await world.submit(number);
    await world.settles();
    expect(await world.prisma.entryNeed.findMany()).toMatchObject([{ number: 2, needed: 1, head: one }]);
    await world.cancel(1);
    await world.settles();
    expect(await world.record(2)).toMatchObject({
      ...{ state: 'not_ready', stateReason: 'readiness_lost' },
      readiness: { unmetDependencies: [1] },
    });
    expect((await world.record(2)).waitingFor).toContain('contains #1, which was cancelled');
    await world.submit(1);
    await world.settles();
    expect(await world.stateOf(2)).toBe('testing');
    for (const number of [1, 2]) await world.report(number, 'success');
    expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'merged']);
    expect(await world.prisma.entryNeed.count()).toBe(0);
  });

  it('change if a pull request that is not ready gets a push without the commits of the other pull request', async () => {
    const one = world.git.openPullRequest(1, { 'one.txt': '1\n' });
    world.git.setPullRequest(2, world.git.commitTo('refs/heads/two', one, { 'two.txt': '2\n' }));
    for (const number of [1, 2]) await world.submit(number);
    await world.cancel(1);
    world.git.setPullRequest(2, world.git.commitTo('refs/heads/three', world.git.tip('main'), { 'two.txt': '2\n' }));
    await world.looksAtHost();
    await world.settles();
    expect(await world.stateOf(2)).toBe('testing');
    expect(await world.prisma.entryNeed.count()).toBe(0);
  });
});

describe('the pull requests that a description names with Depends-On', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
  });
  afterEach(() => world.close());

  async function changed(number: number): Promise<void> {
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const event = { type: 'pull_request_changed', repositoryId, number } as const;
    await world.app.get(HostInbox).append(world.repo.host, newId(), event);
    await world.settles();
  }

  async function says(number: number, body: string): Promise<void> {
    world.memory.pullRequest(number).body = body;
    await changed(number);
  }

  it('merge first, whatever the priorities and however many pull requests wait in between', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7]) world.memory.openPullRequest(number);
    for (const number of [6, 7]) world.memory.pullRequest(number).body = 'Depends-On: #5';
    await world.updateQueue({ state: 'paused', concurrency: 1 });
    await world.submit(5, { priority: 200 });
    for (const number of [6, 7]) await world.submit(number, { priority: 10 });
    for (const number of [1, 2, 3, 4]) await world.submit(number);
    await world.updateQueue({ state: 'running' });
    await world.settles();
    expect((await world.record(6)).waitingFor).toContain('depends on #5: merges after or with it');
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      expect(await world.stateOf(number)).toBe('testing');
      await world.report(number, 'success');
      expect(await world.stateOf(number)).toBe('merged');
    }
  });

  it('count as soon as the description names them, and only as long as it names them', async () => {
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.submit(1);
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    await says(1, 'Depends-On: #2');
    expect(await world.record(1)).toMatchObject({ state: 'not_ready', readiness: { unmetDependencies: [2] } });
    expect((await world.record(1)).waitingFor).toContain('depends on #2, which is not in this queue and not on main');
    await says(1, '');
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('are reported as a problem if they are for another branch', async () => {
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    world.memory.pullRequest(2).base = 'release';
    world.memory.pullRequest(1).body = 'Depends-On: #2';
    await world.submit(1);
    await world.settles();
    const waitingFor = async (): Promise<string> => String((await world.record(1)).waitingFor);
    expect(await waitingFor()).toContain(
      'depends on #2, which is for release: only pull requests for main count here. Wait until #2 has merged, then remove Depends-On: #2 from the description of #1',
    );
    world.memory.pullRequest(2).base = 'main';
    await changed(2);
    expect(await waitingFor()).toContain('depends on #2, which is not in this queue and not on main: submit #2');
  });

  it('are no reason to wait if they are merged already', async () => {
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.submit(1);
    await world.settles();
    await world.report(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
    await world.submit(2);
    await world.settles();
    const entryNow = () => world.prisma.entry.findFirstOrThrow({ where: { number: 2 } });
    const { stateRunId } = await entryNow();
    expect(stateRunId).not.toBeNull();
    await says(2, 'Depends-On: #1');
    expect(await entryNow()).toMatchObject({ state: 'testing', stateRunId });
  });

  it('also count as merged after a manual merge, even without a submission', async () => {
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    world.memory.mergeByHand(2);
    world.memory.pullRequest(1).body = 'Depends-On: #2';
    await world.submit(1);
    world.memory.pullRequest(3).body = 'Depends-On: #4';
    world.memory.openPullRequest(4);
    await world.submit(3);
    await world.settles();
    expect([await world.stateOf(1), await world.stateOf(3)]).toEqual(['testing', 'not_ready']);
    world.memory.mergeByHand(4);
    await changed(4);
    expect(await world.stateOf(3)).not.toBe('not_ready');
  });
});

describe('GitHub: a description that is edited', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'github' });
    await world.createQueue({ requiredStatuses: ['tests'] });
  });
  afterEach(() => world.close());

  it('counts when its delivery comes, as do the commits of a stack', async () => {
    const below = world.githubRepository.openPullRequest({ 'one.txt': '1\n' });
    const above = world.githubRepository.openPullRequest({ 'two.txt': '2\n' }, { from: below.head.sha });
    const other = world.githubRepository.openPullRequest({ 'three.txt': '3\n' });
    for (const { number } of [below, above, other]) await world.submit(number);
    await world.settles();
    expect(await world.prisma.entryNeed.findMany()).toMatchObject([
      { number: above.number, needed: below.number, head: below.head.sha },
    ]);
    world.githubRepository.describe(other.number, 'It adds three.\n\nDepends-On: #999');
    await world.settles();
    expect(await world.record(other.number)).toMatchObject({ readiness: { unmetDependencies: [999] } });
    world.githubRepository.describe(other.number, 'It adds three.');
    await world.settles();
    expect(await world.record(other.number)).toMatchObject({ readiness: { unmetDependencies: [] } });
  });
});
