import { World } from '../support/world';
import { Poison } from '../support/poison';

let world: World;

afterEach(() => world.close());

async function queueOn(host: 'git' | 'memory' | 'github', settings: object = {}): Promise<void> {
  world = await World.create({ host });
  await world.createQueue({ requiredStatuses: ['tests'], ...settings });
}

/** The details in the queue's log about the entry's failure. */
async function detailsOf(number: number): Promise<string> {
  const entry = await world.prisma.entry.findFirstOrThrow({ where: { number } });
  const line = await world.prisma.queueLog.findFirstOrThrow({ where: { entryId: entry.id, toState: 'failed' } });
  return JSON.stringify(line.change);
}

describe('attack 12: a NUL in a commit message', () => {
  it('is shown as a replacement character, and the pull request is tested like any other', async () => {
    await queueOn('git', { concurrency: 2 });
    const poison = new Poison(world.git);
    poison.openPullRequest(1, [{ name: 'a.txt', blob: poison.blob('a\n') }], 'Title\0 x\n\nBody\0\n');
    world.git.openPullRequest(2, { 'b.txt': 'b\n' });
    await world.submit(1);
    await world.submit(2);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'testing', prTitle: 'Title\u{fffd} x' });
    expect(await world.record(2)).toMatchObject({ state: 'testing' });
  });

  it('or half a character in the title on a code host does not stop a pull request', async () => {
    await queueOn('memory');
    world.memory.openPullRequest(1, { title: 'a\0b\ud83d', author: 'Eve\0' });
    await world.submit(1);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'testing', prTitle: 'a\u{fffd}b\u{fffd}' });
  });
});

describe('attack 12: a pull request that git cannot merge', () => {
  it('fails once, with the reason, and the next pull request is tested', async () => {
    await queueOn('git');
    const poison = new Poison(world.git);
    const leaf = poison.tree([{ name: 'x', blob: poison.blob('x\n') }]);
    poison.openPullRequest(1, [{ name: '..', tree: leaf }]);
    world.git.openPullRequest(2, { 'b.txt': 'b\n' });
    await world.submit(1);
    await world.submit(2);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect(await detailsOf(1)).toContain('leads outside a checkout');
    expect(await world.record(2)).toMatchObject({ state: 'testing' });
    const tries = await world.prisma.outboxTask.findMany({
      where: { type: 'startTestRun' },
      select: { attempts: true },
    });
    expect(tries).toEqual([{ attempts: 1 }, { attempts: 1 }]);
  });

  it('fails alone in a batch if the host names it as the cause', async () => {
    await queueOn('memory', { batch: true, batchingMinSize: 2 });
    world.memory.openPullRequest(1, { poison: 'git needs too much memory' });
    world.memory.openPullRequest(2);
    await world.submit(1);
    await world.submit(2);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect(await world.record(2)).toMatchObject({ state: 'testing' });
  });
});

describe('attack 13: a testing branch that the host refuses', () => {
  it("fails its pull request at once with the host's message, and the next pull request is tested", async () => {
    await queueOn('memory');
    world.memory.pushRule = (commits) =>
      commits.some(({ files }) => 'ci.yml' in files) ? 'GH013: no workflows' : null;
    world.memory.openPullRequest(1, { files: { 'ci.yml': 'on: push' } });
    world.memory.openPullRequest(2);
    await world.submit(1);
    await world.submit(2);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
    expect(await detailsOf(1)).toContain('memory.example refuses the branch');
    expect(await detailsOf(1)).toContain('GH013: no workflows');
    expect(await world.record(2)).toMatchObject({ state: 'testing' });
  });

  it('of a batch fails only the pull request that is refused alone', async () => {
    await queueOn('memory', { batch: true, batchingMinSize: 2, concurrency: 2 });
    world.memory.pushRule = (commits) => (commits.some(({ files }) => 'ci.yml' in files) ? 'no workflows' : null);
    world.memory.openPullRequest(1);
    world.memory.openPullRequest(2, { files: { 'ci.yml': 'on: push' } });
    await world.submit(1);
    await world.submit(2);
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'testing' });
    expect(await world.record(2)).toMatchObject({ state: 'failed', stateReason: 'start_test_run_refused' });
  });
});
