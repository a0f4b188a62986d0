import { WEEKDAYS } from '../../src/domain/freeze-windows';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { Inbox } from '../../src/processing/inbox/inbox';
import { createToken } from '../../src/platform/auth/tokens';
import { QueueScheduler } from '../../src/processing/decisions/queue-scheduler';
import { Client, codeOf } from './client';
import { Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

describe('The owner of a queue', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;
  let last = 0;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
  });

  beforeEach(async () => {
    expect((await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'] })).status).toBe(200);
  });

  afterEach(async () => {
    await admin.post('updateQueue', { ...MAIN, state: 'running' });
    await admin.post('cancelAllPullRequests', MAIN);
    await service.settles();
    await admin.post('cancelAllPullRequests', MAIN);
    expect(codeOf(await admin.post('deleteQueue', MAIN))).toBe('200');
  });

  afterAll(() => service.stop());

  const ask = (operation: string, number: number, more: object = {}, client = admin) =>
    client.post(operation, { ...MAIN, pr: { number }, ...more });
  const record = async (number: number) => (await ask('getSubmittedPullRequest', number)).body;
  const order = async (): Promise<number[]> =>
    (await admin.post('getQueue', MAIN)).body.enqueuedPullRequests.map(
      ({ prNumber }: { prNumber: number }) => prNumber,
    );

  async function submitted(count: number, more: object = {}): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      host.openPullRequest(++last);
      expect((await ask('submitPullRequest', last, more)).status).toBe(200);
      numbers.push(last);
    }
    await service.settles();
    return numbers;
  }

  async function report(number: number, state: string): Promise<void> {
    const { body } = await ask('getMergeQueueTestingDetails', number);
    const reported = { repo: REPO, sha: body.testBranchSha, context: 'tests', state };
    expect((await admin.post('reportStatus', reported)).status).toBe(200);
  }

  describe('promotes a pull request', () => {
    it('to the front of the waiting pull requests with the same priority; running tests continue', async () => {
      const [first, second, third, fourth] = await submitted(4);
      const answer = await ask('promotePullRequest', fourth!);
      expect(answer).toMatchObject({ status: 200, body: { prNumber: fourth, state: 'pending' } });
      expect(await order()).toEqual([first, fourth, second, third]);
      expect(await record(first!)).toMatchObject({ state: 'testing' });
      await report(first!, 'success');
      await service.settles();
      expect(await record(fourth!)).toMatchObject({ state: 'testing' });
      expect(await ask('promotePullRequest', fourth!)).toMatchObject({ status: 200, body: { state: 'testing' } });
    });

    it('gets an error for a missing or cancelled pull request, and with a token that is limited to worse priorities', async () => {
      const [first] = await submitted(1, { priority: 'urgent' });
      const request = { organizationSlug: 'acme', name: 'limited', role: 'submit', bestPriority: 100 } as const;
      const limited = new Client(service.url, (await createToken(service.prisma, request, service.clock.now())).token);
      expect(codeOf(await ask('promotePullRequest', first!, {}, limited))).toBe('403 INSUFFICIENT_PERMISSIONS');
      expect(codeOf(await ask('promotePullRequest', 9_999))).toBe('404 PR_NOT_FOUND');
      await ask('cancelPullRequest', first!);
      expect(codeOf(await ask('promotePullRequest', first!))).toBe('409 PR_NOT_IN_ACTIVE_STATE');
    });
  });

  describe('requests a dry run:', () => {
    it('the pull request is tested as usual, and ends with the reason dry_run_passed', async () => {
      await admin.post('updateQueue', { ...MAIN, concurrency: 2 });
      const [dry] = await submitted(1, { dryRun: true });
      const [next] = await submitted(1);
      expect(await record(dry!)).toMatchObject({ state: 'testing', dryRun: true });
      expect((await record(dry!)).waitingFor).toContain('It is a dry run');
      await report(dry!, 'success');
      await service.settles();
      expect(await record(dry!)).toMatchObject({
        state: 'cancelled',
        stateReason: 'dry_run_passed',
        stateMessage: 'Its dry run passed, so it was not merged. Submit it without dryRun to merge it.',
        waitingFor: null,
      });
      await report(next!, 'success');
      await service.settles();
      expect(await record(next!)).toMatchObject({ state: 'merged', dryRun: false });
      expect(host.pullRequest(dry!)).toMatchObject({ state: 'open' });
    });

    it('the request is refused if the pull request is already queued to be merged', async () => {
      const [first] = await submitted(1);
      expect(codeOf(await ask('submitPullRequest', first!, { dryRun: true }))).toBe('409 PR_NOT_ENQUEUEABLE');
      expect(codeOf(await ask('submitPullRequest', first!, { dryRun: 'yes' }))).toBe('400 VALIDATION_FAILED');
    });
  });

  describe('sets freeze windows:', () => {
    it('tests continue, an exception is merged, and the other pull requests merge when the freeze window ends', async () => {
      // NOW is a Friday at 12:00 UTC, which is 13:00 in Berlin.
      const window = {
        days: ['Friday'],
        from: '12:30',
        to: '14:00',
        timeZone: 'Europe/Berlin',
        exceptPriorityAtMost: 0,
      };
      const { body } = await admin.post('updateQueue', { ...MAIN, freezeWindows: [window] });
      expect(body.freezeWindows).toEqual([{ ...window, days: ['friday'] }]);
      const startedAt = service.clock.now();
      const until = new Date('2026-11-20T13:00:00Z');
      const isInWindow = startedAt >= new Date('2026-11-20T11:30:00Z') && startedAt < until;
      expect(isInWindow).toBe(true);
      const [first] = await submitted(1);
      await report(first!, 'success');
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'tests_passed' });
      expect((await record(first!)).waitingFor).toContain(
        'merges are frozen by the queue settings (the freeze ends in',
      );
      const [urgent] = await submitted(1, { priority: 'urgent' });
      await report(urgent!, 'success');
      await service.settles();
      expect(await record(urgent!)).toMatchObject({ state: 'merged' });
      service.clock.advance(until.getTime() - service.clock.now().getTime());
      await service.settles();
      if ((await record(first!)).state === 'testing') await report(first!, 'success');
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'merged' });
    });

    it('the reason for waiting says that a freeze never ends, and its removal has effect at once', async () => {
      const always = { days: [...WEEKDAYS], from: '00:00', to: '24:00', timeZone: 'UTC' };
      await admin.post('updateQueue', { ...MAIN, freezeWindows: [always] });
      const [first] = await submitted(1);
      await report(first!, 'success');
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'tests_passed' });
      expect((await record(first!)).waitingFor).toContain(
        'the freeze windows of the queue leave no time to merge. Change these settings',
      );
      const { body } = await admin.post('getQueuePicture', MAIN);
      expect(body).toMatchObject({ conditions: { freeze: { until: null } } });
      await admin.post('updateQueue', { ...MAIN, freezeWindows: [] });
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'merged' });
    });
  });

  describe('limits the number of merges in an hour:', () => {
    it('a passed pull request waits, shows how long, and then merges', async () => {
      const [first, second] = await submitted(2);
      await report(first!, 'success');
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'merged' });
      // Merges in the hour before the limit was set also count.
      expect((await admin.post('updateQueue', { ...MAIN, maxMergesPerHour: 1 })).body.maxMergesPerHour).toBe(1);
      service.clock.advance(10 * 60_000);
      await report(second!, 'success');
      await service.settles();
      expect(await record(second!)).toMatchObject({ state: 'tests_passed' });
      expect((await record(second!)).waitingFor).toContain(
        `1 pull request merged in the last hour, and the limit is 1: #${second} is merged next, in`,
      );
      service.clock.advance(51 * 60_000);
      await service.settles();
      expect(await record(second!)).toMatchObject({ state: 'merged' });
      expect(codeOf(await admin.post('updateQueue', { ...MAIN, maxMergesPerHour: 0 }))).toBe('400 VALIDATION_FAILED');
    });
  });

  describe('cancels all pull requests', () => {
    it('of the queue, and the answer names the pull requests that are already being merged', async () => {
      const numbers = await submitted(4);
      const [first, ...others] = numbers;
      await report(first!, 'success');
      // The command requests the merge, but the host does not merge before the next request.
      await service.app.get(Inbox).drain();
      await service.app.get(QueueScheduler).drain();
      const { status, body } = await admin.post('cancelAllPullRequests', MAIN);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          cancelled: others,
          refused: [
            {
              prNumber: first,
              code: 'PR_NOT_IN_ACTIVE_STATE',
              message: `pull request #${first} is being merged: it is too late to cancel`,
            },
          ],
        },
      });
      expect(await order()).toEqual([first]);
      await service.settles();
      expect(await record(first!)).toMatchObject({ state: 'merged' });
      expect(await record(others[0]!)).toMatchObject({ state: 'cancelled', stateReason: 'api_requested' });
    });

    it('records their numbers in the audit log', async () => {
      const numbers = await submitted(2);
      await admin.post('cancelAllPullRequests', MAIN);
      const { items } = (await admin.get('audit?take=1')).body as unknown as { items: object[] };
      expect(items).toMatchObject([{ action: 'queue.all_cancelled', from: null }]);
      expect((items[0] as { to: { cancelled: number[] } }).to.cancelled.sort()).toEqual([...numbers].sort());
    });

    it('in one decision, even more than a hundred', async () => {
      const numbers = await submitted(103);
      const { body } = await admin.post('cancelAllPullRequests', MAIN);
      expect(body).toEqual({ cancelled: numbers, refused: [] });
      await service.settles();
      expect(await order()).toEqual([]);
    });

    it('of an empty queue, which changes nothing', async () => {
      expect((await admin.post('cancelAllPullRequests', MAIN)).body).toEqual({ cancelled: [], refused: [] });
    });
  });
});
