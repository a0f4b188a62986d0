import { repetitionsOfThisRun } from '../support/long-run';
import { GitHubTeam } from './github-team';

jest.setTimeout(120_000);

/**
 * GitHub's merge button ignores the stack: after a squash of the parent, it treats the parent's commits as changes of
 * the child.
 */
describe.each(repetitionsOfThisRun(['squash', 'rebase'] as const))('a stack on GitHub, by %s', (mergeMethod) => {
  let team: GitHubTeam;

  beforeEach(async () => {
    team = await GitHubTeam.start({ mergeMethod, concurrency: 2 });
    const { githubRepository } = team.world;
    githubRepository.openPullRequest({ 'a.txt': 'one\n', 'new.txt': 'new\n' }, { number: 1 });
    const from = githubRepository.push(1, { 'a.txt': 'two\n' });
    githubRepository.openPullRequest({ 'a.txt': 'three\n', 'new.txt': null }, { number: 2, from });
  });
  afterEach(() => team.close());

  async function submit(number: number): Promise<void> {
    await team.world.submit(number);
    await team.world.settles();
  }

  it('does not test the child after its parent has merged, and says how to rebase the child', async () => {
    const { githubRepository } = team.world;
    const below = githubRepository.headOf(1);
    await submit(1);
    await submit(2);
    await team.finish(1);
    expect(await team.world.stateOf(1)).toBe('merged');
    await team.pass(10);
    expect(await team.world.stateOf(2)).toBe('not_ready');
    expect(await team.waitingFor(2)).toContain(`git rebase --onto origin/main ${below.slice(0, 12)}`);

    githubRepository.push(
      2,
      { 'a.txt': 'three\n', 'new.txt': null },
      {
        from: githubRepository.tip('main'),
        by: 'grace',
      },
    );
    await team.world.settles();
    await team.pass(10);
    await team.finish(2);
    expect(await team.world.stateOf(2)).toBe('merged');
    expect(team.filesOnTarget()).toEqual(['README.md', 'a.txt']);
  });

  it('says at once how to rebase a child that is submitted after the merge of its parent', async () => {
    await submit(1);
    await team.finish(1);
    await submit(2);
    expect(await team.world.stateOf(2)).toBe('not_ready');
    expect(await team.waitingFor(2)).toContain('git rebase --onto origin/main');
  });

  // A rebase of the child also picks the commits of its parent.
  if (mergeMethod === 'squash') {
    it("merges a squashed child whose changes are independent of the parent's changes", async () => {
      const { githubRepository } = team.world;
      const from = githubRepository.headOf(1);
      githubRepository.openPullRequest({ 'other.txt': 'other\n' }, { number: 3, from });
      await submit(1);
      await team.finish(1);
      await submit(3);
      await team.finish(3);
      expect(await team.world.stateOf(3)).toBe('merged');
      expect(team.filesOnTarget()).toEqual(['README.md', 'a.txt', 'new.txt', 'other.txt']);
    });
  }
});
