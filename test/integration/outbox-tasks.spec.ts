import { HostUnavailable, type StatusPin } from '../../src/domain/code-host.port';
import { type Command, commandKey, type LandRun, type StartTestRun, type StopTestRun } from '../../src/engine/commands';
import type { LandingOutcome, RunOutcome } from '../../src/engine/events';
import type { QueuedHead } from '../../src/engine/model';
import { commandsAppended } from '../../src/processing/outbox/append-tasks';
import { OutboxWorker } from '../../src/processing/outbox/outbox.worker';
import { testedCommitBehind } from '../../src/processing/outbox/tasks/known-results';
import { newId } from '../../src/platform/ids';
import { writeTogether } from '../../src/platform/database/bulk';
import { dieAt } from '../support/die-at';
import { World } from '../support/world';

const FILE = '.sluice/sluice.yaml';
const HOUR_MS = 3_600_000;
const ABSENT = '1'.repeat(40);

const queueId = async (world: World, branch = 'main'): Promise<string> =>
  (await world.prisma.queue.findFirstOrThrow({ where: { liveBranch: branch } })).id;

/** Carries out a command unless a condition of the command prevents this. The outcome does not reach the queue. */
async function give(world: World, command: Command, branch?: string): Promise<RunOutcome | LandingOutcome | null> {
  const id = await queueId(world, branch);
  await writeTogether(world.sql, { listed: commandsAppended(id, [command], world.clock.now()) });
  await world.app.get(OutboxWorker).drain();
  return outcomeOf(world, command, branch);
}

async function outcomeOf(world: World, command: Command, branch?: string): Promise<RunOutcome | LandingOutcome | null> {
  const key = commandKey(await queueId(world, branch), command);
  const { outcome } = await world.prisma.outboxTask.findUniqueOrThrow({ where: { key } });
  return (outcome as { event: RunOutcome | LandingOutcome } | null)?.event ?? null;
}

/** After this call, the host accepts each of these statuses from one app only. */
function pin(world: World, ...pins: readonly StatusPin[]): void {
  Object.assign(world.memoryHost, { readStatusPins: () => Promise.resolve(pins) });
}

/** The facts of a submitted pull request at its present head. */
async function queuedHeadOf(world: World, number: number): Promise<QueuedHead> {
  const { id } = await world.prisma.entry.findFirstOrThrow({ where: { number } });
  return { entryId: id, number, head: world.memory.pullRequest(number).head };
}

describe('starting a test run', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
  });
  afterEach(() => world.close());

  async function start(settings: object = { requiredStatuses: ['tests'] }): Promise<Record<string, unknown>> {
    await world.createQueue(settings);
    await world.submit(1);
    await world.settles();
    return world.record(1);
  }

  const details = async (number = 1) =>
    (await world.api.post('getMergeQueueTestingDetails', { repo: world.repo, targetBranch: 'main', pr: { number } }))
      .body;

  describe('reads the required statuses', () => {
    it('that were set in the queue, before all other required statuses', async () => {
      world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [from-file] }' });
      expect(await start({ requiredStatuses: ['by-hand'] })).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['by-hand'],
        requiredStatusesSource: 'merge_instance',
      });
    });

    it("of the configuration file at the target's tip, not in the pull request", async () => {
      world.memory.pushTo('main', { [FILE]: 'merge:\n  required_statuses: [unit, e2e, unit]\n' });
      world.memory.pushToPullRequest(1, { [FILE]: 'merge: { required_statuses: [nothing] }' });
      world.memory.openPullRequest(1, { files: { 'one.txt': '1' } });
      expect(await start({})).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['unit', 'e2e'],
        requiredStatusesSource: 'trunk_config',
      });
    });

    it("of the host's protection if the configuration file names none", async () => {
      world.memory.pushTo('main', { [FILE]: 'merge: {}\n' });
      world.memory.openPullRequest(1);
      world.memory.protectedStatuses.set('main', ['protected']);
      expect(await start({})).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['protected'],
        requiredStatusesSource: 'repo_provider_branch_protection',
      });
    });

    it('which must be named somewhere, or the entry fails', async () => {
      world.memory.openPullRequest(1);
      expect(await start({})).toMatchObject({ state: 'failed', stateReason: 'start_test_run_no_required_statuses' });
      expect([...world.memory.branches.keys()]).toEqual(['main']);
    });

    describe('from a configuration file that cannot be read', () => {
      const PARSING = 'start_test_run_config_parsing_failure';
      const STATUSES = 'start_test_run_config_bad_required_statuses';
      const BROKEN = [
        ['is not YAML', 'a: 1\nmerge: [', PARSING, /is not valid YAML: .* at line 2/],
        ['is a list', '# none\n- merge', PARSING, /is not a mapping \(line 2\)/],
        ['is too large', `#${' '.repeat(64 * 1024)}`, PARSING, /is larger than 64 KiB/],
        ['has a word instead of a list', 'merge: { required_statuses: tests }', STATUSES, /a list of names \(line 1\)/],
        ['has a number among the names', 'merge:\n  required_statuses: [a, 1]', STATUSES, /a list of names \(line 2\)/],
        ['has an empty name', "merge: { required_statuses: [''] }", STATUSES, /a list of names \(line 1\)/],
        ['has a merge section that is none', 'a: 1\nmerge: 5', STATUSES, /a list of names \(line 2\)/],
      ] as const;

      it.each(BROKEN)('on the target: %s, and the entry waits with that reason', async (_, file, __, problem) => {
        world.memory.pushTo('main', { [FILE]: file });
        world.memory.openPullRequest(1);
        const record = await start({});
        expect(record).toMatchObject({ state: 'pending', waitingFor: expect.stringMatching(problem) as string });
        world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [tests] }' });
        await world.looksAtHost();
        expect(await world.stateOf(1)).toBe('testing');
      });

      it.each(BROKEN)(
        "in the entry's own branch: %s, and the entry fails with a reason that names the line",
        async (_, file, stateReason, problem) => {
          world.memory.protectedStatuses.set('main', ['tests']);
          world.memory.openPullRequest(1, { files: { [FILE]: file } });
          expect(await start({})).toMatchObject({
            state: 'failed',
            stateReason,
            stateMessage: expect.stringMatching(problem) as string,
          });
          expect([...world.memory.branches.keys()]).toEqual(['main']);
        },
      );

      it('on the target: the entry waits, and a pull request that repairs the file is tested with the statuses of the last readable version', async () => {
        world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [unit] }' });
        world.memory.openPullRequest(1, { files: { 'README.md': 'older than the break\n' } });
        world.memory.pushTo('main', { [FILE]: 'merge: [' });
        world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: 7 }' });
        world.memory.openPullRequest(2, { files: { [FILE]: 'merge: { required_statuses: [e2e] }' } });
        expect(await start({})).toMatchObject({ state: 'pending' });
        await world.submit(2);
        await world.settles();
        expect(await details(2)).toMatchObject({ requiredStatuses: ['unit'], requiredStatusesSource: 'trunk_config' });
        await world.report(2, 'success', 'unit');
        expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['testing', 'merged']);
        expect(await details(1)).toMatchObject({ requiredStatuses: ['e2e'] });
      });
    });
  });

  describe('reads the pull request and the target again', () => {
    /** Makes the change after the decision about the submission and before the task of that decision. */
    async function changed(change: () => void): Promise<Record<string, unknown>> {
      await world.createQueue({ requiredStatuses: ['tests'] });
      await world.submit(1);
      change();
      await world.settles();
      return world.record(1);
    }

    it('and cancels the entry after a push', async () => {
      const record = await changed(() => world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' }));
      expect(record).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    });

    it('and cancels a closed pull request, and a pull request that became a draft', async () => {
      expect(await changed(() => (world.memory.pullRequest(1).state = 'closed'))).toMatchObject({
        state: 'cancelled',
        stateReason: 'pr_closed',
      });
      world.memory.openPullRequest(2);
      await world.submit(2);
      world.memory.pullRequest(2).draft = true;
      await world.settles();
      expect(await world.record(2)).toMatchObject({ state: 'cancelled', stateReason: 'pr_converted_to_draft' });
    });

    it('and builds on the tip that somebody has pushed meanwhile', async () => {
      let tip = '';
      const record = await changed(() => (tip = world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' })));
      expect(record).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({ baseSha: tip });
    });

    it('and asks again later if the host does not know yet whether the pull request can be merged', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'in_progress'];
      expect(await start()).toMatchObject({ state: 'pending' });
      await world.advance(10);
      expect(await world.stateOf(1)).toBe('testing');
    });

    it('and makes the entry not ready if the host says that the pull request cannot be merged', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'not_mergeable'];
      expect(await start()).toMatchObject({ state: 'not_ready', stateReason: 'readiness_lost' });
    });

    it('and fails on a conflict with the target', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'mergeable'];
      world.memory.pushTo('main', { 'change-1.txt': 'something else\n' });
      const record = await start();
      expect(record).toMatchObject({ state: 'failed', stateReason: 'start_test_run_merge_conflict' });
      expect([...world.memory.branches.keys()]).toEqual(['main']);
    });

    it('and waits while the target branch does not exist; no pull request fails', async () => {
      const { commit } = world.memory.tip('main');
      await changed(() => world.memory.branches.delete('main'));
      expect(await world.stateOf(1)).toBe('pending');
      world.memory.branches.set('main', commit);
      await world.advance(1);
      expect(await world.stateOf(1)).toBe('testing');
    });
  });

  it('gives every run its own commit, also if two runs differ in nothing else', async () => {
    await start();
    const first = await details();
    await world.restart(1);
    await world.settles();
    const second = await details();
    expect(second.testRunId).not.toBe(first.testRunId);
    expect(second.testBranchSha).not.toBe(first.testBranchSha);
    const made = await world.prisma.candidate.findMany({ orderBy: { committedAt: 'asc' } });
    expect(new Set(made.map((candidate) => candidate.tree)).size).toBe(1);
    expect(made[1]!.committedAt.getTime() - made[0]!.committedAt.getTime()).toBe(1_000);
  });

  it('names the testing branch after the brand, the first pull request and the run', async () => {
    await start();
    const { testRunId } = await details();
    expect([...world.memory.branches.keys()]).toEqual(['main', `sluice-merge/pr-1/${String(testRunId)}`]);
  });

  it('uses the commit that it pushed before its process died', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.submit(1);
    const crash = dieAt(world, 'branch pushed');
    await world.settlesWithErrors();
    const [, pushed] = [...world.memory.branches];
    crash();
    world.memory.pullRequest(1).title = 'another title would make another commit';
    world.memoryHost.faults.beforeNext('buildCandidate', () => {
      throw new Error('built again');
    });
    await world.advance(1);
    expect(await world.stateOf(1)).toBe('testing');
    expect([...world.memory.branches][1]).toEqual(pushed);
  });

  it('recognises its own merge whose answer was lost, although titles changed and other people pushed since', async () => {
    await start();
    const crash = dieAt(world, 'landing pushed');
    await world.api.mustPost('reportStatus', {
      repo: world.repo,
      sha: (await details()).testBranchSha,
      context: 'tests',
      state: 'success',
    });
    await world.settlesWithErrors();
    crash();
    world.memory.pullRequest(1).title = 'another title';
    world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
    await world.advance(1);
    expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
    expect(world.memory.firstParents('main').map((commit) => commit.message.split('\n')[0])).toEqual([
      'a push that bypasses the queue',
      'Change 1 (#1)',
      'start',
    ]);
  });
});

describe('carrying out the start of a test run', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    world.memory.openPullRequest(2);
  });
  afterEach(() => world.close());

  async function startOf(numbers: readonly number[], more: Partial<StartTestRun> = {}): Promise<StartTestRun> {
    const tip = world.memory.tip('main');
    return {
      type: 'startTestRun',
      run: 1_000,
      target: tip,
      keepsBase: false,
      landingTree: null,
      onto: { commit: more.target?.commit ?? tip.commit, contains: [] },
      builtOn: [],
      own: await Promise.all(numbers.map((number) => queuedHeadOf(world, number))),
      about: numbers[0] ?? null,
      mergeMethod: 'squash',
      createdAt: world.clock.now().getTime(),
      requiredStatuses: ['tests'],
      reuseSince: null,
      ...more,
    };
  }

  const testingBranches = () => [...world.memory.branches.keys()].filter((name) => name.startsWith('sluice-merge/'));

  describe('on a base that is kept for bisections and optimistic merging', () => {
    /** Submits pull requests to a queue that does not start test runs automatically. */
    async function submitted(...numbers: number[]): Promise<void> {
      await world.createQueue();
      await world.updateQueue({ state: 'paused' });
      for (const number of numbers) await world.submit(number);
      await world.settles();
    }

    it('builds on that base although the target has moved, and reads the required statuses of the base', async () => {
      world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [of-then] }' });
      await submitted(1);
      const target = world.memory.tip('main');
      world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [of-now] }' });
      const command = await startOf([1], { target, requiredStatuses: [] });
      expect(await give(world, command)).toMatchObject({
        type: 'runNotStarted',
        because: { type: 'target_moved', tip: world.memory.tip('main') },
      });
      const kept = await give(world, { ...command, run: 1_001, keepsBase: true });
      expect(kept).toMatchObject({ type: 'runPushed', requiredStatuses: ['of-then'], source: 'trunk_config' });
      const { commit } = kept as Extract<RunOutcome, { type: 'runPushed' }>;
      expect(world.memory.objects.get(commit).parents).toEqual([target.commit]);
    });

    it('ignores a conflict of the pull request with the present target', async () => {
      await submitted(1);
      const command = await startOf([1], { target: world.memory.tip('main'), keepsBase: true });
      world.memory.pushTo('main', { 'change-1.txt': 'something else\n' });
      expect(await give(world, command)).toMatchObject({ type: 'runPushed' });
    });

    it('does not wait until the host knows whether the pull request merges into the present target', async () => {
      await submitted(1);
      world.memory.pullRequest(1).mergeabilityAnswers = ['in_progress'];
      expect(await give(world, await startOf([1], { keepsBase: true }))).toMatchObject({ type: 'runPushed' });
    });

    it('names the two pull requests below the tested one that no longer merge with each other', async () => {
      world.memory.openPullRequest(3, { files: { 'README.md': 'three\n' } });
      world.memory.openPullRequest(4, { files: { 'README.md': 'four\n' } });
      await submitted(1, 3, 4);
      const [three, four] = [await queuedHeadOf(world, 3), await queuedHeadOf(world, 4)];
      expect(await give(world, await startOf([1], { builtOn: [three, four] }))).toMatchObject({
        type: 'runNotStarted',
        because: { type: 'conflict', number: 4, with: 3, files: ['README.md'] },
      });
    });

    it('reports a conflict with the base as a conflict with the target, whatever the present target is', async () => {
      world.memory.openPullRequest(3, { files: { 'README.md': 'three\n' } });
      await submitted(1, 3);
      const { commit: before } = world.memory.tip('main');
      world.memory.pushTo('main', { 'README.md': 'another\n' });
      const target = world.memory.tip('main');
      world.memory.branches.set('main', before);
      expect(await give(world, await startOf([1, 3], { target, keepsBase: true }))).toMatchObject({
        type: 'runNotStarted',
        because: { type: 'conflict', number: 3, with: 'target', files: ['README.md'] },
      });
    });

    it('starts nothing for a pull request that was changed', async () => {
      await submitted(1);
      const command = await startOf([1], { keepsBase: true });
      world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' });
      expect(await give(world, command)).toMatchObject({ because: { type: 'pull_request_changed' } });
    });

    it('reports a base that is no longer available before it reads the required statuses there', async () => {
      await submitted(1);
      const target = { commit: ABSENT, tree: ABSENT };
      const command = await startOf([1], { target, keepsBase: true, requiredStatuses: [] });
      expect(await give(world, command)).toMatchObject({ type: 'runNotStarted', because: { type: 'base_gone' } });
    });
  });

  describe('with a result that is known from another run', () => {
    const since = () => world.clock.now().getTime() - HOUR_MS;
    const reuse = async (more: Partial<StartTestRun> = {}) => startOf([1], { reuseSince: since(), ...more });

    /** Lets the test of pull request 1 pass or fail, and pauses the queue so that pull request 1 does not merge. */
    async function tested(as: 'success' | 'failure', requiredStatuses: readonly string[] = ['tests']): Promise<void> {
      await world.createQueue({ requiredStatuses });
      await world.submit(1);
      await world.submit(2);
      await world.settles();
      await world.updateQueue({ state: 'paused' });
      for (const name of requiredStatuses) await world.report(1, as, name);
    }

    it.each([
      ['success', []],
      ['failure', ['tests']],
    ] as const)('pushes nothing after a %s of the same tree with the same required statuses', async (as, red) => {
      await tested(as);
      const branches = testingBranches();
      const outcome = await give(world, await reuse());
      expect(outcome).toEqual({
        type: 'runResultKnown',
        run: 1_000,
        commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
        tree: (await world.prisma.testRun.findFirstOrThrow({ where: { tree: { not: null } } })).tree,
        requiredStatuses: ['tests'],
        pins: [],
        source: 'merge_instance',
        red,
        at: world.clock.now().getTime(),
        seen: [expect.objectContaining({ number: 1 })],
      });
      expect(testingBranches()).toEqual(branches);
    });

    it('uses the newest test of the tree', async () => {
      await tested('failure');
      await world.cancel(2);
      world.clock.advance(1_000);
      await world.updateQueue({ state: 'running' });
      await world.submit(1);
      await world.settles();
      await world.updateQueue({ state: 'paused' });
      await world.report(1, 'success');
      expect(await world.stateOf(1)).toBe('tests_passed');
      expect(await give(world, await reuse())).toMatchObject({ type: 'runResultKnown', red: [] });
      await world.prisma.testRun.updateMany({
        where: { result: 'failed' },
        data: { resultAt: new Date(world.clock.now().getTime() + 1) },
      });
      expect(await give(world, await reuse({ run: 1_001 }))).toMatchObject({ type: 'runResultKnown', red: ['tests'] });
    });

    it('accepts the same required statuses in another order, but no other required statuses', async () => {
      await tested('success', ['unit', 'e2e']);
      const withStatuses = async (run: number, requiredStatuses: readonly string[]) =>
        (await give(world, await reuse({ run, requiredStatuses })))?.type;
      expect(await withStatuses(1_000, ['e2e', 'unit'])).toBe('runResultKnown');
      expect(await withStatuses(1_001, ['unit'])).toBe('runPushed');
      expect(await withStatuses(1_002, ['unit', 'e2e', 'lint'])).toBe('runPushed');
    });

    it('accepts an app rule for another status, but not for a required status', async () => {
      await tested('success');
      pin(world, { name: 'lint', app: '7' });
      expect(await give(world, await reuse())).toMatchObject({ type: 'runResultKnown', pins: [] });
      const pins = [{ name: 'tests', app: '7' }];
      pin(world, ...pins);
      expect(await give(world, await reuse({ run: 1_001 }))).toMatchObject({ type: 'runPushed', pins });
    });

    it('accepts a reused result if the tests behind it are of the apps that the rule names', async () => {
      await tested('success');
      const pins = [{ name: 'tests', app: '7' }];
      const { id } = await world.prisma.testRun.findFirstOrThrow({ where: { resultAt: { not: null } } });
      const { resultAt, ...run } = await world.prisma.testRun.update({
        where: { id },
        data: { pins },
        omit: { flow: true, dropped: true, moved: true, ciEnd: true },
      });
      const like = async (number: number, minutes: number, pins: object[], isReused: boolean) => {
        const commit = String(number).repeat(10);
        const at = new Date(resultAt!.getTime() + minutes * 60_000);
        const own = { id: newId(), number, commit, resultAt: at, reused: isReused, pushedAt: isReused ? null : at };
        const json = { builtOn: [], pins, failure: undefined, conflict: undefined };
        return (await world.prisma.testRun.create({ data: { ...run, ...own, ...json } })).id;
      };
      await like(2_000, 1, [], false);
      await like(2_001, 2, [...pins, { name: 'tests', app: '8' }], false);
      const reusing = await like(2_002, 3, pins, true);
      expect(await testedCommitBehind(world.sql, reusing)).toBe(run.commit);
    });

    it('accepts only a recent result, and only if the command allows a reuse', async () => {
      await tested('success');
      const now = world.clock.now().getTime();
      expect(await give(world, await reuse({ run: 1_001, reuseSince: now + 1 }))).toMatchObject({ type: 'runPushed' });
      expect(await give(world, await reuse({ run: 1_002, reuseSince: null }))).toMatchObject({ type: 'runPushed' });
      expect(await give(world, await reuse({ run: 1_003, reuseSince: now }))).toMatchObject({ type: 'runResultKnown' });
    });

    it('accepts no result of another tree', async () => {
      await tested('success');
      expect(await give(world, await startOf([2], { reuseSince: since() }))).toMatchObject({ type: 'runPushed' });
    });

    it('accepts no time-out, because a time-out says nothing about the tree', async () => {
      await world.createQueue({ requiredStatuses: ['tests'], testingTimeoutMinutes: 5 });
      await world.submit(1);
      await world.settles();
      await world.report(1, 'pending');
      await world.advance(5);
      // One time-out alone does not fail a pull request, so its second test run times out, too.
      await world.report(1, 'pending');
      await world.advance(5);
      expect(await world.stateOf(1)).toBe('failed');
      expect(await give(world, await reuse())).toMatchObject({ type: 'runPushed' });
    });

    it('accepts no result of a test that still runs or was given up', async () => {
      await world.createQueue({ requiredStatuses: ['tests'] });
      await world.submit(1);
      await world.settles();
      expect(await give(world, await reuse())).toMatchObject({ type: 'runPushed' });
      await world.cancel(1);
      expect(await give(world, await reuse({ run: 1_001 }))).toMatchObject({ type: 'runPushed' });
    });

    it('accepts no result of a run that was not tested itself', async () => {
      await tested('success');
      await world.prisma.testRun.updateMany({ data: { pushedAt: null, branch: null } });
      expect(await give(world, await reuse())).toMatchObject({ type: 'runPushed' });
    });

    it('accepts a failed run as failed, even if the run succeeded with the result of another run', async () => {
      await tested('failure');
      await world.prisma.testRun.updateMany({ where: { result: 'failed' }, data: { result: 'succeeded' } });
      expect(await give(world, await reuse())).toMatchObject({ type: 'runResultKnown', red: ['tests'] });
    });

    it('accepts a result from any queue of the repository', async () => {
      await tested('success');
      world.memory.branches.set('stable', world.memory.tip('main').commit);
      world.memory.openPullRequest(3, { base: 'stable', files: { 'change-1.txt': '1\n' } });
      await world.createQueue({ requiredStatuses: ['tests'] }, 'stable');
      await world.updateQueue({ state: 'paused' }, 'stable');
      await world.api.mustPost('submitPullRequest', { repo: world.repo, targetBranch: 'stable', pr: { number: 3 } });
      const command = await startOf([3], { reuseSince: since() });
      expect(await give(world, command, 'stable')).toMatchObject({ type: 'runResultKnown', red: [] });
    });

    it('never accepts a result from another repository', async () => {
      await tested('success');
      const elsewhere = { repo: { ...world.repo, name: 'gadgets' }, targetBranch: 'trunk' };
      const gadgets = world.memoryHost.repository(world.repo.owner, 'gadgets');
      gadgets.branches.set('trunk', gadgets.tip('main').commit);
      const head = gadgets.openPullRequest(1, { base: 'trunk' });
      await world.api.mustPost('createQueue', { ...elsewhere, requiredStatuses: ['tests'] });
      await world.api.mustPost('updateQueue', { ...elsewhere, state: 'paused' });
      await world.api.mustPost('submitPullRequest', { ...elsewhere, pr: { number: 1 } });
      const command = await reuse({ target: gadgets.tip('trunk') });
      const outcome = await give(world, { ...command, own: [{ ...command.own[0]!, head }] }, 'trunk');
      expect(outcome).toMatchObject({
        type: 'runPushed',
        tree: (await world.prisma.candidate.findFirstOrThrow()).tree,
      });
    });

    it('makes a commit for later runs and for the merge, but no testing branch', async () => {
      await tested('success');
      const command = await reuse();
      const known = (await give(world, command)) as Extract<RunOutcome, { type: 'runResultKnown' }>;
      const behind = await startOf([2], { run: 1_001, onto: { commit: known.commit, contains: command.own } });
      const follower = (await give(world, behind)) as Extract<RunOutcome, { type: 'runPushed' }>;
      expect(Object.keys(world.memory.files(follower.commit))).toEqual(['README.md', 'change-1.txt', 'change-2.txt']);
      const stop: StopTestRun = { type: 'stopTestRun', run: 1_000, because: 'passed', failure: null };
      expect(await give(world, stop)).toBeNull();
      const landed = await give(world, {
        type: 'landRun',
        landing: 1_000,
        runs: [1_000, 1_001],
        changes: [...command.own, ...behind.own],
        expectedTip: command.target,
        testedCommit: follower.commit,
        testedTree: follower.tree,
        direct: null,
        mergeMethod: 'squash',
        orderedAt: world.clock.now().getTime(),
      });
      expect(landed).toMatchObject({ type: 'landed', tip: { commit: follower.commit } });
      expect(testingBranches()).toEqual([expect.not.stringContaining(follower.branch)]);
    });

    it('finds the result again if the process died before the queue received it', async () => {
      await tested('success');
      const branches = testingBranches();
      const command = await reuse();
      const crash = dieAt(world, 'candidate built');
      expect(await give(world, command)).toBeNull();
      await world.settlesWithErrors();
      crash();
      world.clock.advance(60_000);
      await world.app.get(OutboxWorker).drain();
      const { commit } = await world.prisma.candidate.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
      expect(await outcomeOf(world, command)).toMatchObject({ type: 'runResultKnown', red: [], commit });
      expect(testingBranches()).toEqual(branches);
    });

    it('prefers its own test if the process died after its start', async () => {
      await world.createQueue({ requiredStatuses: ['tests'] });
      await world.updateQueue({ state: 'paused' });
      await world.submit(1);
      const command = await reuse();
      const crash = dieAt(world, 'branch pushed');
      expect(await give(world, command)).toBeNull();
      await world.settlesWithErrors();
      crash();
      await world.updateQueue({ state: 'running' });
      await world.settles();
      await world.updateQueue({ state: 'paused' });
      await world.report(1, 'success');
      world.clock.advance(60_000);
      await world.app.get(OutboxWorker).drain();
      expect(await outcomeOf(world, command)).toMatchObject({ type: 'runPushed' });
      expect(await give(world, await reuse({ run: 1_001 }))).toMatchObject({ type: 'runResultKnown' });
    });
  });

  it('names the pull request that makes the configuration file unreadable, and none if several do', async () => {
    world.memory.protectedStatuses.set('main', ['tests']);
    for (const number of [3, 4]) world.memory.openPullRequest(number, { files: { [FILE]: 'merge: [' } });
    await world.createQueue();
    await world.updateQueue({ state: 'paused' });
    for (const number of [1, 2, 3, 4]) await world.submit(number);
    const reason = 'start_test_run_config_parsing_failure';
    const one = await startOf([1, 3, 2], { requiredStatuses: [] });
    expect(await give(world, one)).toMatchObject({ because: { type: 'entry_refused', number: 3, reason } });
    const two = await startOf([3, 1, 4], { run: 1_001, requiredStatuses: [] });
    expect(await give(world, two)).toMatchObject({ because: { type: 'entry_refused', number: null, reason } });
  });

  it('waits if the host names a head that cannot be fetched yet', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.updateQueue({ state: 'paused' });
    await world.submit(1);
    Object.assign(world.memory.pullRequest(1), { head: ABSENT, mergeabilityAnswers: ['mergeable'] });
    expect(await give(world, await startOf([1]))).toBeNull();
    const task = await world.prisma.outboxTask.findFirstOrThrow();
    expect(task).toMatchObject({ state: 'waiting', lastProblem: expect.stringContaining(ABSENT) as string });
  });

  it('builds all pull requests again if the candidate ahead is no longer available', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.updateQueue({ state: 'paused' });
    for (const number of [1, 2]) await world.submit(number);
    const contains = [await queuedHeadOf(world, 1)];
    const outcome = await give(world, await startOf([2], { onto: { commit: ABSENT, contains } }));
    expect(outcome).toMatchObject({ type: 'runPushed' });
    const { commit } = outcome as Extract<RunOutcome, { type: 'runPushed' }>;
    expect(Object.keys(world.memory.files(commit))).toEqual(['README.md', 'change-1.txt', 'change-2.txt']);
  });
});

describe('carrying out a direct merge', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    world.memory.openPullRequest(1);
    await world.createQueue();
    await world.updateQueue({ state: 'paused' });
  });
  afterEach(() => world.close());

  const head = () => world.memory.pullRequest(1).head;

  async function report(context: string, state: string, sha = head()): Promise<void> {
    await world.api.mustPost('reportStatus', { repo: world.repo, sha, context, state });
  }

  async function directMerge(more: Partial<LandRun> = {}): Promise<LandRun> {
    await world.submit(1);
    await world.settles();
    return {
      type: 'landRun',
      landing: 1_000,
      runs: [1_000],
      changes: [await queuedHeadOf(world, 1)],
      expectedTip: world.memory.tip('main'),
      testedCommit: head(),
      testedTree: null,
      direct: { requiredStatuses: ['tests'] },
      mergeMethod: 'squash',
      orderedAt: world.clock.now().getTime(),
      ...more,
    };
  }

  const merge = async (more: Partial<LandRun> = {}) => give(world, await directMerge(more));
  const refusedBecause = (why: string) => ({
    type: 'landingRefused',
    landing: 1_000,
    because: { type: 'not_direct', why: expect.stringContaining(why) as string },
  });

  it.each(['squash', 'merge_commit', 'rebase'] as const)(
    'merges by %s the tree of a passed head, in its own commit',
    async (mergeMethod) => {
      await report('tests', 'success');
      world.clock.advance(1_000);
      const { tree } = world.memory.objects.get(head());
      expect(await merge({ mergeMethod })).toMatchObject({ type: 'landed', tip: { tree }, commits: [{ number: 1 }] });
      const [made, before] = world.memory.firstParents('main');
      expect(made).toMatchObject({ tree });
      expect(made!.id).not.toBe(head());
      expect(before!.message).toBe('start');
      expect(made!.parents.includes(head())).toBe(mergeMethod === 'merge_commit');
    },
  );

  it('does not merge a head that lacks commits of the target', async () => {
    await report('tests', 'success');
    const tip = world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
    expect(await merge()).toEqual(refusedBecause(`does not contain ${tip}`));
    expect(world.memory.tip('main').commit).toBe(tip);
  });

  it.each(['pending', 'failure', 'error', 'cancelled'])(
    'does not merge with a required status that is %s',
    async (state) => {
      await report('tests', state);
      const { commit } = world.memory.tip('main');
      expect(await merge()).toEqual(refusedBecause('tests'));
      expect(world.memory.tip('main').commit).toBe(commit);
    },
  );

  it('accepts the states neutral and skipped as passed, and reads only the required statuses', async () => {
    await report('tests', 'neutral');
    await report('lint', 'skipped');
    await report('nightly', 'failure');
    expect(await merge({ direct: { requiredStatuses: ['tests', 'lint'] } })).toMatchObject({ type: 'landed' });
  });

  it('does not merge while one of several required statuses is missing', async () => {
    await report('tests', 'success');
    expect(await merge({ direct: { requiredStatuses: ['tests', 'lint'] } })).toEqual(refusedBecause(': lint.'));
  });

  it('does not merge with the results of another commit or of another repository', async () => {
    await report('tests', 'success', world.memory.tip('main').commit);
    const gadgets = { ...world.repo, name: 'gadgets' };
    const { commit } = world.memoryHost.repository(gadgets.owner, gadgets.name).tip('main');
    world.memoryHost.repository(gadgets.owner, gadgets.name).branches.set('trunk', commit);
    await world.api.mustPost('createQueue', { repo: gadgets, targetBranch: 'trunk' });
    await world.api.mustPost('reportStatus', { repo: gadgets, sha: head(), context: 'tests', state: 'success' });
    expect(await merge()).toEqual(refusedBecause('tests'));
  });

  it('requires both the commit status and the check run to pass if they have the same name', async () => {
    await report('tests', 'success');
    const [status] = await world.prisma.commitStatus.findMany();
    await world.prisma.commitStatus.create({ data: { ...status!, kind: 'check_run', state: 'failure' } });
    expect(await merge()).toEqual(refusedBecause('tests'));
    await world.prisma.commitStatus.updateMany({ where: { kind: 'check_run' }, data: { state: 'success' } });
    expect(await merge({ landing: 1_001 })).toMatchObject({ type: 'landed' });
  });

  it('attack 3: accepts a status that a rule ties to apps only if one of these apps reported it', async () => {
    pin(world, { name: 'tests', app: '7' }, { name: 'tests', app: '8' });
    await report('tests', 'success');
    const [status] = await world.prisma.commitStatus.findMany();
    const reportBy = (app: string, state: string) =>
      world.prisma.commitStatus.create({ data: { ...status!, kind: 'check_run', source: app, app, state } });
    expect(await merge()).toEqual(refusedBecause('tests'));
    await reportBy('7', 'success');
    expect(await merge({ landing: 1_001 })).toEqual({ ...refusedBecause('tests'), landing: 1_001 });
    await reportBy('8', 'success');
    await reportBy('9', 'failure');
    expect(await merge({ landing: 1_002 })).toMatchObject({ type: 'landed' });
  });

  it("reads the required statuses of the configuration file at the target's tip, not at the head", async () => {
    world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [from-tip] }' });
    world.memory.openPullRequest(1, { files: { [FILE]: 'merge: { required_statuses: [from-head] }' } });
    await report('from-head', 'success');
    expect(await merge({ direct: { requiredStatuses: [] } })).toEqual(refusedBecause('from-tip'));
    await report('from-tip', 'success');
    expect(await merge({ landing: 1_001, direct: { requiredStatuses: [] } })).toMatchObject({ type: 'landed' });
  });

  it("reads the required statuses of the host's protection if the configuration file names none", async () => {
    world.memory.protectedStatuses.set('main', ['protected']);
    expect(await merge({ direct: { requiredStatuses: [] } })).toEqual(refusedBecause('protected'));
    await report('protected', 'success');
    expect(await merge({ landing: 1_001, direct: { requiredStatuses: [] } })).toMatchObject({ type: 'landed' });
  });

  it.each([
    ['nothing is required', 'merge: {}', 'names a required status'],
    ['nobody can say what is required', 'merge: [', 'is not valid YAML: Flow sequence'],
  ])('does not merge if %s', async (_, file, why) => {
    world.memory.pushTo('main', { [FILE]: file });
    world.memory.openPullRequest(1);
    expect(await merge({ direct: { requiredStatuses: [] } })).toEqual(refusedBecause(why));
  });

  it('does not merge a head that makes the file unreadable, unless the queue itself names required statuses', async () => {
    world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [tests] }' });
    world.memory.openPullRequest(1, { files: { [FILE]: 'merge: [' } });
    await report('tests', 'success');
    expect(await merge({ direct: { requiredStatuses: [] } })).toEqual(refusedBecause('is not valid YAML'));
    expect(await merge({ landing: 1_001, direct: { requiredStatuses: ['tests'] } })).toMatchObject({ type: 'landed' });
  });

  it('reports that the head has moved, also if the former head no longer exists', async () => {
    await report('tests', 'success');
    const command = await directMerge();
    world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' });
    const moved = { type: 'landingRefused', because: { type: 'head_moved', number: 1 } };
    expect(await give(world, command)).toMatchObject(moved);
    const forgotten = { ...command, landing: 1_001, changes: [{ ...command.changes[0]!, head: ABSENT }] };
    expect(await give(world, forgotten)).toMatchObject(moved);
  });

  it('reports that the target has commits that the head lacks', async () => {
    await report('tests', 'success');
    const command = await directMerge();
    world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
    expect(await give(world, command)).toMatchObject({
      because: { type: 'target_moved', tip: world.memory.tip('main') },
    });
  });

  describe('by rebase of a head that merged the target', () => {
    /**
     * Merges the target into the pull request. The merge either resolves two sides of a file, or adds a change of its
     * own.
     */
    function mergeTarget(files: Record<string, string>): void {
      const tip = world.memory.tip('main').commit;
      const merged = { ...world.memory.files(tip), ...world.memory.files(head()), ...files };
      const parents = [head(), tip];
      const commit = { files: merged, parents, author: 'Ada', message: 'merge main', at: world.clock.now() };
      world.memory.pullRequest(1).head = world.memory.objects.write(commit).id;
    }

    it.each([
      ['conflict without the merge', { 'change-1.txt': 'theirs\n' }, { 'change-1.txt': 'both\n' }],
      ['make another tree', { 'theirs.txt': 'theirs\n' }, { 'only-in-the-merge.txt': 'x\n' }],
    ])('does not merge if the rebased commits %s', async (_, pushed, files) => {
      const tip = world.memory.pushTo('main', pushed);
      mergeTarget(files);
      await report('tests', 'success');
      expect(await merge({ mergeMethod: 'rebase' })).toEqual(refusedBecause('By rebase'));
      expect(world.memory.tip('main').commit).toBe(tip);
      const { tree } = world.memory.objects.get(head());
      expect(await merge({ landing: 1_001 })).toMatchObject({ type: 'landed', tip: { tree } });
    });
  });

  it('is recognised as merged after the answer was lost, whatever the statuses are then', async () => {
    await report('tests', 'success');
    const command = await directMerge();
    const crash = dieAt(world, 'landing pushed');
    expect(await give(world, command)).toBeNull();
    await world.settlesWithErrors();
    crash();
    const landed = world.memory.tip('main');
    await report('tests', 'failure');
    world.memory.pullRequest(1).title = 'another title';
    world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' });
    world.clock.advance(60_000);
    await world.app.get(OutboxWorker).drain();
    expect(await outcomeOf(world, command)).toMatchObject({ type: 'landed', tip: landed });
    expect(world.memory.firstParents('main')).toHaveLength(3);
  });

  it('is checked again if the host did not answer the first time', async () => {
    const command = await directMerge();
    world.memoryHost.faults.failNext('containsCommit', new HostUnavailable('memory.example', 'no_answer', 'silent'));
    expect(await give(world, command)).toBeNull();
    await report('tests', 'success');
    world.clock.advance(60_000);
    await world.app.get(OutboxWorker).drain();
    expect(await outcomeOf(world, command)).toMatchObject({ type: 'landed' });
  });
});
