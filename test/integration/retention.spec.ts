import { HostInbox } from '../../src/domain/code-host.port';
import { newId } from '../../src/platform/ids';
import { Lifecycle } from '../../src/platform/lifecycle/lifecycle';
import { Retention } from '../../src/processing/retention/retention';
import { World } from '../support/world';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

describe('old rows', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory', settings: { retentionDays: RETENTION_DAYS } });
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
    const patience = { testingTimeoutMinutes: 100_000 };
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2, ...patience });
  });
  afterEach(() => world.close());

  const deleteExpired = (batch?: number) => world.app.get(Retention).deleteExpired(batch);

  async function merge(number: number): Promise<void> {
    await world.submit(number);
    await world.settles();
    await world.report(number, 'success');
    expect(await world.stateOf(number)).toBe('merged');
  }

  const tasks = () => world.prisma.outboxTask.findMany({ select: { state: true }, orderBy: { id: 'asc' } });
  const unread = () => world.prisma.inboxDelivery.count({ where: { processedAt: null } });
  const read = () => world.prisma.inboxDelivery.count({ where: { processedAt: { not: null } } });

  it('are deleted a week after they were processed, if they are tasks or host events, but not while they wait', async () => {
    await merge(1);
    const [done] = await world.prisma.outboxTask.findMany();
    const { payload, outcome, notes, ...row } = done!;
    const json = { id: undefined, payload: payload as object, outcome: outcome as object, notes: notes ?? undefined };
    await world.prisma.outboxTask.createMany({
      data: [
        { ...row, ...json, key: 'waiting', subject: 'a', state: 'waiting', settledAt: null, consumedAt: null },
        { ...row, ...json, key: 'not taken in', subject: 'b', consumedAt: null },
      ],
    });
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    await world.app.get(HostInbox).append('memory.example', 'unread', {
      type: 'branch_changed',
      repositoryId,
      branch: 'main',
    });
    const all = await world.prisma.outboxTask.count();

    world.clock.advance(7 * DAY_MS);
    await deleteExpired();
    expect([await world.prisma.outboxTask.count(), await read(), await unread()]).toEqual([all, 1, 1]);

    world.clock.advance(1);
    await deleteExpired();
    expect(await tasks()).toEqual([{ state: 'waiting' }, { state: 'done' }]);
    expect([await read(), await unread()]).toEqual([0, 1]);
  });

  async function keepCheckRuns(): Promise<void> {
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const now = world.clock.now();
    const common = { repositoryId, name: 'tests', command: 'true', state: 'success', createdAt: now, endedAt: now };
    const runs = await world.prisma.testRun.findMany();
    const data = runs.map((run) => ({ ...common, id: newId(), testRunId: run.id, sha: run.commit!, log: 'ok' }));
    await world.prisma.checkRun.createMany({ data });
  }

  const timelineOf = async (number: number) =>
    ((await world.record(number)).timeline as { state: string }[]).map(({ state }) => state);

  it('of log, statuses and check runs are deleted when their days are over, but not while a test run needs them', async () => {
    await merge(1);
    await world.submit(2);
    await world.submit(3);
    await world.settles();
    await world.report(2, 'pending');
    await keepCheckRuns();
    const whole = await timelineOf(2);
    const { commit: tested } = await world.prisma.testRun.findFirstOrThrow({
      where: { live: true },
      orderBy: { number: 'asc' },
    });
    world.clock.advance((RETENTION_DAYS - 10) * DAY_MS);
    await world.cancel(3);
    const cancelled = await timelineOf(3);

    world.clock.advance(10 * DAY_MS);
    await deleteExpired();
    expect(await timelineOf(1)).toHaveLength(5);
    expect(await world.prisma.commitStatus.count()).toBe(2);
    expect(await world.prisma.checkRun.count()).toBe(3);

    world.clock.advance(1);
    await deleteExpired();
    expect(await timelineOf(1)).toEqual([]);
    expect(await timelineOf(2)).toEqual(whole);
    expect(await timelineOf(3)).toEqual(cancelled);
    expect(cancelled[0]).toBe('cancelled');
    expect(await world.prisma.commitStatus.findMany()).toMatchObject([{ sha: tested }]);
    expect(await world.prisma.checkRun.findMany()).toMatchObject([{ sha: tested }]);
    expect(await world.record(1)).toMatchObject({ state: 'merged' });
  });

  it('with statuses are kept while one status of the commit is new, or while the head waits', async () => {
    await world.updateQueue({ state: 'paused' });
    await world.submit(1);
    const { head } = await world.prisma.entry.findFirstOrThrow();
    const report = (sha: string, context: string) =>
      world.api.mustPost('reportStatus', { repo: world.repo, sha, context, state: 'success' });
    await report('a'.repeat(40), 'old');
    await report('b'.repeat(40), 'old');
    await report(head, 'old');
    world.clock.advance(RETENTION_DAYS * DAY_MS + 1);
    await report('a'.repeat(40), 'new');
    await deleteExpired();
    const kept = await world.prisma.commitStatus.findMany({ orderBy: [{ sha: 'asc' }, { name: 'asc' }] });
    expect(kept.map(({ sha, name }) => ({ sha, name }))).toEqual(
      expect.arrayContaining([
        { sha: 'a'.repeat(40), name: 'new' },
        { sha: 'a'.repeat(40), name: 'old' },
        { sha: head, name: 'old' },
      ]),
    );
    expect(kept).toHaveLength(3);
  });

  it('with facts about uploads are deleted, but not for a commit that is being tested', async () => {
    await world.submit(1);
    await world.settles();
    const { commit } = await world.prisma.candidate.findFirstOrThrow();
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const fact = { repositoryId, upload: '1', flaky: 1, others: 0, tests: [], receivedAt: world.clock.now() };
    const commits = async () => (await world.prisma.uploadFact.findMany()).map((row) => row.commit);
    await world.prisma.uploadFact.createMany({ data: [commit, 'a'.repeat(40)].map((of) => ({ ...fact, commit: of })) });
    world.clock.advance(RETENTION_DAYS * DAY_MS);
    await deleteExpired();
    expect(await commits()).toHaveLength(2);
    world.clock.advance(1);
    await deleteExpired();
    expect(await commits()).toEqual([commit]);
  });

  it('with impacted targets are deleted, but not for open or queued pull requests or recent merges', async () => {
    const old = world.clock.now();
    world.memory.openPullRequest(4);
    await merge(1);
    world.clock.advance(DAY_MS);
    await merge(2);
    for (const number of [3, 4]) await world.submit(number);
    await world.settles();
    await world.cancel(4);
    // The states that the host would now answer. The targets of a queued pull request are kept for another reason than
    // these states.
    await world.prisma.pullRequest.updateMany({ where: { number: { not: 4 } }, data: { state: 'closed' } });
    const heads = (await world.prisma.pullRequest.findMany()).map(({ number, headSha: sha }) => ({ number, sha }));
    const rows = [...heads, { number: 4, sha: 'f'.repeat(40) }].map((head) => {
      return { ...head, all: false, targetCount: 1, names: ['api'], hashes: [1n], updatedAt: old };
    });
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const { id: queueId } = await world.prisma.queue.findFirstOrThrow();
    await world.prisma.impactedTargets.createMany({ data: rows.map((row) => ({ ...row, repositoryId })) });
    await world.prisma.computedTargets.createMany({
      data: rows.map((row) => ({ ...row, queueId, configuration: '' })),
    });
    const left = async () => {
      const uploaded = await world.prisma.impactedTargets.findMany({ orderBy: { number: 'asc' } });
      const computed = await world.prisma.computedTargets.findMany({ orderBy: { number: 'asc' } });
      return [uploaded, computed].map((targets) => targets.map(({ number, sha }) => `${number} ${sha}`));
    };
    const kept = heads.map(({ number, sha }) => `${number} ${sha}`).sort();
    world.clock.advance((RETENTION_DAYS - 1) * DAY_MS + 1);
    await deleteExpired();
    expect(await left()).toEqual([kept.slice(1), kept.slice(1)]);
    world.clock.advance(DAY_MS);
    await deleteExpired();
    expect(await left()).toEqual([kept.slice(2), kept.slice(2)]);
  });

  it('are deleted in as many small statements as needed, and not while the service stops', async () => {
    await merge(1);
    await merge(2);
    const left = async () => [await world.prisma.outboxTask.count(), await world.prisma.queueLog.count()];
    const before = await left();
    world.clock.advance(2 * RETENTION_DAYS * DAY_MS);
    const other = await world.join();
    await other.app.get(Lifecycle).drain();
    await other.app.get(Retention).deleteExpired();
    expect(await left()).toEqual(before);
    await other.close();
    await deleteExpired(2);
    expect(await left()).toEqual([0, 0]);
  });
});
