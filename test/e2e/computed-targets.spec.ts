import { HostUnavailable } from '../../src/domain/code-host.port';
import { HostPoller } from '../../src/processing/inbox/host-poller';
import { QueueProcessor } from '../../src/processing/decisions/queue-processor';
import { dieOnceAt } from '../support/die-at';
import { World } from '../support/world';

const FILE = '.sluice/sluice.yaml';
const TARGETS = 'targets:\n  web: [web/**]\n  api: [api/**]\n  docs: "*.md"\n  ALL: package.json\n';
const file = (targets: string, statuses = 'tests') => ({
  [FILE]: `merge: { required_statuses: [${statuses}] }\n${targets}`,
});

/** Requests of the tests on plain git and of the tests in memory. */
function asking(world: World) {
  const testedOn = async (number: number): Promise<number[]> => {
    const { dependentPrs } = (await world.details(number)) as { dependentPrs: { prNumber: number }[] };
    return dependentPrs.map(({ prNumber }) => prNumber);
  };
  return {
    states: (...numbers: readonly number[]) => Promise.all(numbers.map((number) => world.stateOf(number))),
    /** For each pull request, the numbers of the pull requests below it in its test run. */
    testedOn: (...numbers: readonly number[]) => Promise.all(numbers.map(testedOn)),
    submit: async (...numbers: readonly number[]): Promise<void> => {
      for (const number of numbers) await world.submit(number);
      await world.settles();
    },
    upload: async (number: number, impactedTargets: unknown): Promise<void> => {
      const about = { repo: world.repo, targetBranch: 'main', pr: { number } };
      await world.api.mustPost('setImpactedTargets', { ...about, impactedTargets });
      await world.settles();
    },
    targetsOf: async (number: number): Promise<unknown> => (await world.record(number)).impactedTargets,
  };
}

const computed = (...targets: readonly string[]) => ({
  source: 'computed',
  impactsAll: false,
  targetCount: targets.length,
  targets,
});
const ALL = { source: 'computed', impactsAll: true, targetCount: 0, targets: [] };
const files = (number: number, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, `${number}\n`]));

describe('Targets of the configuration file, on plain git', () => {
  let world: World;
  let ask: ReturnType<typeof asking>;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    ask = asking(world);
    world.git.pushTo('main', file(TARGETS));
    await world.createQueue({ mode: 'parallel', concurrency: 9 });
    await world.settles();
  });

  afterEach(() => world.close());

  const open = (number: number, ...paths: readonly string[]) => world.git.openPullRequest(number, files(number, paths));

  it('separate pull requests by their changed files, without uploads from CI', async () => {
    open(1, 'web/a.ts');
    open(2, 'api/b.ts');
    open(3, 'web/c.ts', 'README.md');
    open(4, 'Makefile');
    await ask.submit(1, 2, 3, 4);
    expect(await ask.testedOn(1, 2, 3, 4)).toEqual([[], [], [1], [1, 2, 3]]);
    expect(await ask.targetsOf(3)).toEqual(computed('docs', 'web'));
    expect(await world.details(3)).toMatchObject({ impactedTargets: ['docs', 'web'] });
    expect(await world.details(4)).toMatchObject({ impactedTargets: 'ALL' });
    for (const number of [2, 1, 3, 4]) await world.report(number, 'success');
    expect(await ask.states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'merged', 'merged']);
  });

  it('attack 1: come from the target branch: a pull request that rewrites the targets impacts everything', async () => {
    open(1, 'api/b.ts');
    world.git.openPullRequest(2, { ...file('targets: { mine: "*" }\n'), 'web/a.ts': '2\n' });
    open(3, 'web/c.ts');
    await ask.submit(1, 2, 3);
    expect(await ask.testedOn(1, 2, 3)).toEqual([[], [1], [2]]);
    expect(await ask.targetsOf(2)).toEqual(ALL);
  });

  it('that are invalid on the target make pull requests wait, with the reason, until a pull request fixes the file', async () => {
    open(1, 'web/a.ts');
    world.git.pushTo('main', file('targets:\n  web: 7\n'));
    world.git.openPullRequest(2, file(TARGETS, 'mended'));
    await world.looksAtHost();
    await ask.submit(1, 2);
    expect(await ask.states(1, 2)).toEqual(['not_ready', 'testing']);
    expect((await world.record(1)).waitingFor).toMatch(
      /^Not ready\. Missing: impacted targets cannot be computed: targets\.web in \.sluice\/sluice\.yaml must be a glob or a list of globs \(line 3\)\. Fix this on main with a push or a pull request, or send targets for [0-9a-f]+\./,
    );
    await world.report(2, 'success');
    expect(await ask.states(1, 2)).toEqual(['testing', 'merged']);
    expect(await ask.targetsOf(1)).toEqual(computed('web'));
  });

  it('fail a pull request that makes them invalid, and name the line with the error', async () => {
    world.git.openPullRequest(1, file('targets:\n  web: [a, "!b"]\n'));
    await ask.submit(1);
    expect(await world.record(1)).toMatchObject({
      state: 'failed',
      stateReason: 'start_test_run_config_parsing_failure',
      stateMessage: expect.stringContaining(
        'must not exclude files (!b): name the files that belong to the target (line 3)',
      ) as string,
    });
  });

  it('are computed again when the target was moved back, because each pull request then contains more changes', async () => {
    const before = world.git.tip('main');
    world.git.pushTo('main', { 'api/landed.ts': 'landed\n' });
    await world.looksAtHost();
    open(1, 'web/a.ts');
    await ask.submit(1);
    expect(await ask.targetsOf(1)).toEqual(computed('web'));
    world.git.setBranch('main', before);
    await world.looksAtHost();
    expect(await ask.targetsOf(1)).toEqual(computed('api', 'web'));
  });
});

describe('Targets of the configuration file', () => {
  let world: World;
  let ask: ReturnType<typeof asking>;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    ask = asking(world);
    world.memory.pushTo('main', file(TARGETS));
  });

  afterEach(() => world.close());

  const queue = async (settings: object = { mode: 'parallel', concurrency: 9 }): Promise<void> => {
    await world.createQueue(settings);
    await world.settles();
  };
  const open = (number: number, ...paths: readonly string[]) =>
    world.memory.openPullRequest(number, { files: files(number, paths) });
  const runs = () => world.prisma.testRun.count();

  it('count until CI uploads targets for the head, which then replace them', async () => {
    await queue();
    open(1, 'web/a.ts');
    open(2, 'web/b.ts');
    await ask.submit(1, 2);
    expect(await ask.testedOn(2)).toEqual([[1]]);
    await ask.upload(2, ['other']);
    expect(await ask.testedOn(2)).toEqual([[]]);
    expect(await ask.targetsOf(2)).toEqual({ ...computed('other'), source: 'uploaded' });
  });

  it('are not computed for a head for which CI uploaded targets', async () => {
    await queue();
    open(1, 'web/a.ts');
    await ask.upload(1, ['other']);
    await ask.submit(1);
    expect(await ask.states(1)).toEqual(['testing']);
    expect(await world.prisma.computedTargets.count()).toBe(0);
  });

  it('are computed for a new head of a waiting pull request', async () => {
    await queue();
    open(1, 'web/a.ts');
    world.memory.pullRequest(1).draft = true;
    await ask.submit(1);
    world.memory.pushToPullRequest(1, { 'api/b.ts': 'new\n' });
    world.memory.pullRequest(1).draft = false;
    await world.looksAtHost();
    await world.advance(10);
    expect(await ask.targetsOf(1)).toEqual(computed('api', 'web'));
    expect(await ask.states(1)).toEqual(['testing']);
  });

  it('that change on the target are computed again, and running tests continue', async () => {
    await queue();
    world.memory.openPullRequest(1, { files: file('targets:\n  site: [web/**]\n  server: [api/**]\n') });
    open(2, 'web/a.ts');
    open(3, 'api/b.ts');
    await ask.submit(1, 2, 3);
    expect(await ask.testedOn(2, 3)).toEqual([[1], [1]]);
    const before = await runs();
    await world.report(1, 'success');
    expect(await ask.targetsOf(2)).toEqual(computed('site'));
    expect(await ask.targetsOf(3)).toEqual(computed('server'));
    expect([await runs(), await ask.states(1, 2, 3)]).toEqual([before, ['merged', 'testing', 'testing']]);
    open(4, 'web/c.ts');
    await ask.submit(4);
    expect(await ask.testedOn(4)).toEqual([[2]]);
  });

  it('that are removed from the file no longer separate pull requests, and CI has to send targets', async () => {
    await queue();
    world.memory.openPullRequest(1, { files: file('') });
    open(2, 'web/a.ts');
    await ask.submit(1, 2);
    await world.report(1, 'success');
    open(3, 'api/b.ts');
    await ask.submit(3);
    expect(await ask.states(2, 3)).toEqual(['testing', 'not_ready']);
    expect((await world.record(3)).waitingFor).toContain('impacted targets must be sent for its head');
    expect(await ask.targetsOf(2)).toEqual(ALL);
    await ask.upload(3, ['api']);
    expect(await ask.testedOn(3)).toEqual([[2]]);
  });

  it('are computed for all waiting pull requests when they are added to the file', async () => {
    world.memory.pushTo('main', file(''));
    await queue({ mode: 'parallel', concurrency: 1 });
    const numbers = Array.from({ length: 120 }, (_, i) => i + 1);
    for (const number of numbers) open(number, `web/${number}.ts`);
    await ask.submit(...numbers);
    expect(await world.prisma.entry.count({ where: { state: 'not_ready' } })).toBe(120);
    world.memory.pushTo('main', file(TARGETS));
    await world.looksAtHost();
    expect(await world.prisma.entry.count({ where: { state: 'not_ready' } })).toBe(0);
    expect(await world.prisma.computedTargets.count({ where: { names: { has: 'web' } } })).toBe(120);
  });

  it('keep pull requests out of batches by batchingRules, in single mode', async () => {
    const batchingRules = [{ targetPattern: 'api', policy: 'isolate' }];
    await queue({ batch: true, batchingMinSize: 2, concurrency: 9, batchingRules });
    await world.updateQueue({ state: 'paused' });
    for (const [number, path] of [
      [1, 'web/a.ts'],
      [2, 'api/b.ts'],
      [3, 'web/c.ts'],
    ] as const)
      open(number, path);
    await ask.submit(1, 2, 3);
    await world.updateQueue({ state: 'running' });
    await world.settles();
    const started = await world.prisma.testRun.findMany({ include: { members: true }, orderBy: { number: 'asc' } });
    expect(started.map(({ members }) => members.map(({ number }) => number))).toContainEqual([2]);
  });

  it('are computed for all waiting pull requests when a queue is switched to parallel mode', async () => {
    await queue({ concurrency: 9, state: 'paused' });
    await world.updateQueue({ state: 'paused' });
    open(1, 'web/a.ts');
    await ask.submit(1);
    expect(await ask.targetsOf(1)).toBeNull();
    await world.updateQueue({ mode: 'parallel', state: 'running' });
    await world.settles();
    expect([await ask.targetsOf(1), await ask.states(1)]).toEqual([computed('web'), ['testing']]);
  });

  it('are read by each queue from its own target branch', async () => {
    await queue();
    world.memory.branches.set('next', world.memory.tip('main').commit);
    world.memory.pushTo('next', file('targets: { everything: "*" }\n'));
    await world.createQueue({ mode: 'parallel' }, 'next');
    await world.settles();
    world.memory.openPullRequest(1, { files: { 'web/a.ts': '1\n' }, base: 'next' });
    await world.api.mustPost('submitPullRequest', { repo: world.repo, targetBranch: 'next', pr: { number: 1 } });
    await world.settles();
    expect(await world.prisma.computedTargets.findMany()).toMatchObject([{ number: 1, names: ['everything'] }]);
  });

  it('are computed later if the host does not answer, and no pull request fails', async () => {
    await queue();
    open(1, 'web/a.ts');
    const down = new HostUnavailable('memory.example', 'no_answer', 'connection refused');
    world.memoryHost.faults.failNext('listChangedFiles', down);
    await ask.submit(1);
    expect(await ask.states(1)).toEqual(['not_ready']);
    await world.advance(1);
    expect(await ask.states(1)).toEqual(['testing']);
  });

  it.each(['targets in force', 'targets stored'] as const)(
    'reach the queue although the process died at "%s"',
    async (point) => {
      world.memory.pushTo('main', file(''));
      await queue();
      open(1, 'web/a.ts');
      await ask.submit(1);
      world.memory.pushTo('main', file(TARGETS));
      dieOnceAt(world, point);
      await world.app.get(HostPoller).poll();
      expect(await world.settlesWithErrors()).toEqual([expect.stringContaining(point)]);
      await world.advance(1);
      expect(await ask.states(1)).toEqual(['testing']);
    },
  );

  it('impact everything for a pull request that changes more than 10,000 files', async () => {
    await queue();
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`web/${i}.ts`, 'x']));
    world.memory.openPullRequest(1, { files: many });
    await ask.submit(1);
    expect(await ask.targetsOf(1)).toEqual(ALL);
  });

  it('are the areas in which pull requests in flow scheduling may have semantic conflicts', async () => {
    await queue({ scheduling: 'flow', canOptimisticallyMerge: true });
    await world.updateQueue({ state: 'paused' });
    open(1, 'web/a.ts');
    open(2, 'web/b.ts', 'api/b.ts');
    open(3, 'Makefile');
    await ask.submit(1, 2, 3);
    const { id } = await world.prisma.queue.findFirstOrThrow();
    const { snapshot } = await world.app.get(QueueProcessor).view(id, {});
    const areas = snapshot.entries.map((entry) => [entry.number, snapshot.areas?.get(entry.id)?.length ?? 0]);
    expect(areas.toSorted()).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
    ]);
  });

  it('are not computed if the queue does not need them', async () => {
    await queue({ concurrency: 9 });
    open(1, 'web/a.ts');
    await ask.submit(1);
    expect(await world.prisma.outboxTask.count({ where: { type: 'computeTargets' } })).toBe(0);
    expect(await ask.targetsOf(1)).toBeNull();
  });
});

describe('Targets of the configuration file, on GitHub', () => {
  it("are computed from git's list of changed files", async () => {
    const world = await World.create({ host: 'github' });
    try {
      const ask = asking(world);
      world.githubRepository.pushToBranch('main', file(TARGETS));
      await world.createQueue({ mode: 'parallel', concurrency: 9 });
      await world.settles();
      const { number: one } = world.githubRepository.openPullRequest({ 'web/a.ts': '1\n' });
      const { number: two } = world.githubRepository.openPullRequest({ 'api/b.ts': '2\n' });
      await ask.submit(one, two);
      await world.advance(1);
      expect([await ask.targetsOf(one), await ask.targetsOf(two)]).toEqual([computed('web'), computed('api')]);
      expect(await ask.testedOn(one, two)).toEqual([[], []]);
    } finally {
      await world.close();
    }
  });
});
