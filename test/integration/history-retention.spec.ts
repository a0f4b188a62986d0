import { Retention } from '../../src/processing/retention/retention';
import { expireEntries } from '../../src/processing/retention/history-rows';
import { Lifecycle } from '../../src/platform/lifecycle/lifecycle';
import type { Config } from '../../src/platform/config/config';
import { World } from '../support/world';

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 30;
const LANDINGS_KEPT = 10;
const PATIENCE = { testingTimeoutMinutes: 100_000, notReadyTimeoutHours: 10_000 };

describe('the history of a queue', () => {
  let world: World;

  const open = async (settings: Partial<Config> = {}): Promise<void> => {
    world = await World.create({
      host: 'memory',
      settings: { retentionDays: 10, historyDays: HISTORY_DAYS, ...settings },
    });
    for (let number = 1; number <= 16; number++) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2, ...PATIENCE });
  };
  beforeEach(() => open());
  afterEach(() => world.close());

  const deleteExpired = (batch?: number) => world.app.get(Retention).deleteExpired(batch);
  const days = (count: number) => world.clock.advance(count * DAY_MS);
  const numbersIn = (rows: readonly { number: number }[]) => rows.map(({ number }) => number);
  const byNumber = { select: { number: true }, orderBy: { number: 'asc' } } as const;
  const entries = async () => numbersIn(await world.prisma.entry.findMany(byNumber));
  const pullRequests = async () => numbersIn(await world.prisma.pullRequest.findMany(byNumber));
  const runs = async () => numbersIn(await world.prisma.testRun.findMany(byNumber));
  const queueOf = (branch = 'main') => world.prisma.queue.findFirstOrThrow({ where: { branch } });
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  async function merge(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await world.submit(number);
      await world.settles();
      await world.report(number, 'success');
      expect(await world.stateOf(number)).toBe('merged');
    }
  }

  /** Submits and cancels the pull requests, so that their test runs have ended. */
  async function cancelled(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await world.submit(number);
      await world.settles();
      await world.cancel(number);
      await world.settles();
    }
  }

  it('loses a pull request in every table once its days are over; the API then answers 404 for the pull request', async () => {
    await merge(...range(1, LANDINGS_KEPT + 2));
    await cancelled(13);
    const members = () => world.prisma.testRunMember.count();
    const candidates = () => world.prisma.candidate.count();
    const landed = () => world.prisma.landedChange.count();
    const counts = async () => [await members(), await candidates(), await landed()];
    expect(await counts()).toEqual([13, 13, 12]);
    days(HISTORY_DAYS);
    await deleteExpired();
    expect(await entries()).toEqual(range(1, 13));
    world.clock.advance(1);
    await deleteExpired();
    expect(await entries()).toEqual(range(3, 12));
    expect(await pullRequests()).toEqual(range(3, 12));
    expect(await runs()).toEqual(range(3, 12));
    expect(await counts()).toEqual([10, 10, 10]);
    const ask = async (number: number) => {
      const pr = { repo: world.repo, targetBranch: 'main', pr: { number } };
      const { status, body } = await world.api.post('getSubmittedPullRequest', pr);
      return {
        status,
        error: JSON.stringify(body)
          .replace(`${number} was`, 'N was')
          .replace(/"[0-9a-f-]{36}"/, ''),
      };
    };
    expect(await ask(1)).toEqual(await ask(999));
  });

  it('continues with its own numbers, and a deleted pull request can be submitted like a new pull request', async () => {
    await cancelled(13);
    await merge(...range(1, LANDINGS_KEPT + 1));
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect([await entries(), await runs()]).toEqual([range(2, 11), range(3, 12)]);
    await merge(13);
    expect(await runs()).toEqual(range(3, 13));
    expect(await world.record(13)).toMatchObject({ state: 'merged', timeline: expect.any(Array) as unknown });
    expect((await world.submit(1)).body).toMatchObject({ error: { code: 'PR_NOT_ENQUEUEABLE' } });
    const picture = await world.api.mustPost('getQueuePicture', { repo: world.repo, targetBranch: 'main' });
    expect(picture.landings).toHaveLength(LANDINGS_KEPT);
  });

  it('is kept permanently if the number of days is 0', async () => {
    await world.close();
    await open({ historyDays: 0 });
    await cancelled(1);
    days(10_000);
    await deleteExpired();
    expect([await entries(), await pullRequests(), await runs()]).toEqual([[1], [1], [1]]);
  });

  it('keeps entries that are in the queue, whatever their age, also if they were submitted a second time', async () => {
    await world.updateQueue({ state: 'paused' });
    await cancelled(1, 2);
    await world.submit(3);
    days(HISTORY_DAYS - 1);
    await world.submit(2);
    days(2);
    // Empties the log, because lines of the log also keep entries.
    await world.prisma.queueLog.deleteMany();
    await deleteExpired();
    expect(await entries()).toEqual([2, 3]);
    expect(await world.stateOf(2)).toBe('pending');
  });

  it('keeps entries that concluded during a test that is still running', async () => {
    await world.submit(1);
    await world.settles();
    await cancelled(2);
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect(await entries()).toEqual([1, 2]);
    await world.cancel(1);
    await world.settles();
    await deleteExpired();
    expect([await entries(), await runs()]).toEqual([[1], [1, 2]]);
  });

  it.each([
    ['a test run', () => world.prisma.testRun.updateMany({ where: { live: true }, data: { baseLandedSeq: 1 } })],
    [
      'a culprit search',
      async () => {
        const { id: queueId } = await queueOf();
        return world.prisma.culpritSearch.create({ data: { queueId, number: 1, search: { base: { landedSeq: 1 } } } });
      },
    ],
  ])('keeps merges since the base of %s', async (_, keepBase) => {
    await merge(...range(1, LANDINGS_KEPT + 2));
    days(HISTORY_DAYS + 1);
    await world.submit(13);
    await world.settles();
    await keepBase();
    await deleteExpired();
    expect(await entries()).toEqual(range(2, 13));
    expect(await world.prisma.landedChange.count()).toBe(LANDINGS_KEPT + 1);
  });

  it('keeps a pull request on which a waiting pull request depends', async () => {
    await cancelled(1, 2);
    world.memory.pullRequest(3).body = 'Depends-On: #1';
    await world.submit(3);
    await world.settles();
    const waits = await world.record(3);
    expect(waits).toMatchObject({ state: 'not_ready' });
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect(await entries()).toEqual([1, 3]);
    expect((await world.record(3)).readiness).toEqual(waits.readiness);
  });

  it('keeps a pull request whose comment or status the service still has to write', async () => {
    await cancelled(1, 2);
    const { id: queueId } = await queueOf();
    const now = world.clock.now();
    const task = { queueId, subject: 'x', type: 'updatePullRequestView', payload: {}, createdAt: now, notBefore: now };
    const shown = { ...task, state: 'done', settledAt: now, consumedAt: null };
    await world.prisma.outboxTask.createMany({
      data: [
        { ...task, key: `${queueId}/updatePullRequestView/1`, state: 'waiting' },
        { ...shown, key: `${queueId}/updatePullRequestView/2` },
      ],
    });
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect(await entries()).toEqual([1]);
  });

  it('keeps a pull request with newer host events', async () => {
    await cancelled(1, 2);
    days(2);
    await world.prisma.pullRequest.updateMany({ where: { number: 1 }, data: { observedAt: world.clock.now() } });
    days(HISTORY_DAYS - 1);
    await deleteExpired();
    expect(await entries()).toEqual([1]);
    days(1.5);
    await deleteExpired();
    expect([await entries(), await pullRequests(), await runs()]).toEqual([[], [], []]);
  });

  it('keeps a pull request while the log of decisions still names it', async () => {
    await cancelled(1, 2);
    const { id: entryId } = await world.prisma.entry.findFirstOrThrow({ where: { number: 1 } });
    days(HISTORY_DAYS + 1);
    await world.prisma.queueLog.updateMany({
      where: { entryId, toState: 'cancelled' },
      data: { at: world.clock.now() },
    });
    await deleteExpired();
    expect(await entries()).toEqual([1]);
  });

  it('keeps the merged pull requests of a run while the target is tested separately', async () => {
    await cancelled(1, 2);
    days(HISTORY_DAYS + 1);
    const partialLanding = { landing: 1, landed: [1], why: '', problem: null };
    await world.prisma.queue.updateMany({ data: { partialLanding } });
    await deleteExpired();
    expect(await entries()).toEqual([1]);
  });

  it('keeps the facts about a pull request while another queue has it', async () => {
    world.memory.branches.set('release', world.memory.tip('main').commit);
    await world.createQueue({ requiredStatuses: ['tests'], ...PATIENCE }, 'release');
    await cancelled(1);
    world.memory.pullRequest(1).base = 'release';
    const inRelease = { repo: world.repo, targetBranch: 'release', pr: { number: 1 } };
    await world.api.mustPost('submitPullRequest', inRelease);
    await world.settles();
    // Makes it look as if the host had sent no event about the pull request for a long time.
    await world.prisma.pullRequest.updateMany({ data: { observedAt: new Date(0) } });
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    const left = async () => [(await world.prisma.entry.findMany()).length, await pullRequests()];
    expect(await left()).toEqual([1, [1]]);
    await world.api.mustPost('cancelPullRequest', inRelease);
    await world.settles();
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect(await left()).toEqual([0, []]);
  });

  it('is also deleted for a deleted queue', async () => {
    await cancelled(1);
    await world.api.mustPost('deleteQueue', { repo: world.repo, targetBranch: 'main' });
    days(HISTORY_DAYS + 1);
    await deleteExpired();
    expect([await entries(), await runs()]).toEqual([[], []]);
  });

  describe('of test runs', () => {
    it('keeps runs that tested a kept pull request', async () => {
      await world.updateQueue({ batch: true, batchingMinSize: 2 });
      for (const number of [1, 2]) await world.submit(number);
      await world.settles();
      await world.cancel(1);
      await world.settles();
      days(1);
      await world.cancel(2);
      await world.settles();
      const [together] = await world.prisma.testRun.findMany({
        orderBy: { number: 'asc' },
        include: { members: true },
      });
      expect(together!.members).toHaveLength(2);
      days(HISTORY_DAYS - 0.5);
      await deleteExpired();
      expect(await entries()).toEqual([2]);
      expect(await runs()).toContain(1);
      days(1);
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[], []]);
    });

    it('keeps runs that were built on a kept pull request', async () => {
      for (const number of [1, 2]) await world.submit(number);
      await world.settles();
      await world.cancel(2);
      await world.settles();
      days(1);
      await world.cancel(1);
      await world.settles();
      const [, second] = await world.prisma.testRun.findMany({ orderBy: { number: 'asc' } });
      expect(second!.builtOn).toMatchObject([{ number: 1 }]);
      days(HISTORY_DAYS - 0.5);
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[1], [1, 2]]);
      days(1);
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[], []]);
    });

    it('keeps runs whose results may be reused for the same tree', async () => {
      await world.close();
      await open({ treeReuseHours: 24 * (HISTORY_DAYS + 2) });
      await cancelled(1);
      days(HISTORY_DAYS + 1);
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[], [1]]);
      days(1.1);
      await deleteExpired();
      expect(await runs()).toEqual([]);
    });

    it('keeps a run whose result was reused by a run that is kept', async () => {
      await cancelled(1, 2);
      days(HISTORY_DAYS + 1);
      await world.submit(3);
      await world.settles();
      const [first, , third] = await world.prisma.testRun.findMany({ orderBy: { number: 'asc' } });
      const resultAt = world.clock.now();
      await world.prisma.testRun.update({ where: { id: first!.id }, data: { resultAt: first!.createdAt } });
      await world.prisma.testRun.update({
        where: { id: third!.id },
        data: { tree: first!.tree, reused: true, resultAt },
      });
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[3], [1, 3]]);
    });

    it('deletes runs later if a process died after it had deleted their pull requests', async () => {
      await cancelled(1, 2);
      days(HISTORY_DAYS + 1);
      await deleteLogAndTasks();
      const { id } = await queueOf();
      const cut = {
        before: new Date(world.clock.now().getTime() - HISTORY_DAYS * DAY_MS),
        reusedSince: world.clock.now(),
      };
      expect(await expireEntries(world.sql, id, { ...cut, batch: 10 })).toBe(2);
      expect([await entries(), await pullRequests(), await runs()]).toEqual([[], [], [1, 2]]);
      await merge(1);
      expect(await world.details(1)).toMatchObject({ testedPullRequests: [{ prNumber: 1 }] });
      await deleteExpired();
      expect([await entries(), await runs()]).toEqual([[1], [3]]);
    });
  });

  async function deleteLogAndTasks(): Promise<void> {
    await world.prisma.queueLog.deleteMany();
    await world.prisma.outboxTask.deleteMany();
  }

  it('waits for a decision that is in progress, and keeps a pull request that the decision submits again', async () => {
    await cancelled(1);
    days(HISTORY_DAYS + 1);
    await deleteLogAndTasks();
    const { id } = await queueOf();
    const cut = { before: new Date(world.clock.now().getTime() - DAY_MS), reusedSince: world.clock.now(), batch: 10 };
    const going = await world.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM "Queue" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
      let hasEnded = false;
      const expired = { count: expireEntries(world.sql, id, cut).finally(() => (hasEnded = true)) };
      const waits = () => tx.$queryRaw<object[]>`SELECT 1 FROM pg_locks WHERE NOT granted`;
      while (!hasEnded && (await waits()).length === 0);
      await tx.entry.updateMany({ data: { state: 'pending', concludedAt: null } });
      return expired;
    });
    expect(await going.count).toBe(0);
    expect(await entries()).toEqual([1]);
  });

  it('is deleted in small steps, and not while the service stops', async () => {
    await cancelled(1, 2, 3);
    days(HISTORY_DAYS + 1);
    const other = await world.join();
    await other.app.get(Lifecycle).drain();
    await other.app.get(Retention).deleteExpired();
    await other.close();
    expect(await entries()).toEqual([1, 2, 3]);
    await deleteExpired(1);
    expect([await entries(), await pullRequests(), await runs()]).toEqual([[], [], []]);
  });

  it('deletes the heads of deleted pull requests, and of pull requests that were never submitted', async () => {
    await cancelled(1);
    const { id: repositoryId } = await world.prisma.repository.findFirstOrThrow();
    const since = world.clock.now();
    days(HISTORY_DAYS);
    await world.submit(2);
    const young = { repositoryId, head: 'a'.repeat(40), since: world.clock.now(), number: 91 };
    const old = [1, 2, 90].map((number) => ({ ...young, number, since }));
    await world.prisma.pullRequestHead.deleteMany();
    await world.prisma.pullRequestHead.createMany({ data: [...old, young] });
    const heads = async () => numbersIn(await world.prisma.pullRequestHead.findMany(byNumber));
    await deleteExpired();
    expect(await heads()).toEqual([1, 2, 90, 91]);
    world.clock.advance(1);
    await deleteExpired();
    expect(await heads()).toEqual([2, 91]);
  });

  it('keeps service downtimes as long as the log, and longer if a running test includes them', async () => {
    const from = world.clock.now();
    const downtimes = async () => (await world.prisma.serviceDowntime.findMany({ orderBy: { from: 'asc' } })).length;
    const downFor = (ms: number) =>
      world.prisma.serviceDowntime.create({ data: { from: world.clock.now(), to: new Date(from.getTime() + ms) } });
    await downFor(DAY_MS);
    days(2);
    await world.submit(1);
    await world.settles();
    await downFor(3 * DAY_MS);
    days(9);
    await deleteExpired();
    expect(await downtimes()).toBe(2);
    world.clock.advance(1);
    await deleteExpired();
    expect(await downtimes()).toBe(1);
    days(HISTORY_DAYS);
    await deleteExpired();
    expect(await downtimes()).toBe(1);
    await world.cancel(1);
    await deleteExpired();
    expect(await downtimes()).toBe(0);
  });
});
