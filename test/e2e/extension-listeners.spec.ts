import { Injectable, Module, Scope } from '@nestjs/common';
import { type EntryMovedEvent, OnQueueChange, type QueueEvent } from '../../src';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { ListenerStore } from '../../src/extensions/listener.store';
import { ListenerWorker } from '../../src/extensions/listener.worker';
import { backoff } from '../../src/platform/lifecycle/backoff';
import type { Client } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const RELEASE = { repo: REPO, targetBranch: 'release' };
const LEASE_MS = 15_000;

@Injectable()
class Journal {
  readonly moves: EntryMovedEvent[] = [];
  readonly others: QueueEvent[] = [];
  /** The listener throws at an event of this pull request. */
  refused?: number;

  @OnQueueChange('entry_moved', { listener: 'acme.moves' })
  async onMove(event: EntryMovedEvent): Promise<void> {
    await Promise.resolve();
    if (event.pullRequest.number === this.refused) throw new Error(`not now: ${event.pullRequest.number}`);
    this.moves.push(event);
  }

  @OnQueueChange('queue_state_changed', { listener: 'acme.states' })
  onState(event: QueueEvent): void {
    this.others.push(event);
  }

  @OnQueueChange('test_run_started', { listener: 'acme.starts' })
  onStart(event: QueueEvent): void {
    this.others.push(event);
  }

  @OnQueueChange('test_run_ended', { listener: 'acme.ends' })
  onEnd(event: QueueEvent): void {
    this.others.push(event);
  }
}

@Module({ providers: [Journal] })
class JournalModule {}

describe('A listener of an extension', () => {
  let service: Service;
  let journal: Journal;
  let host: MemoryRepository;
  let admin: Client;

  beforeEach(async () => {
    service = await Service.inMemory({}, [JournalModule]);
    journal = service.app.get(Journal, { strict: false });
    host = service.memory.repository('acme', 'widgets');
    host.branches.set('release', host.branches.get('main')!);
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
  });
  afterEach(() => service.stop());

  const createQueue = (queue: object) => admin.post('createQueue', { ...queue, requiredStatuses: ['tests'] });
  const submit = (queue: object, number: number) => admin.post('submitPullRequest', { ...queue, pr: { number } });
  const hear = () => service.app.get(ListenerWorker, { strict: false }).drain();
  /** The pull requests about whose submission the extension was notified, in order. */
  const heard = () => journal.moves.filter(({ from }) => from === null).map(({ pullRequest }) => pullRequest.number);

  async function report(number: number, state: string): Promise<void> {
    const { body } = await admin.post('getMergeQueueTestingDetails', { ...MAIN, pr: { number } });
    const status = { repo: REPO, sha: body.testBranchSha, context: 'tests', state };
    expect((await admin.post('reportStatus', status)).status).toBe(200);
    await service.settles();
  }

  it("receives every item of a pull request's timeline in order, with distinct ids", async () => {
    await hear();
    await createQueue(MAIN);
    const head = host.openPullRequest(1);
    await submit(MAIN, 1);
    await service.settles();
    await report(1, 'success');
    await hear();
    const { body } = await admin.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 1 }, includeTimeline: true });
    const timeline = (body as unknown as { timeline: { state: string; timestamp: string; actor: string | null }[] })
      .timeline;
    const expected = timeline.toReversed().map(({ state, timestamp, actor }) => ({ to: state, at: timestamp, actor }));
    expect(expected.map(({ to }) => to)).toEqual(['not_ready', 'pending', 'testing', 'tests_passed', 'merged']);
    expect(journal.moves).toMatchObject(expected);
    const repository = await service.prisma.repository.findFirstOrThrow();
    expect(journal.moves[0]).toMatchObject({
      organization: 'acme',
      queue: { repositoryId: repository.id, repo: REPO, targetBranch: 'main' },
      pullRequest: { number: 1, head },
      attempt: 1,
      from: null,
      reason: 'api_requested',
    });
    const ids = journal.moves.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe(`${journal.moves[0]!.queue.id}/${journal.moves[0]!.sequence}`);
    const sequences = journal.moves.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  it("receives the start and end of test runs, and changes of a queue's state", async () => {
    await hear();
    await createQueue(MAIN);
    const head = host.openPullRequest(1);
    await submit(MAIN, 1);
    await service.settles();
    await report(1, 'failure');
    await admin.post('updateQueue', { ...MAIN, state: 'PAUSED' });
    await hear();
    expect(journal.others.toSorted((a, b) => a.sequence - b.sequence)).toMatchObject([
      { type: 'test_run_started', isBisection: false, pullRequests: [{ number: 1, head }] },
      { type: 'test_run_ended', result: 'failed', pullRequests: [{ number: 1, head }] },
      { type: 'queue_state_changed', from: 'running', to: 'paused', actor: 'admin of acme' },
    ]);
  });

  it('that is new begins at the present, and receives everything of queues that are created later', async () => {
    await createQueue(MAIN);
    host.openPullRequest(1);
    await submit(MAIN, 1);
    await hear();
    expect(heard()).toEqual([]);
    host.openPullRequest(2);
    await submit(MAIN, 2);
    await createQueue(RELEASE);
    host.openPullRequest(3);
    await submit(RELEASE, 3);
    await hear();
    expect(heard().toSorted()).toEqual([2, 3]);
  });

  it('that throws is called again with the same event; other queues and listeners do not wait', async () => {
    await hear();
    await createQueue(MAIN);
    await createQueue(RELEASE);
    for (const number of [1, 2, 3]) host.openPullRequest(number);
    journal.refused = 2;
    await submit(MAIN, 1);
    await submit(MAIN, 2);
    await submit(MAIN, 3);
    await submit(RELEASE, 1);
    await hear();
    expect(heard().toSorted()).toEqual([1, 1]);
    journal.refused = undefined;
    await hear();
    expect(heard()).toHaveLength(2);
    service.clock.advance(backoff(1));
    await hear();
    expect(heard().slice(2)).toEqual([2, 3]);
    const [cursor] = await service.prisma.extensionCursor.findMany({
      where: { listener: 'acme.moves', failures: { gt: 0 } },
    });
    expect(cursor).toBeUndefined();
  });

  it('receives the head that the pull request had at the event, even when the event is late', async () => {
    await hear();
    await createQueue(MAIN);
    const first = host.openPullRequest(1);
    await submit(MAIN, 1);
    await admin.post('cancelPullRequest', { ...MAIN, pr: { number: 1 } });
    const second = host.pushToPullRequest(1, { 'more.txt': 'more' });
    await submit(MAIN, 1);
    await hear();
    expect(journal.moves.map(({ attempt, to, pullRequest }) => [attempt, to, pullRequest.head])).toEqual([
      [1, 'not_ready', first],
      [1, 'pending', first],
      [1, 'cancelled', first],
      [2, 'not_ready', second],
      [2, 'pending', second],
    ]);
  });

  it('is called by one process at a time; another process takes over when the lease has expired', async () => {
    await hear();
    await createQueue(MAIN);
    host.openPullRequest(1);
    await submit(MAIN, 1);
    const store = service.app.get(ListenerStore, { strict: false });
    const claim = (process: string) => {
      const now = service.clock.now();
      return store.claim('acme.moves', process, 4, { now, leaseUntil: new Date(now.getTime() + LEASE_MS) });
    };
    const [first] = await claim('one');
    expect(await claim('two')).toEqual([]);
    await hear();
    expect(heard()).toEqual([]);
    service.clock.advance(LEASE_MS);
    const [second] = await claim('two');
    expect(second).toMatchObject({ queueId: first!.queueId, nextSeq: first!.nextSeq });
    expect(await store.write(first!, { nextSeq: 99n })).toBe(false);
    expect(await store.write(second!, { leasedBy: null, leaseUntil: null })).toBe(true);
    await hear();
    expect(heard()).toEqual([1]);
  });
});

describe('The listeners of extensions', () => {
  @Injectable()
  class Twin {
    @OnQueueChange('entry_moved', { listener: 'acme.moves' })
    onMove(): void {}
  }
  @Module({ providers: [Journal, Twin] })
  class TwinModule {}

  @Injectable({ scope: Scope.REQUEST })
  class PerRequest {
    @OnQueueChange('entry_moved', { listener: 'acme.requests' })
    onMove(): void {}
  }
  @Module({ providers: [PerRequest] })
  class PerRequestModule {}

  it('stop the start when two listeners have the same name, or when a listener is no singleton', async () => {
    await expect(Service.inMemory({}, [TwinModule])).rejects.toThrow(
      'Journal.onMove and Twin.onMove are both the listener acme.moves; each needs a name of its own.',
    );
    await expect(Service.inMemory({}, [PerRequestModule])).rejects.toThrow(/PerRequest\.onMove .* must be a singleton/);
  });

  it('must have lower-case names', () => {
    expect(() => OnQueueChange('entry_moved', { listener: 'Acme Moves' })).toThrow(/"Acme Moves" must be 1 to 100/);
  });
});
