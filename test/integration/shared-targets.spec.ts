import type { QueueEvent } from '../../src/engine/events';
import type { QueueSnapshot } from '../../src/engine/model';
import { factsOf } from '../../src/domain/pull-request-facts';
import { newId } from '../../src/platform/ids';
import { lockQueue } from '../../src/processing/decisions/queue-lock';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { World } from '../support/world';

const TICK: QueueEvent = { type: 'clockTicked' };

describe('The snapshot of a queue in parallel mode', () => {
  let world: World;
  let queueId: string;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    world.clock.advance(1);
    await world.prisma.queue.updateMany({ data: { liveBranch: null, deletedAt: world.clock.now() } });
    await world.prisma.impactedTargets.deleteMany();
    await world.createQueue({ requiredStatuses: ['tests'], mode: 'parallel', concurrency: 10 });
    ({ id: queueId } = await world.prisma.queue.findFirstOrThrow({ where: { deletedAt: null } }));
  });

  async function give(number: number, impactedTargets: string[] | 'ALL', sha?: string): Promise<void> {
    const pr = { number, ...(sha && { sha }) };
    await world.api.mustPost('setImpactedTargets', { repo: world.repo, targetBranch: 'main', pr, impactedTargets });
  }

  async function submit(number: number, impactedTargets?: string[] | 'ALL'): Promise<void> {
    world.memory.openPullRequest(number);
    if (impactedTargets) await give(number, impactedTargets);
    await world.submit(number);
  }

  function load(event: QueueEvent = TICK, number?: number): Promise<QueueSnapshot> {
    return world.sql.transaction(async (tx) => {
      const lock = (await lockQueue(tx, queueId))!;
      const loader = world.app.get(SnapshotLoader);
      const now = world.clock.now();
      if (number !== undefined) return loader.load(tx, lock.row, { numbers: [number], commits: [] }, now);
      return loader.loadForDecision(lock, event, now);
    });
  }

  /** For each pull request, the numbers of the other pull requests that share a target with it. */
  async function pairs({ sharing }: QueueSnapshot): Promise<Record<number, number[]>> {
    const rows = await world.prisma.entry.findMany({ where: { queueId }, select: { id: true, number: true } });
    const numberOf = (id: string) => rows.find((row) => row.id === id)?.number ?? 0;
    const others = (id: string) => [...sharing.get(id)!].filter((other) => other !== id).map(numberOf);
    return Object.fromEntries([...sharing.keys()].map((id) => [numberOf(id), others(id).sort((a, b) => a - b)]));
  }

  it('knows which pull requests share a target: ALL shares one with every list that has any, an empty list with none', async () => {
    await submit(1, ['//a', '//b']);
    await submit(2, ['//b', '//c']);
    await submit(3, ['//d']);
    await submit(4, 'ALL');
    await submit(5, []);
    await submit(6);
    await submit(7, 'ALL');
    const expected = { 1: [2, 4, 7], 2: [1, 4, 7], 3: [4, 7], 4: [1, 2, 3, 7], 7: [1, 2, 3, 4] };
    expect(await pairs(await load())).toEqual(expected);
    expect(await pairs(await load())).toEqual(expected);
  });

  it.each([
    ['parallel', 'lanes', ['pullRequestSubmitted', 'targetsGiven']],
    ['single', 'one line', ['pullRequestSubmitted']],
  ])('has targets that were uploaded while a pull request was submitted: %s mode', async (mode, _, expected) => {
    await world.api.mustPost('updateQueue', { repo: world.repo, targetBranch: 'main', mode });
    await world.settles();
    world.memory.openPullRequest(1);
    const processor = world.app.get(QueueProcessor);
    const decide = processor.processEvent.bind(processor);
    const events: string[] = [];
    const spy = jest.spyOn(processor, 'processEvent').mockImplementation(async (id, input) => {
      // No entry waits for these targets yet, so no event reports them.
      if (input.event.type === 'pullRequestSubmitted') await give(1, ['//a']);
      events.push(input.event.type);
      return decide(id, input);
    });
    await world.submit(1);
    spy.mockRestore();
    expect(events).toEqual(expected);
    expect(await world.stateOf(1)).toBe('pending');
    expect((await load()).entries).toMatchObject([{ number: 1, hasTargets: true }]);
  });

  it('includes a new upload, even within the same millisecond, but only for the head that counts', async () => {
    await submit(1, ['//a']);
    await submit(2, ['//b']);
    expect(await pairs(await load())).toEqual({ 1: [], 2: [] });
    await give(2, ['//a']);
    expect(await pairs(await load())).toEqual({ 1: [2], 2: [1] });
    await give(2, ['//c']);
    expect(await pairs(await load())).toEqual({ 1: [], 2: [] });
    await give(2, 'ALL', 'f'.repeat(40));
    expect(await pairs(await load())).toEqual({ 1: [], 2: [] });
    await give(2, []);
    expect(await pairs(await load())).toEqual({ 1: [] });
  });

  it('includes an upload for a row that was deleted and inserted again', async () => {
    await submit(1, ['//a']);
    await submit(2, ['//a']);
    expect(await pairs(await load())).toEqual({ 1: [2], 2: [1] });
    await world.prisma.impactedTargets.deleteMany({ where: { number: 2 } });
    expect(await pairs(await load())).toEqual({ 1: [] });
    world.clock.advance(1);
    await give(2, ['//b']);
    expect(await pairs(await load())).toEqual({ 1: [], 2: [] });
  });

  it('has the targets of merged pull requests for the merged head, in addition to the present head', async () => {
    await submit(1, ['//a']);
    await submit(2, ['//b']);
    await submit(3, ['//a', '//b']);
    await world.settles();
    await world.report(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
    const { landed } = await load();
    expect(landed).toMatchObject([{ number: 1 }]);
    expect(await pairs(await load())).toEqual({ 1: [3], 2: [3], 3: [1, 2] });
    world.memory.pullRequest(1).state = 'open';
    world.memory.pushToPullRequest(1, { 'again.txt': 'again' });
    await give(1, ['//b']);
    await world.submit(1);
    expect(await pairs(await load())).toEqual({ 1: [2, 3], 2: [1, 3], 3: [1, 2] });
  });

  it('leaves out concluded pull requests whose record somebody only reads', async () => {
    await submit(1, ['//a']);
    await submit(2, ['//a']);
    await world.cancel(2);
    const snapshot = await load(TICK, 2);
    expect(snapshot.entries.map(({ number }) => number).sort()).toEqual([1, 2]);
    expect(await pairs(snapshot)).toEqual({ 1: [] });
  });

  async function submission(number: number, newEntryId: string): Promise<QueueEvent> {
    const seen = await world.memoryHost.readPullRequest({ id: '', ...world.repo }, number, 'main');
    const by = { via: 'api', actor: null, hasTargets: true } as const;
    return { type: 'pullRequestSubmitted', newEntryId, facts: factsOf(seen!), ...by };
  }

  it('has the targets of a pull request that is being submitted, for the first time or again', async () => {
    await submit(1, ['//a']);
    world.memory.openPullRequest(2);
    await give(2, ['//a']);
    const newEntryId = newId();
    const entryOf = async (number: number) => world.prisma.entry.findFirstOrThrow({ where: { queueId, number } });
    const first = await load(await submission(2, newEntryId));
    expect(first.sharing.get(newEntryId)).toContain((await entryOf(1)).id);
    await world.submit(2);
    await world.cancel(2);
    const again = await load(await submission(2, newEntryId));
    expect(again.sharing.get((await entryOf(2)).id)).toContain((await entryOf(1)).id);
  });

  it('has the targets of the new head once a draft is ready', async () => {
    await submit(1, ['//a']);
    world.memory.openPullRequest(2, { draft: true });
    await give(2, ['//b']);
    await world.submit(2);
    const head = world.memory.pushToPullRequest(2, { 'more.txt': 'more' });
    await give(2, ['//a'], head);
    await world.prisma.pullRequest.updateMany({ where: { number: 2 }, data: { headSha: head } });
    expect(await pairs(await load(TICK, 2))).toEqual({ 1: [2], 2: [1] });
  });

  it('has targets in single mode only if this decision may switch the queue to parallel mode', async () => {
    await world.updateQueue({ mode: 'single' });
    await submit(1, ['//a']);
    await submit(2, ['//a']);
    expect((await load()).sharing.size).toBe(0);
    const asked = await load({ type: 'settingsChanged', settings: {}, mode: 'parallel', actor: null });
    expect(await pairs(asked)).toEqual({ 1: [2], 2: [1] });
    await world.prisma.queue.updateMany({ where: { id: queueId }, data: { requestedMode: 'parallel' } });
    expect(await pairs(await load())).toEqual({ 1: [2], 2: [1] });
  });
});
