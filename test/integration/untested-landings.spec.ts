import { dieAt } from '../support/die-at';
import { World } from '../support/world';

describe.each(['git', 'memory'] as const)('a merge on a %s host without a test run of its own', (kind) => {
  let world: World;
  let head: string;

  beforeEach(async () => {
    world = await World.create({ host: kind });
    head = open(1);
  });
  afterEach(() => world.close());

  const open = (number: number, files: Record<string, string> = { [`${number}.txt`]: `${number}\n` }): string =>
    kind === 'git' ? world.git.openPullRequest(number, files) : world.memory.openPullRequest(number, { files });
  const target = () => (kind === 'git' ? world.git.tip('main') : world.memory.tip('main').commit);
  const branches = () => (kind === 'git' ? world.git.branches() : [...world.memory.branches.keys()]);
  const files = () => Object.keys(kind === 'git' ? world.git.files(target()) : world.memory.files(target())).sort();

  const reportOnHead = (state: string) =>
    world.api.mustPost('reportStatus', { repo: world.repo, sha: head, context: 'tests', state });

  describe('because the pull request itself passed, and contains the target', () => {
    beforeEach(() => world.createQueue({ requiredStatuses: ['tests'], directMergeMode: 'always' }));

    it('merges the pull request at once', async () => {
      await reportOnHead('success');
      await world.submit(1);
      await world.settles();
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
      expect(files()).toEqual(['1.txt', 'README.md']);
      expect(target()).not.toBe(head);
      expect(branches()).toEqual(['main']);
    });

    it('merges the pull request once, although the process died after the merge', async () => {
      await reportOnHead('success');
      const live = dieAt(world, 'landing pushed');
      await world.submit(1);
      expect(await world.settlesWithErrors()).toEqual([expect.stringContaining('died at landing pushed')]);
      live();
      await reportOnHead('failure');
      const landed = target();
      await world.advance(1);
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_direct_merge' });
      expect(target()).toBe(landed);
    });

    it('does not happen if the pull request did not pass: the queue tests it, and merges it then', async () => {
      await reportOnHead('pending');
      await world.submit(1);
      await world.settles();
      expect(await world.stateOf(1)).toBe('testing');
      await world.report(1, 'success');
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
    });
  });

  describe('because the same tree passed before', () => {
    beforeEach(async () => {
      const optimizationMode = 'bisection_skip_redundant_tests';
      await world.createQueue({ requiredStatuses: ['tests'], optimizationMode, concurrency: 2 });
      await world.submit(1);
      await world.settles();
    });

    it('merges the pull request, and then the next one, which is tested on top of it', async () => {
      await world.updateQueue({ state: 'paused' });
      await world.report(1, 'success');
      await world.cancel(1);
      await world.settles();
      expect(branches()).toEqual(['main']);
      await world.updateQueue({ state: 'running' });
      await world.submit(1);
      open(2);
      await world.submit(2);
      await world.settles();
      expect(await world.record(1)).toMatchObject({ state: 'merged', stateReason: 'merge_graph_merge' });
      const timeline = (await world.record(1)).timeline as { readonly reason: string }[];
      expect(timeline.map(({ reason }) => reason)).toContain('passed_by_optimization');
      await world.report(2, 'success');
      expect(await world.stateOf(2)).toBe('merged');
      expect(files()).toEqual(['1.txt', '2.txt', 'README.md']);
      expect(branches()).toEqual(['main']);
    });

    it('fails a run without a test when the same tree failed before', async () => {
      await world.report(1, 'failure');
      expect(await world.stateOf(1)).toBe('failed');
      open(2, { '1.txt': '1\n' });
      await world.submit(2);
      await world.settles();
      expect(await world.record(2)).toMatchObject({ state: 'failed', stateReason: 'test_run_failed_by_optimization' });
      expect(branches()).toEqual(['main']);
    });
  });
});
