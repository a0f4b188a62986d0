import { OutboxStore } from '../../src/processing/outbox/outbox.store';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { SnapshotLoader } from '../../src/processing/decisions/store/snapshot-loader';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { onStatement } from '../support/statements';
import { World } from '../support/world';

describe('a task is settled in the transaction of the decision on its outcome', () => {
  let world: World;
  let queueId: string;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
    ({ id: queueId } = await world.prisma.queue.findFirstOrThrow());
    await world.submit(1);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.close();
  });

  const carriesOut = () => world.app.get(OutboxWorker).drain();
  const task = () => world.prisma.outboxTask.findFirstOrThrow({ where: { type: 'startTestRun' } });

  it('which needs one commit instead of two', async () => {
    const statements: string[] = [];
    const end = onStatement(({ text }) => statements.push(text));
    await carriesOut();
    end();
    const settling = statements.findIndex((text) => text.includes('"outcome" = $'));
    const begun = statements
      .slice(0, settling)
      .findLast((text) => /^(BEGIN|COMMIT)/.test(text))
      ?.split(';')[0];
    const next = statements.slice(settling).find((text) => /^(BEGIN|COMMIT)/.test(text));
    expect([begun, next]).toEqual(['BEGIN', 'COMMIT']);
    expect(await world.stateOf(1)).toBe('testing');
    expect(await task()).toMatchObject({ state: 'done', attempts: 1, consumedAt: expect.any(Date) as Date });
  });

  it('except while another process decides on the queue: then the task is settled alone, and the outcome waits', async () => {
    await world.prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Queue" WHERE "id" = ${queueId}::uuid FOR UPDATE`;
      await carriesOut();
    });
    expect(await task()).toMatchObject({ state: 'done', consumedAt: null });
    expect(await world.stateOf(1)).toBe('pending');
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('except if the decision fails: then the task is settled alone, and the host gets no second request', async () => {
    const pushes = jest.spyOn(world.memoryHost, 'pushTestingBranch');
    jest.spyOn(world.app.get(SnapshotLoader), 'loadForDecision').mockRejectedValueOnce(new Error('a bug'));
    await carriesOut();
    expect(await task()).toMatchObject({ state: 'done', consumedAt: null, attempts: 1 });
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    expect(pushes).toHaveBeenCalledTimes(1);
  });

  it('except while the queue waits after a failed decision: then the task is settled alone', async () => {
    const retryAt = new Date(world.clock.now().getTime() + 1_000);
    await world.prisma.queue.update({ where: { id: queueId }, data: { failures: 1, retryAt } });
    const decides = jest.spyOn(world.app.get(SnapshotLoader), 'loadForDecision');
    await carriesOut();
    expect(await world.app.get(QueueProcessor).processNextDue(queueId)).toBe('idle');
    expect(decides).not.toHaveBeenCalled();
    expect(await task()).toMatchObject({ state: 'done', consumedAt: null });
    await world.advance(1);
    expect(await world.stateOf(1)).toBe('testing');
    expect(await world.prisma.queue.findFirstOrThrow()).toMatchObject({ failures: 0, retryAt: null });
  });

  it('and webhooks receive one event when decisions of a queue begin to fail', async () => {
    await world.api.mustPost('createWebhook', { name: 'ops', url: 'https://hooks.example/ops', events: ['queue_red'] });
    jest.spyOn(world.app.get(SnapshotLoader), 'loadForDecision').mockRejectedValue(new Error('a bug'));
    await carriesOut();
    for (let failures = 0; failures < 6; failures++) {
      world.clock.advance(300_000);
      await world.app.get(QueueScheduler).drain();
    }
    const told = await world.prisma.webhookDelivery.findMany({ where: { type: 'queue_red' } });
    expect(told.map(({ payload }) => (payload as { reason: string }).reason)).toEqual(['cannot_decide']);
    expect((told[0]!.payload as { message: string }).message).toContain('The queue of main cannot make decisions');
    await world.prisma.webhookDelivery.deleteMany();
    jest.restoreAllMocks();
    world.clock.advance(600_000);
    expect(await world.settlesWithErrors()).toHaveLength(6);
    expect(await world.stateOf(1)).toBe('testing');
  });

  it('except if the lease of the task is lost: then the queue makes no decision', async () => {
    const now = world.clock.now();
    const store = world.app.get(OutboxStore);
    const [held] = await store.claim('a slow process', 8, now, now);
    await carriesOut();
    // The queue is also due by time, so that a decision about it would be committed.
    await world.prisma.queue.update({ where: { id: queueId }, data: { wakeAt: now } });
    const before = await world.prisma.queue.findFirstOrThrow();
    const event = { type: 'runNotStarted', run: 1, because: { type: 'base_gone' }, seen: [] } as const;
    const settle: Parameters<QueueProcessor['settleAndDecide']>[1] = (tx) =>
      store.settleIn(tx, held!, { event, observed: [] }, now);
    expect(await world.app.get(QueueProcessor).settleAndDecide(queueId, settle)).toBe('lease lost');
    expect(await world.prisma.queue.findFirstOrThrow()).toEqual(before);
  });
});
