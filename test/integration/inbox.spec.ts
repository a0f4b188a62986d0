import { Logger } from '@nestjs/common';
import { type CommitState, HostInbox, HostUnavailable } from '../../src/domain/code-host.port';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { Inbox } from '../../src/processing/inbox/inbox';
import { InboxStore } from '../../src/processing/inbox/inbox.store';
import { InboxWorker } from '../../src/processing/inbox/inbox.worker';
import { HostPoller } from '../../src/processing/inbox/host-poller';
import { Background } from '../../src/platform/lifecycle/background';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';
import { World } from '../support/world';

describe('a host event', () => {
  let world: World;
  let repositoryId: string;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.submit(1);
    await world.settles();
    repositoryId = (await world.prisma.repository.findFirstOrThrow()).id;
  });
  afterEach(() => world.close());

  interface Report {
    readonly state: CommitState;
    readonly after?: number;
    readonly hostId?: string;
    readonly delivery?: string;
    readonly sha?: string;
    readonly kind?: 'status' | 'check_run';
    readonly app?: string;
  }

  async function commit(number = 1): Promise<string> {
    const branch = { contains: `/pr-${number}/` };
    return (await world.prisma.candidate.findFirstOrThrow({ where: { branch } })).commit;
  }

  let deliveries = 0;
  async function append({ state, after = 0, hostId = '1', ...more }: Report): Promise<'stored' | 'known'> {
    const hostTime = new Date(world.clock.now().getTime() + after);
    const { sha = await commit(), kind = 'status', delivery = `delivery ${++deliveries}`, app } = more;
    const described = { url: null, description: null };
    const report = { repositoryId, sha, kind, name: 'tests', state, app, hostTime, hostId, ...described };
    return world.app.get(HostInbox).append('memory.example', delivery, { type: 'status_reported', report });
  }

  const version = async () => (await world.prisma.queue.findFirstOrThrow()).version;

  it('is stored once, however often the host delivers it', async () => {
    expect(await append({ state: 'pending', delivery: 'a' })).toBe('stored');
    expect(await append({ state: 'success', delivery: 'a' })).toBe('known');
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
  });

  describe('a status event', () => {
    const passed = () => world.prisma.queueLog.count({ where: { type: 'runPassed' } });

    beforeEach(() => {
      world.app.get<{ isOn: boolean }>(Background).isOn = true;
      jest.spyOn(world.app.get(OutboxWorker), 'wakeWorkers').mockImplementation();
    });
    afterEach(() => jest.restoreAllMocks());

    it('is processed by the process that stores it, without a claim', async () => {
      const claims = jest.spyOn(world.app.get(InboxStore), 'claim');
      const process = jest.spyOn(world.app.get(InboxWorker), 'process');
      const marksAlone = jest.spyOn(world.app.get(InboxStore), 'markProcessed');
      await append({ state: 'success' });
      expect(process).toHaveBeenCalledTimes(1);
      await process.mock.results[0]!.value;
      expect(await passed()).toBe(1);
      expect(await world.prisma.inboxDelivery.count({ where: { processedAt: null } })).toBe(0);
      expect([claims.mock.calls, marksAlone.mock.calls]).toEqual([[], []]);
      await world.settles();
    });

    it('is only marked as processed if no queue is concerned, or its queue was deleted meanwhile', async () => {
      const decides = jest.spyOn(world.app.get(QueueProcessor), 'processEvent').mockResolvedValue({ type: 'gone' });
      await append({ state: 'success' });
      await append({ state: 'success', sha: 'e'.repeat(40) });
      await world.settles();
      expect(decides).toHaveBeenCalledTimes(1);
      expect(await world.prisma.inboxDelivery.count({ where: { processedAt: null } })).toBe(0);
    });

    it('is claimed by another process five seconds after the process that stored it died', async () => {
      jest.spyOn(world.app.get(InboxWorker), 'process').mockResolvedValueOnce();
      await append({ state: 'success' });
      await world.settles();
      expect(await passed()).toBe(0);
      world.clock.advance(5_000);
      await world.settles();
      expect(await passed()).toBe(1);
    });
  });

  it('with an older report of a name does not replace the newer report, whatever the order of arrival', async () => {
    await append({ state: 'pending', after: 2, hostId: '10' });
    await append({ state: 'success', after: 1, hostId: '11' });
    await append({ state: 'failure', after: 2, hostId: '9' });
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    await append({ state: 'success', after: 2, hostId: '11' });
    await world.settles();
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('passes a name only if the check run and the commit status of that name have passed', async () => {
    await append({ state: 'pending', kind: 'check_run' });
    await append({ state: 'success', kind: 'status' });
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    await append({ state: 'neutral', kind: 'check_run', after: 1 });
    await world.settles();
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('counts the check runs of each app, but only the newest commit status', async () => {
    await append({ state: 'pending', kind: 'check_run', app: '1' });
    await append({ state: 'success', kind: 'check_run', app: '2', after: 1 });
    await append({ state: 'failure', kind: 'status', app: '3', hostId: '2' });
    await append({ state: 'pending', kind: 'status', after: 1, hostId: '3' });
    const rows = await world.prisma.commitStatus.findMany({ orderBy: [{ kind: 'asc' }, { app: 'asc' }] });
    const brief = rows.map(({ kind, app, state }) => [kind, app, state]);
    const ofApps = [
      ['check_run', '1', 'pending'],
      ['check_run', '2', 'success'],
    ];
    expect(brief).toEqual([...ofApps, ['status', null, 'pending']]);
  });

  it('does not delete the reports of another app when a known report arrives again', async () => {
    await append({ state: 'success', app: '3' });
    await append({ state: 'success' });
    expect(await world.prisma.commitStatus.findMany()).toMatchObject([{ app: '3' }]);
  });

  it('of ten reports on one commit causes one event of the queue', async () => {
    const before = await version();
    for (let i = 0; i < 10; i++) await append({ state: 'pending', after: i });
    await world.app.get(Inbox).drain();
    expect(await version()).toBe(before + 1n);
  });

  it('about commits that no queue tests has no effect', async () => {
    const before = await version();
    await append({ state: 'success', sha: 'a'.repeat(40) });
    await world.settles();
    expect(await version()).toBe(before);
  });

  it('counts also if it came before the queue knew the commit', async () => {
    world.memory.openPullRequest(2);
    await world.cancel(1);
    await world.submit(2);
    // The testing branch is pushed here, and CI ends before the queue learns of the push.
    await world.app.get(OutboxWorker).drain();
    await append({ state: 'success', sha: await commit(2) });
    await world.app.get(Inbox).drain();
    await world.app.get(QueueScheduler).drain();
    await world.settles();
    expect(await world.stateOf(2)).toBe('merged');
  });

  it('about a pull request is processed after the pull request was read from the host', async () => {
    world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' });
    const inbox = world.app.get(HostInbox);
    await inbox.append('memory.example', 'pr', { type: 'pull_request_changed', repositoryId, number: 1 });
    await world.settles();
    expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
  });

  it('about a push to the target causes all tests to run again', async () => {
    const tip = world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
    await world.app
      .get(HostInbox)
      .append('memory.example', 'push', { type: 'branch_changed', repositoryId, branch: 'main' });
    await world.settles();
    const record = await world.record(1);
    expect(record.state).toBe('testing');
    expect((record.timeline as { reason: string }[]).map(({ reason }) => reason)).toContain(
      'manual_push_to_target_branch',
    );
    const run = await world.prisma.testRun.findFirstOrThrow({ where: { live: true } });
    expect(run.baseCommit).toBe(tip);
  });

  it('is kept while the host does not answer, with a log line, and processed afterwards', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    world.memory.pullRequest(1).state = 'closed';
    world.memoryHost.faults.goDown(new HostUnavailable('memory.example', 'no_answer', 'connection refused'));
    const inbox = world.app.get(HostInbox);
    await inbox.append('memory.example', 'pr', { type: 'pull_request_changed', repositoryId, number: 1 });
    await world.settles();
    await world.advance(1);
    const [delivery] = await world.prisma.inboxDelivery.findMany({ where: { deliveryId: 'pr' } });
    expect(delivery).toMatchObject({ processedAt: null, attempts: 2, lastProblem: 'connection refused' });
    expect(warn.mock.calls.flat()).toContain('pull request 1 waits for its host: connection refused');
    warn.mockRestore();
    expect(await world.stateOf(1)).toBe('testing');
    world.memoryHost.faults.recover();
    await world.advance(5);
    expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_closed' });
  });

  it('of a process that died is claimed by another process after half a minute', async () => {
    await append({ state: 'success' });
    await world.prisma.inboxDelivery.updateMany({
      data: { notBefore: new Date(world.clock.now().getTime() + 30_000) },
    });
    await world.settles();
    expect(await world.stateOf(1)).toBe('testing');
    await world.advance(1);
    expect(await world.stateOf(1)).toBe('merged');
  });

  describe('a change at the host without a host event', () => {
    it('is found by polling: a push to a pull request, a deleted pull request, and a push to the target', async () => {
      world.memory.openPullRequest(2);
      await world.submit(2);
      await world.settles();
      world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' });
      world.memory.pullRequests.delete(2);
      await world.looksAtHost();
      expect(await world.record(1)).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
      expect(await world.record(2)).toMatchObject({ state: 'cancelled', stateReason: 'pr_closed' });
    });

    it('is found although the target is moved back and forth between the same two commits', async () => {
      const here = world.memory.tip('main').commit;
      const there = world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
      for (const tip of [there, here, there]) {
        world.memory.branches.set('main', tip);
        world.clock.advance(5_000);
        await world.looksAtHost();
        expect(await world.prisma.queue.findFirstOrThrow()).toMatchObject({ tipCommit: tip });
        expect(await world.stateOf(1)).toBe('testing');
      }
    });

    it('is processed once, however many instances poll', async () => {
      const other = await world.join();
      world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' });
      await Promise.all([world.app.get(HostPoller).poll(), other.app.get(HostPoller).poll()]);
      expect(await world.prisma.inboxDelivery.count({ where: { type: 'pull_request_changed' } })).toBe(1);
      await other.close();
    });

    it('is not searched if no pull request waits', async () => {
      await world.cancel(1);
      await world.settles();
      world.memoryHost.faults.beforeNext('readState', () => {
        throw new Error('looked');
      });
      await world.looksAtHost();
      world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
      await world.looksAtHost();
      expect(await world.prisma.inboxDelivery.count()).toBe(0);
    });
  });
});
