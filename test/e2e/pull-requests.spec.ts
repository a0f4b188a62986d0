import { HostUnavailable } from '../../src/domain/code-host.port';
import type { MemoryRepository } from '../../src/code-hosts/memory/memory-repository';
import { BareRepository } from '../support/bare-repository';
import { type Answer, type Client, codeOf, wrongFields } from './client';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('A pull request', () => {
  let service: Service;
  let host: MemoryRepository;
  let admin: Client;
  let submitter: Client;
  let reporter: Client;
  let last = 0;

  beforeAll(async () => {
    service = await Service.inMemory();
    host = service.memory.repository('acme', 'widgets');
    await service.organization('acme');
    admin = await service.client('acme', 'admin');
    submitter = await service.client('acme', 'submit');
    reporter = await service.client('acme', 'status');
  });

  beforeEach(async () => {
    const answer = await admin.post('createQueue', { ...MAIN, requiredStatuses: ['tests'], concurrency: 4 });
    expect(answer.status).toBe(200);
  });

  afterEach(async () => {
    for (const item of (await admin.post('getQueue', MAIN)).body.enqueuedPullRequests)
      await ask('cancelPullRequest', item.prNumber);
    await service.settles();
    expect(codeOf(await admin.post('deleteQueue', MAIN))).toBe('200');
  });

  afterAll(() => service.stop());

  const ask = (operation: string, number: number | string, more: object = {}): Promise<Answer> =>
    submitter.post(operation, { ...MAIN, pr: { number }, ...more });
  const submit = (number: number | string, more: object = {}) => ask('submitPullRequest', number, more);
  const record = async (number: number) => (await ask('getSubmittedPullRequest', number)).body;

  function open(more: object = {}): number {
    last += 1;
    host.openPullRequest(last, more);
    return last;
  }

  async function testing(): Promise<number> {
    const number = open();
    await submit(number);
    await service.settles();
    expect(await record(number)).toMatchObject({ state: 'testing' });
    return number;
  }

  async function report(number: number, state: string): Promise<void> {
    const { body } = await ask('getMergeQueueTestingDetails', number);
    const reported = { repo: REPO, sha: body.testBranchSha, context: 'tests', state };
    expect((await reporter.post('reportStatus', reported)).status).toBe(200);
    await service.settles();
  }

  async function concluded(state: 'merged' | 'failed' | 'cancelled'): Promise<number> {
    const number = await testing();
    if (state === 'cancelled') await ask('cancelPullRequest', number);
    else await report(number, state === 'merged' ? 'success' : 'failure');
    expect(await record(number)).toMatchObject({ state });
    return number;
  }

  describe('that is submitted', () => {
    it('is answered with its whole record', async () => {
      const number = open();
      const answer = await submit(number);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: {
          id: expect.stringMatching(UUID) as string,
          state: 'pending',
          stateMessage: null,
          stateReason: 'merge_item_now_ready',
          stateChangedAt: NOW.toISOString(),
          eta: null,
          waitingFor: expect.any(String) as string,
          priorityValue: 100,
          priorityName: 'medium',
          usedDefaultPriorityName: 'medium',
          skipTheLine: false,
          forceEnqueued: false,
          noBatch: false,
          dryRun: false,
          isCurrentlySubmittedToQueue: true,
          verifiedByTestRun: null,
          prNumber: number,
          prTitle: `Change ${number}`,
          prSha: host.pullRequest(number).head,
          prBaseBranch: 'main',
          prAuthor: 'Ada',
          readiness: {
            requiresImpactedTargets: false,
            hasImpactedTargets: false,
            doesBaseBranchMatch: true,
            hostMergeability: 'mergeable',
            gitHubMergeability: 'mergeable',
            unmetDependencies: [],
          },
          impactedTargets: null,
        },
      });
      expect(await record(number)).toEqual(answer.body);
    });

    it.each([
      [
        undefined,
        { priorityValue: 100, priorityName: 'medium', usedDefaultPriorityName: 'medium', skipTheLine: false },
      ],
      [null, { priorityValue: 100, priorityName: 'medium', usedDefaultPriorityName: 'medium', skipTheLine: false }],
      ['medium', { priorityValue: 100, priorityName: 'medium', usedDefaultPriorityName: '', skipTheLine: false }],
      ['HIGH', { priorityValue: 10, priorityName: 'high', usedDefaultPriorityName: '', skipTheLine: false }],
      ['low', { priorityValue: 200, priorityName: 'low', usedDefaultPriorityName: '', skipTheLine: false }],
      ['Urgent', { priorityValue: 0, priorityName: 'urgent', usedDefaultPriorityName: '', skipTheLine: true }],
      [0, { priorityValue: 0, priorityName: 'urgent', usedDefaultPriorityName: '', skipTheLine: true }],
      [7, { priorityValue: 7, priorityName: 'custom', usedDefaultPriorityName: '', skipTheLine: false }],
      [4_294_967_295, { priorityValue: 4_294_967_295, priorityName: 'custom' }],
    ])('with the priority %j gets %j', async (priority, expected) => {
      expect((await submit(open(), { priority })).body).toMatchObject(expected);
    });

    it.each([-1, 1.5, 4_294_967_296, 'custom', '10', '', true, [], {}])(
      'cannot have the priority %j',
      async (priority) => {
        expect(Object.keys(wrongFields(await submit(1, { priority })))).toEqual(['priority']);
      },
    );

    describe('with an expected head', () => {
      const other = 'f'.repeat(40);

      it('is queued if its head is that commit', async () => {
        const number = open();
        const head = host.pullRequest(number).head;
        expect((await submit(number, { expectedHeadSha: head.toUpperCase() })).body).toMatchObject({ prSha: head });
      });

      it('is refused if somebody has pushed another head, and the message names both commits', async () => {
        const number = open();
        const seen = host.pullRequest(number).head;
        const head = host.pushToPullRequest(number, { 'evil.txt': 'evil\n' });
        const answer = await submit(number, { expectedHeadSha: seen });
        expect(codeOf(answer)).toBe('409 PR_NOT_ENQUEUEABLE');
        expect(answer.body.error?.message).toContain(seen);
        expect(answer.body.error?.message).toContain(head);
        expect(codeOf(await ask('getSubmittedPullRequest', number))).toBe('404 PR_NOT_FOUND');
      });

      it('is refused also if the pull request is queued already, which keeps its place', async () => {
        const number = await testing();
        expect(codeOf(await submit(number, { expectedHeadSha: other }))).toBe('409 PR_NOT_ENQUEUEABLE');
        expect(await record(number)).toMatchObject({ state: 'testing' });
      });

      it.each(['f'.repeat(39), `${'f'.repeat(39)}g`, 'main', '', 1, null])(
        'cannot have the expected head %j',
        async (expectedHeadSha) => {
          expect(Object.keys(wrongFields(await submit(1, { expectedHeadSha })))).toEqual(['expectedHeadSha']);
        },
      );
    });

    it.each(['true', 1, null])('cannot have noBatch %j', async (noBatch) => {
      expect(wrongFields(await submit(1, { noBatch }))).toEqual({ noBatch: 'noBatch must be true or false' });
    });

    it('may have its number as a string of digits', async () => {
      expect((await submit(String(open()))).body).toMatchObject({ prNumber: last });
    });

    it.each([0, -1, 1.5, 2_147_483_648, '0', '2147483648', '1e3', ' 1', 'one', '', null, true, [1], {}])(
      'cannot have the number %j',
      async (number) => expect(Object.keys(wrongFields(await submit(number as number)))).toEqual(['pr.number']),
    );

    it.each([undefined, null, 7, '7', [], [{ number: 7 }]])('cannot be named by the field pr: %j', async (pr) => {
      expect(Object.keys(wrongFields(await submitter.post('submitPullRequest', { ...MAIN, pr })))).toContain('pr');
    });

    it('may have unknown fields', async () => {
      expect((await submit(open(), { comment: 'please', pr: { number: last, title: 'x' } })).status).toBe(200);
    });

    it('must be known to its code host', async () => {
      expect(codeOf(await submit(2_147_483_647))).toBe('404 PR_NOT_FOUND');
    });

    it.each([
      ['a draft', { draft: true }, { hostMergeability: 'not_mergeable', doesBaseBranchMatch: true }],
      ['aimed at another branch', { base: 'release' }, { doesBaseBranchMatch: false }],
      [
        'not yet checked for conflicts by its host',
        { mergeabilityAnswers: ['in_progress'] },
        { hostMergeability: 'in_progress' },
      ],
    ])('while it is %s waits as not ready', async (_what, how, readiness) => {
      host.branches.set('release', host.tip('main').commit);
      const { status, body } = await submit(open(how));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        state: 'not_ready',
        stateReason: 'api_requested',
        readiness,
      });
      expect(body.readiness.gitHubMergeability).toBe(body.readiness.hostMergeability);
    });

    it.each([
      'concurrency',
      'bisectionConcurrency',
      'testingTimeoutMinutes',
      'pendingFailureDepth',
      'batchingMaxWaitTimeMinutes',
      'batchingMinSize',
      'notReadyTimeoutHours',
    ])('is tested although %s is as large as the API allows', async (setting) => {
      await admin.post('updateQueue', { ...MAIN, [setting]: 4_294_967_295 });
      await submit(open({ draft: true }));
      expect(await record(last)).toMatchObject({ state: 'not_ready', waitingFor: expect.any(String) as string });
      await report(await testing(), 'success');
      expect(await record(last)).toMatchObject({ state: 'merged' });
    });

    it.each(['paused', 'draining'])('to a queue that is %s waits', async (state) => {
      await admin.post('updateQueue', { ...MAIN, state });
      expect((await submit(open())).status).toBe(200);
      await service.settles();
      expect(await record(last)).toMatchObject({ state: 'pending', isCurrentlySubmittedToQueue: true });
    });

    it('a second time while it is queued keeps every option that the second request does not name', async () => {
      const first = (await submit(open(), { priority: 'low', noBatch: true })).body;
      const second = (await submit(last, { priority: 'high' })).body;
      expect(second).toMatchObject({ id: first.id, priorityName: 'high', noBatch: true, usedDefaultPriorityName: '' });
      expect((await submit(last, { noBatch: false })).body).toMatchObject({ priorityName: 'high', noBatch: false });
      expect((await submit(last, { priority: null })).body).toMatchObject({
        priorityName: 'medium',
        usedDefaultPriorityName: 'medium',
      });
    });

    it.each(['failed', 'cancelled'] as const)('after it %s starts a new attempt under the same id', async (state) => {
      const number = await concluded(state);
      const before = await record(number);
      const again = (await submit(number)).body;
      expect(again).toMatchObject({ id: before.id, isCurrentlySubmittedToQueue: true });
      const { timeline } = (await ask('getSubmittedPullRequest', number, { includeTimeline: true })).body;
      expect(timeline?.[0]).toMatchObject({ attempt: 2 });
    });

    it.each(['closed', 'merged'] as const)('cannot be queued if its code host says that it is %s', async (state) => {
      const number = open();
      host.pullRequest(number).state = state;
      expect(codeOf(await submit(number))).toBe('409 PR_NOT_ENQUEUEABLE');
      expect(codeOf(await ask('getSubmittedPullRequest', number))).toBe('404 PR_NOT_FOUND');
    });

    it('after its merge cannot be queued again with the same head', async () => {
      expect(codeOf(await submit(await concluded('merged')))).toBe('409 PR_NOT_ENQUEUEABLE');
    });

    it('cannot be queued while its code host does not answer: the answer is 502, and nothing is stored', async () => {
      const number = open();
      service.memory.faults.failNext('readPullRequest', new HostUnavailable('memory.example', 'no_answer', 'refused'));
      expect(codeOf(await submit(number))).toBe('502 UPSTREAM_ERROR');
      expect(codeOf(await ask('getSubmittedPullRequest', number))).toBe('404 PR_NOT_FOUND');
    });
  });

  describe('that is cancelled', () => {
    it('is removed from the queue, and its record says so', async () => {
      const number = await testing();
      const { status, body } = await ask('cancelPullRequest', number);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        state: 'cancelled',
        stateReason: 'api_requested',
        isCurrentlySubmittedToQueue: false,
        waitingFor: null,
      });
    });

    it('twice stays cancelled', async () => {
      const number = await concluded('cancelled');
      const before = await record(number);
      const again = await ask('cancelPullRequest', number);
      expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: before });
    });

    it.each(['merged', 'failed'] as const)('after it %s gets the answer 409', async (state) => {
      expect(codeOf(await ask('cancelPullRequest', await concluded(state)))).toBe('409 PR_NOT_IN_ACTIVE_STATE');
    });

    it('during its merge gets the answer 409, which names the merge', async () => {
      const number = await testing();
      service.memory.faults.failNext('land', new HostUnavailable('memory.example', 'no_answer', 'refused'));
      await report(number, 'success');
      const answer = await ask('cancelPullRequest', number);
      expect(codeOf(answer)).toBe('409 PR_NOT_IN_ACTIVE_STATE');
      expect(answer.body.error?.message).toContain('is being merged');
      expect(codeOf(await ask('restartTestsOnPullRequest', number))).toMatch(/^409 /);
      expect(codeOf(await admin.post('deleteQueue', MAIN))).toBe('409 QUEUE_HAS_ACTIVE_ENTRIES');
      service.clock.advance(60_000);
      await service.settles();
      expect(await record(number)).toMatchObject({ state: 'merged' });
    });
  });

  describe('whose tests are restarted', () => {
    it('while testing becomes pending, and is tested by another run', async () => {
      const number = await testing();
      const before = (await ask('getMergeQueueTestingDetails', number)).body.testRunId;
      const { body } = await ask('restartTestsOnPullRequest', number);
      expect(body).toMatchObject({ state: 'pending', stateReason: 'tests_restarted_by_api_request' });
      await service.settles();
      expect((await ask('getMergeQueueTestingDetails', number)).body.testRunId).not.toBe(before);
    });

    it('while pending stays pending', async () => {
      await admin.post('updateQueue', { ...MAIN, state: 'paused' });
      const { body } = await submit(open());
      const again = await ask('restartTestsOnPullRequest', last);
      expect({ status: again.status, body: again.body }).toEqual({ status: 200, body });
    });

    it('while not ready gets the answer 409', async () => {
      await submit(open({ draft: true }));
      expect(codeOf(await ask('restartTestsOnPullRequest', last))).toBe('409 PR_TESTS_NOT_RESTARTABLE');
    });

    it.each(['merged', 'failed', 'cancelled'] as const)('after it %s gets the answer 409', async (state) => {
      expect(codeOf(await ask('restartTestsOnPullRequest', await concluded(state)))).toBe('409 PR_NOT_IN_ACTIVE_STATE');
    });
  });

  describe('that is read', () => {
    it('names the test run that verified it, also after it was removed from the queue', async () => {
      const number = await testing();
      const { testRunId } = (await ask('getMergeQueueTestingDetails', number)).body;
      await report(number, 'success');
      expect(await record(number)).toMatchObject({
        state: 'merged',
        stateReason: 'merge_graph_merge',
        isCurrentlySubmittedToQueue: false,
        verifiedByTestRun: testRunId,
      });
    });

    it('has every transition if the request asks for the timeline, newest first', async () => {
      const number = await testing();
      const { testRunId } = (await ask('getMergeQueueTestingDetails', number)).body;
      await report(number, 'success');
      const { timeline } = (await ask('getSubmittedPullRequest', number, { includeTimeline: true })).body;
      expect(timeline?.map(({ state, reason }) => [state, reason])).toEqual([
        ['merged', 'merge_graph_merge'],
        ['tests_passed', 'test_run_passed'],
        ['testing', null],
        ['pending', 'merge_item_now_ready'],
        ['not_ready', 'api_requested'],
      ]);
      expect(timeline?.at(-1)).toEqual({
        state: 'not_ready',
        reason: 'api_requested',
        timestamp: service.clock.now().toISOString(),
        actor: 'submit of acme',
        attempt: 1,
        testRunId: null,
      });
      expect(timeline?.find((item) => item.state === 'testing')).toMatchObject({ testRunId, actor: null });
    });

    it('has no timeline unless the request asks for it', async () => {
      await submit(open());
      expect(await record(last)).not.toHaveProperty('timeline');
      expect((await ask('getSubmittedPullRequest', last, { includeTimeline: false })).body).not.toHaveProperty(
        'timeline',
      );
    });

    it('by its head branch is the open pull request of that branch, or else the last concluded pull request', async () => {
      const byBranch = (branch: string, more: object = {}) =>
        submitter.post('getSubmittedPullRequest', { ...MAIN, pr: { branch, ...more } });
      const first = open({ headBranch: 'shared' });
      await submit(first);
      await ask('cancelPullRequest', first);
      expect((await byBranch('shared')).body.prNumber).toBe(first);
      const second = open({ headBranch: 'shared' });
      await submit(second);
      expect((await byBranch('shared')).body.prNumber).toBe(second);
      service.clock.advance(1_000);
      await ask('cancelPullRequest', second);
      expect((await byBranch('shared')).body.prNumber).toBe(second);
      expect((await byBranch('shared', { number: first })).body.prNumber).toBe(first);
      expect(codeOf(await byBranch('unknown'))).toBe('404 PR_NOT_FOUND');
    });

    it.each([{}, { branch: '' }, { branch: 7 }, { branch: null }])(
      'must be named by number or branch: %j names none',
      async (pr) => {
        const answer = await submitter.post('getSubmittedPullRequest', { ...MAIN, pr });
        expect(Object.keys(wrongFields(answer))[0]).toMatch(/^pr/);
      },
    );

    it.each([
      'cancelPullRequest',
      'restartTestsOnPullRequest',
      'getSubmittedPullRequest',
      'getMergeQueueTestingDetails',
    ])('although it was never submitted is not found by %s', async (operation) =>
      expect(codeOf(await ask(operation, open()))).toBe('404 PR_NOT_FOUND'),
    );
  });
});

describe('A pull request of plain git', () => {
  it('cannot be found by its branch, and has the target branch of its queue as its base', async () => {
    const git = BareRepository.create('acme', 'widgets');
    const service = await Service.onGit(git);
    try {
      await service.organization('acme');
      const client = await service.client('acme', 'admin');
      const queue = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, targetBranch: 'main' };
      await client.post('createQueue', queue);
      const head = git.openPullRequest(1, { 'one.txt': 'one' }, { title: 'Add one', author: 'Grace' });
      const { body } = await client.post('submitPullRequest', { ...queue, pr: { number: 1 } });
      expect(body).toMatchObject({ prSha: head, prTitle: 'Add one', prAuthor: 'Grace', prBaseBranch: 'main' });
      expect(body.readiness).toMatchObject({ doesBaseBranchMatch: true, hostMergeability: 'mergeable' });
      const byBranch = await client.post('getSubmittedPullRequest', { ...queue, pr: { branch: 'topic' } });
      expect(Object.keys(wrongFields(byBranch))).toEqual(['pr.branch']);
    } finally {
      await service.stop();
      git.close();
    }
  });
});
