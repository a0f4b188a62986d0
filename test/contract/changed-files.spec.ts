import type { CodeHost } from '../../src/domain/code-host.port';
import { BareRepository } from '../support/bare-repository';
import { endGitSooner } from '../support/git-limits';
import { Poison } from '../support/poison';
import { makeGitHost, WIDGETS } from './hosts';

describe('The changed files of a pull request on a git host', () => {
  let world: BareRepository;
  let host: CodeHost;

  beforeEach(() => {
    world = BareRepository.create('acme', 'widgets', {
      'f.txt': 'one\n',
      'g.txt': 'one\n',
      'old/a.txt': 'a\n'.repeat(20),
    });
    host = makeGitHost(world);
  });

  afterEach(() => world.close());

  async function changed(number: number, mostFiles = 100): Promise<readonly string[] | string> {
    const head = world.head(number) ?? '';
    const found = await host.listChangedFiles!(WIDGETS, { base: world.tip('main'), head, mostFiles });
    return typeof found === 'string' ? found : [...found].sort();
  }

  function merge(first: string, second: string, treeOf: string): string {
    const tree = world.inBare('rev-parse', `${treeOf}^{tree}`);
    return world.inBare('commit-tree', tree, '-p', first, '-p', second, '-m', 'merge');
  }

  it('include removed files, and both names of a renamed file', async () => {
    world.openPullRequest(1, { 'old/a.txt': null, 'new/a.txt': 'a\n'.repeat(20), 'f.txt': null });
    expect(await changed(1)).toEqual(['f.txt', 'new/a.txt', 'old/a.txt']);
  });

  it('attack 1: cannot be hidden by a merge of the target that restores the old text of files', async () => {
    const own = world.openPullRequest(1, { 'g.txt': 'two\n' });
    const theirs = world.pushTo('main', { 'f.txt': 'two\n' });
    const both = world.commitTo('refs/heads/both', own, { 'f.txt': 'two\n' });
    world.setBranch('main', merge(theirs, own, both));
    // The head merges the target, but restores the first version of both files.
    const neither = world.commitTo('refs/heads/neither', both, { 'f.txt': 'one\n', 'g.txt': 'one\n' });
    world.setPullRequest(1, merge(own, theirs, neither));
    expect(world.inBare('merge-base', '--all', 'main', 'refs/pull/1/head').split('\n')).toHaveLength(2);
    expect(await changed(1)).toEqual(['f.txt', 'g.txt']);
  });

  it('are "too_many" beyond the limit, and "unknown" without a common history', async () => {
    world.openPullRequest(1, Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}.txt`, 'x'])));
    expect(await changed(1)).toBe('too_many');
    expect(await changed(1, 101)).toHaveLength(101);
    world.commitTo('refs/pull/2/head', null, { 'f.txt': 'elsewhere\n' });
    expect(await changed(2)).toBe('unknown');
  });

  describe('attack 12: the changed files of a tree that contains itself many times', () => {
    endGitSooner();

    it('are reported as "too_many" within seconds', async () => {
      const poison = new Poison(world);
      const head = poison.commit(poison.tree([{ name: 'bomb', tree: poison.bomb() }]), world.tip('main'), 'bomb');
      world.setPullRequest(1, head);
      expect(await changed(1)).toBe('too_many');
    });
  });
});
