import { CrashPoints } from '../../src/platform/lifecycle/crash-points';
import { World } from '../../src/testing/world';

const FILE = '.sluice/sluice.yaml';

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

  const details = async () =>
    (await world.api.post('getMergeQueueTestingDetails', { repo: world.repo, targetBranch: 'main', pr: { number: 1 } }))
      .body;

  describe('takes the required statuses', () => {
    it('that were set by hand, before all others', async () => {
      world.memory.pushTo('main', { [FILE]: 'merge: { required_statuses: [from-file] }' });
      expect(await start({ requiredStatuses: ['by-hand'] })).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['by-hand'],
        requiredStatusesSource: 'merge_instance',
      });
    });

    it("of the file at the target's tip, not of the pull request", async () => {
      world.memory.pushTo('main', { [FILE]: 'merge:\n  required_statuses: [unit, e2e, unit]\n' });
      world.memory.pushToPullRequest(1, { [FILE]: 'merge: { required_statuses: [nothing] }' });
      world.memory.openPullRequest(1, { files: { 'one.txt': '1' } });
      expect(await start({})).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['unit', 'e2e'],
        requiredStatusesSource: 'trunk_config',
      });
    });

    it("of the host's protection when the file names none", async () => {
      world.memory.pushTo('main', { [FILE]: 'merge: {}\n' });
      world.memory.openPullRequest(1);
      world.memory.protectedStatuses.set('main', ['protected']);
      expect(await start({})).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({
        requiredStatuses: ['protected'],
        requiredStatusesSource: 'repo_provider_branch_protection',
      });
    });

    it.each([
      ['nowhere', null, 'start_test_run_no_required_statuses'],
      ['a file that is not YAML', 'merge: [', 'start_test_run_config_parsing_failure'],
      ['a file that is a list', '- merge', 'start_test_run_config_parsing_failure'],
      [
        'a word instead of a list',
        'merge: { required_statuses: tests }',
        'start_test_run_config_bad_required_statuses',
      ],
      [
        'a number among the names',
        'merge: { required_statuses: [a, 1] }',
        'start_test_run_config_bad_required_statuses',
      ],
      ['an empty name', "merge: { required_statuses: [''] }", 'start_test_run_config_bad_required_statuses'],
      ['a merge section that is none', 'merge: 5', 'start_test_run_config_bad_required_statuses'],
    ])('and fails the entry for %s', async (_, file, reason) => {
      if (file !== null) world.memory.pushTo('main', { [FILE]: file });
      world.memory.openPullRequest(1);
      expect(await start({})).toMatchObject({ state: 'failed', stateReason: reason });
      expect([...world.memory.branches.keys()]).toEqual(['main']);
    });
  });

  describe('looks at everything again', () => {
    /** Happens after the submission was decided on and before its order is carried out. */
    async function changed(change: () => void): Promise<Record<string, unknown>> {
      await world.createQueue({ requiredStatuses: ['tests'] });
      await world.submit(1);
      change();
      await world.settles();
      return world.record(1);
    }

    it('and cancels what was pushed to', async () => {
      const record = await changed(() => world.memory.pushToPullRequest(1, { 'more.txt': 'more\n' }));
      expect(record).toMatchObject({ state: 'cancelled', stateReason: 'pr_pushed_to' });
    });

    it('and cancels what was closed, and what was converted to a draft', async () => {
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

    it('and builds on the tip that somebody pushed meanwhile', async () => {
      let tip = '';
      const record = await changed(() => (tip = world.memory.pushTo('main', { 'theirs.txt': 'theirs\n' })));
      expect(record).toMatchObject({ state: 'testing' });
      expect(await details()).toMatchObject({ baseSha: tip });
    });

    it('and asks again later when the host does not know yet whether it can be merged', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'in_progress'];
      expect(await start()).toMatchObject({ state: 'pending' });
      await world.advance(10);
      expect(await world.stateOf(1)).toBe('testing');
    });

    it('and takes it out when the host says that it cannot be merged', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'not_mergeable'];
      expect(await start()).toMatchObject({ state: 'not_ready', stateReason: 'readiness_lost' });
    });

    it('and fails what conflicts with the target', async () => {
      world.memory.pullRequest(1).mergeabilityAnswers = ['mergeable', 'mergeable'];
      world.memory.pushTo('main', { 'change-1.txt': 'something else\n' });
      const record = await start();
      expect(record).toMatchObject({ state: 'failed', stateReason: 'start_test_run_merge_conflict' });
      expect([...world.memory.branches.keys()]).toEqual(['main']);
    });

    it('and waits, blaming nobody, while the target is not there', async () => {
      const { commit } = world.memory.tip('main');
      await changed(() => world.memory.branches.delete('main'));
      expect(await world.stateOf(1)).toBe('pending');
      world.memory.branches.set('main', commit);
      await world.advance(1);
      expect(await world.stateOf(1)).toBe('testing');
    });
  });

  it('gives every run a commit of its own, also when nothing else differs', async () => {
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

  it('looks for an earlier push of its own before it builds', async () => {
    await world.createQueue({ requiredStatuses: ['tests'] });
    await world.submit(1);
    const crash = dieOnceAt('branch pushed');
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

  it('recognises a landing whose answer was lost, although titles changed and others pushed since', async () => {
    await start();
    const crash = dieOnceAt('landing pushed');
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
      'a push past the queue',
      'Change 1 (#1)',
      'start',
    ]);
  });

  /** The process ends there: whatever comes after it does not happen. Answers how to end that. */
  function dieOnceAt(point: string): () => void {
    const crashPoints = world.app.get(CrashPoints);
    const reach = crashPoints.reach.bind(crashPoints);
    crashPoints.reach = (reached) => {
      if (reached === point) throw new Error(`died at ${reached}`);
    };
    return () => (crashPoints.reach = reach);
  }
});
