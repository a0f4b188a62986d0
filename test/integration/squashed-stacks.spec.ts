import { repetitionsOfThisRun } from '../support/long-run';
import { World } from '../support/world';

describe.each(repetitionsOfThisRun(['squash', 'rebase'] as const))(
  'a stack whose pull requests are merged by %s',
  (mergeMethod) => {
    let world: World;

    beforeEach(async () => {
      world = await World.create({ host: 'git' });
      await world.createQueue({
        requiredStatuses: ['tests'],
        concurrency: 10,
        canOptimisticallyMerge: true,
        mergeMethod,
      });
    });
    afterEach(() => world.close());

    /** Opens pull request 1 with two commits that change the same line. */
    function openFirst(): string {
      world.git.openPullRequest(1, { 'a.txt': 'one\n', 'new.txt': 'new\n' });
      return world.git.pushToPullRequest(1, { 'a.txt': 'two\n' });
    }

    /** Opens pull request 2 on top of 1. Pull request 2 changes the line again and removes a file. */
    function openSecond(from: string): void {
      world.git.openPullRequest(2, { 'a.txt': 'three\n', 'new.txt': null }, { from });
    }

    async function submitAndPass(number: number): Promise<void> {
      await world.submit(number);
      await world.settles();
      await world.report(number, 'success');
    }

    it('merges the second pull request unchanged if it is submitted after the merge of the first', async () => {
      const head = openFirst();
      openSecond(head);
      await submitAndPass(1);
      expect(await world.stateOf(1)).toBe('merged');
      await submitAndPass(2);
      expect(await world.stateOf(2)).toBe('merged');
      expect(world.git.files('main')).toEqual({ 'README.md': 'hello\n', 'a.txt': 'three\n' });
    });

    it('merges the second pull request unchanged if it was built on an older head of the first', async () => {
      openSecond(openFirst());
      world.git.pushToPullRequest(1, { 'late.txt': 'late\n' });
      await submitAndPass(1);
      await submitAndPass(2);
      expect(await world.stateOf(2)).toBe('merged');
      expect(world.git.files('main')).toEqual({ 'README.md': 'hello\n', 'a.txt': 'three\n', 'late.txt': 'late\n' });
    });

    it('merges both pull requests one after another', async () => {
      openSecond(openFirst());
      await world.submit(1);
      await submitAndPass(2);
      await world.report(1, 'success');
      await world.settles();
      expect([await world.stateOf(1), await world.stateOf(2)]).toEqual(['merged', 'merged']);
      expect(world.git.files('main')).toEqual({ 'README.md': 'hello\n', 'a.txt': 'three\n' });
    });

    it('merges ten pull requests with one run', async () => {
      let from = world.git.tip('main');
      for (let number = 1; number <= 10; number++) {
        from = world.git.openPullRequest(number, { 'a.txt': `${number}\n`, [`${number}.txt`]: 'new\n' }, { from });
        await world.submit(number);
      }
      await world.settles();
      await world.report(10, 'success');
      for (let number = 1; number <= 10; number++) expect(await world.stateOf(number)).toBe('merged');
      expect(world.git.inBare('rev-list', '--count', '--no-merges', 'main')).toBe('11');
      expect(world.git.files('main')).toMatchObject({ 'a.txt': '10\n', '10.txt': 'new\n' });
    });
  },
);
