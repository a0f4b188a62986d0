import { HostInbox, HostUnavailable } from '../../src/domain/code-host.port';
import type { MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { OutboxStore } from '../../src/processing/outbox/outbox.store';
import { dieOnceAt } from '../support/die-at';
import { World } from '../support/world';

const MARKER = '<!-- sluice-merge-queue -->';

describe("the queue's comment and status on a pull request", () => {
  let world: World;
  let shown: MemoryShown;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    for (const number of [1, 2, 3]) world.memory.openPullRequest(number);
  });
  afterEach(() => world.close());

  const comment = (number: number): string => shown.comment(number, MARKER)?.body ?? '';
  const writes = (number: number): number => shown.comment(number, MARKER)?.writes ?? 0;
  const head = (number: number): string => world.memory.pullRequest(number).head;
  const statuses = (number: number) => (shown.statuses.get(head(number)) ?? []).map(({ state }) => state);
  const unavailable = (): HostUnavailable => new HostUnavailable('memory.example', 'no_answer', 'connection refused');

  async function queueWith(settings: object = {}): Promise<void> {
    await world.createQueue({ requiredStatuses: ['tests'], ...settings });
  }

  async function submit(...numbers: number[]): Promise<void> {
    for (const number of numbers) await world.submit(number);
    await world.settles();
  }

  it('are one comment and one status, from the first test to the merge, in at most four writes each', async () => {
    await queueWith();
    await submit(1);
    expect(comment(1)).toContain('### Testing');
    expect(comment(1)).toContain('`tests` has to pass on');
    expect(comment(1)).toContain('`/sluice cancel`');
    expect(shown.status(head(1))).toEqual({
      name: 'Sluice Merge Queue (main)',
      state: 'pending',
      description: 'Testing',
      url: null,
    });
    await world.report(1, 'success');
    await world.advance(5);
    expect(comment(1)).toContain(`The queue merged it into \`main\` as ${world.memory.tip('main').commit}.`);
    expect(comment(1)).not.toContain('/sluice');
    expect(shown.comments.get(1)).toHaveLength(1);
    expect(writes(1)).toBeLessThanOrEqual(4);
    expect(statuses(1).at(-1)).toBe('success');
    expect(statuses(1).length).toBeLessThanOrEqual(4);
  });

  it('are not written when other pull requests move, and say when they were written', async () => {
    await queueWith();
    await submit(1, 2, 3);
    expect(comment(3)).toContain('When this was written');
    const before = writes(3);
    await world.report(1, 'success');
    await world.advance(5);
    expect(await world.stateOf(1)).toBe('merged');
    expect(await world.stateOf(2)).toBe('testing');
    expect(writes(3)).toBe(before);
    expect(statuses(3)).toHaveLength(1);
  });

  it('are delayed for a change that concerns many pull requests, and written if the change lasts', async () => {
    await queueWith({ concurrency: 3 });
    await submit(1, 2, 3);
    const before = writes(3);
    await world.cancel(1);
    await world.settles();
    expect(comment(1)).toContain('### Removed from the queue');
    expect(await world.stateOf(3)).toBe('testing');
    expect(writes(3)).toBe(before);
    await world.advance(2);
    expect(writes(3)).toBe(before + 1);
    expect(comment(3)).toContain('on top of `#2`:');
  });

  it('say that a test passed only if the merge does not follow soon', async () => {
    await queueWith({ concurrency: 2 });
    await submit(1, 2);
    await world.report(2, 'success');
    expect(comment(2)).toContain('### Testing');
    await world.advance(2);
    expect(comment(2)).toContain('It merges into `main` when `#1` has merged');
    expect(shown.status(head(2))?.description).toBe('Tests passed, waiting for #1');
  });

  it('are written at most four times with every possible wait before a merge at the first attempt', async () => {
    world.memory.pullRequest(2).mergeabilityAnswers = ['in_progress'];
    await queueWith({ concurrency: 2 });
    await submit(1, 2);
    await world.updateQueue({ state: 'PAUSED' });
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    await world.app.get(HostInbox).append(host, 'checked', { type: 'pull_request_changed', repositoryId, number: 2 });
    await world.advance(10);
    expect(comment(2)).toContain('### Waiting in the queue');
    await world.updateQueue({ state: 'RUNNING' });
    await world.advance(10);
    await world.report(2, 'success');
    await world.advance(10);
    expect(comment(2)).toContain('### Tests passed');
    await world.report(1, 'success');
    await world.advance(10);
    expect(await world.stateOf(2)).toBe('merged');
    expect({ comment: writes(2), status: statuses(2).length }).toEqual({ comment: 4, status: 4 });
  });

  it('include the table of failures, with links', async () => {
    await queueWith();
    await submit(1);
    const details = await world.api.post('getMergeQueueTestingDetails', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number: 1 },
    });
    const sha = String(details.body.testBranchSha);
    const report = { repo: world.repo, sha, context: 'tests', state: 'failure', url: 'https://ci.example/7' };
    await world.api.mustPost('reportStatus', { ...report, description: '3 of 10 failed | see log' });
    await world.settles();
    expect(comment(1)).toContain('### Tests failed');
    expect(comment(1)).toContain('| [`tests`](https://ci.example/7) | failure | `3 of 10 failed \\| see log` |');
    expect(comment(1)).toContain('`/sluice merge`');
    expect(shown.status(head(1))).toMatchObject({ state: 'failure', description: 'A required status failed: tests' });
  });

  it('are moved to the present head of a pull request that is not ready', async () => {
    world.memory.pullRequest(1).draft = true;
    await queueWith();
    await submit(1);
    expect(comment(1)).toContain('it must not be a draft');
    shown.permissions.set('ada', 'write');
    world.memory.pushToPullRequest(1, { 'more.txt': '1' }, 'ada');
    await world.looksAtHost();
    expect(shown.status(head(1))).toMatchObject({
      state: 'pending',
      description: 'Not ready. Missing: it must not be a draft',
    });
  });

  it('are not written in the first minutes in which the host does not know whether the pull request can be merged', async () => {
    world.memory.pullRequest(1).mergeabilityAnswers = ['in_progress', 'in_progress'];
    await queueWith();
    await submit(1);
    expect(await world.stateOf(1)).toBe('not_ready');
    expect(comment(1)).toBe('');
    await world.advance(2);
    expect(comment(1)).toContain('waits for `memory.example` to report whether it can be merged');
  });

  it.each([
    ['comments', { commentsEnabled: false }, 0, 1],
    ['status checks', { statusCheckEnabled: false }, 1, 0],
    ['both', { commentsEnabled: false, statusCheckEnabled: false }, 0, 0],
  ])('are not written if %s are switched off', async (_, settings, comments, checks) => {
    await queueWith(settings);
    await submit(1);
    expect(Math.min(1, writes(1))).toBe(comments);
    expect(Math.min(1, statuses(1).length)).toBe(checks);
    const ordered = await world.prisma.outboxTask.count({ where: { type: 'updatePullRequestView' } });
    expect(ordered).toBe(Math.max(comments, checks));
  });

  it('are about the queue that accepted the pull request last', async () => {
    world.memory.branches.set('next', world.memory.tip('main').commit);
    await queueWith();
    await world.createQueue({ requiredStatuses: ['tests'] }, 'next');
    await submit(1);
    world.memory.pullRequest(1).base = 'next';
    world.clock.advance(1_000);
    await world.api.mustPost('submitPullRequest', { repo: world.repo, targetBranch: 'next', pr: { number: 1 } });
    const { id: repositoryId, host } = await world.prisma.repository.findFirstOrThrow();
    await world.app.get(HostInbox).append(host, 'edited', { type: 'pull_request_changed', repositoryId, number: 1 });
    await world.settles();
    expect(await world.stateOf(1)).toBe('cancelled');
    expect(comment(1)).toContain('`next`');
    expect((shown.statuses.get(head(1)) ?? []).map(({ name }) => name)).toContain('Sluice Merge Queue (next)');
  });

  describe('after a failure', () => {
    it.each([
      ['comment shown', { comment: 2, status: 1 }],
      ['status shown', { comment: 1, status: 2 }],
    ] as const)('are one comment and one status, although the process died at: %s', async (point, sent) => {
      await queueWith();
      await world.updateQueue({ state: 'PAUSED' });
      dieOnceAt(world, point);
      await world.submit(1);
      expect((await world.settlesWithErrors()).join()).toContain(`died at ${point}`);
      await world.advance(1);
      expect(shown.comments.get(1)).toHaveLength(1);
      expect(comment(1)).toContain('### Waiting in the queue');
      expect(shown.status(head(1))).toMatchObject({ state: 'pending', description: 'Waiting in the queue' });
      expect({ comment: writes(1), status: statuses(1).length }).toEqual(sent);
    });

    it('are one comment and one status, although the answer to the first attempt was lost', async () => {
      await queueWith();
      world.memoryHost.faults.loseAnswerOfNext('ensureComment', unavailable());
      await submit(1);
      await world.advance(1);
      expect(shown.comments.get(1)).toHaveLength(1);
      expect(comment(1)).toContain('### Testing');
    });

    it('are written again if they changed while they were being written', async () => {
      await queueWith();
      await world.updateQueue({ state: 'PAUSED' });
      await world.submit(1);
      const store = world.app.get(OutboxStore);
      const now = world.clock.now();
      const [inProgress] = await store.claim('a worker', 8, now, new Date(now.getTime() + 30_000));
      expect(inProgress).toMatchObject({ type: 'updatePullRequestView', generation: 1 });
      await world.cancel(1);
      expect(await store.claim('another', 8, now, now)).toEqual([]);
      expect(await store.settle(inProgress!, 'done', null, now)).toBe('next is due');
      await world.settles();
      expect(comment(1)).toContain('### Removed from the queue');
      expect(shown.status(head(1))).toMatchObject({ state: 'failure' });
    });

    it('are written again after the service gave them up, once they change', async () => {
      await queueWith();
      await world.updateQueue({ state: 'PAUSED' });
      await world.submit(1);
      const store = world.app.get(OutboxStore);
      const now = world.clock.now();
      const [inProgress] = await store.claim('a worker', 8, now, new Date(now.getTime() + 30_000));
      await store.settle(inProgress!, 'dead', null, now);
      await world.settles();
      expect(comment(1)).toBe('');
      await world.cancel(1);
      await world.settles();
      expect(comment(1)).toContain('### Removed from the queue');
    });

    it('do not stop the queue or its time-outs if they cannot be written', async () => {
      await queueWith({ testingTimeoutMinutes: 5 });
      const fail = (): void => {
        world.memoryHost.faults.beforeNext('ensureComment', () => {
          fail();
          throw unavailable();
        });
      };
      fail();
      await submit(1);
      expect(await world.stateOf(1)).toBe('testing');
      // One time-out alone does not fail a pull request, so two test runs time out.
      for (let times = 0; times < 2; times++) {
        await world.report(1, 'pending');
        await world.advance(6);
      }
      expect(await world.record(1)).toMatchObject({ state: 'failed', stateReason: 'test_run_timeout' });
      expect(comment(1)).toBe('');
    });
  });
});

describe('pull requests for testing branches', () => {
  let world: World;
  let shown: MemoryShown;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    shown = world.memoryHost.openConversation().of(world.repo);
    for (const number of [1, 2]) world.memory.openPullRequest(number);
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
  });
  afterEach(() => world.close());

  const states = () => shown.testingPullRequests.map(({ state }) => state);

  async function submit(): Promise<void> {
    for (const number of [1, 2]) await world.submit(number);
    await world.settles();
  }

  it('are opened with the test, say what is tested, and are closed when the test is over', async () => {
    await submit();
    expect(shown.testingPullRequests).toMatchObject([
      { title: '[Sluice] Test of 1 for main', targetBranch: 'main', state: 'open' },
      { title: '[Sluice] Test of 2 for main', state: 'open' },
    ]);
    expect(shown.testingPullRequests[1]!.body).toContain('tests `#2` here, on top of `#1`');
    expect(shown.testingPullRequests[0]!.branch).toMatch(/^sluice-merge\/pr-1\//);
    await world.report(1, 'success');
    expect(await world.stateOf(1)).toBe('merged');
    expect(states()).toEqual(['closed', 'open']);
    await world.cancel(2);
    await world.settles();
    expect(states()).toEqual(['closed', 'closed']);
  });

  it('are no longer opened once the setting is off, but open testing pull requests are closed', async () => {
    await world.submit(1);
    await world.settles();
    await world.updateQueue({ createPrsForTestingBranches: false });
    await world.submit(2);
    await world.settles();
    expect(await world.stateOf(2)).toBe('testing');
    expect(states()).toEqual(['open']);
    await world.cancel(1);
    await world.settles();
    expect(states()).toEqual(['closed']);
  });

  it('are one per test although the process died after opening it, and are closed though not known to be open', async () => {
    dieOnceAt(world, 'testing pull request opened');
    await world.submit(1);
    expect((await world.settlesWithErrors()).join()).toContain('died at testing pull request opened');
    expect(states()).toEqual(['open']);
    await world.cancel(1);
    await world.advance(1);
    expect(states()).toEqual(['closed']);
    expect([...world.memory.branches.keys()]).toEqual(['main']);
  });
});
