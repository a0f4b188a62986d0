import type { LetterCase } from '../../domain/host-repository';
import type { HostRepository } from '../../domain/code-host.port';
import type { ContractSuite } from './contract-suite';
import { ABSENT_COMMIT, TEST_RUN, TESTING_BRANCH } from './host-under-test';

const HOSTILE_NAMES = [
  '-x',
  '..',
  'a..b/../c',
  'a b',
  'ünïcode',
  '',
  '.',
  'a/b',
  '--upload-pack=x',
  'x\ny',
  'x\0y',
  '$(x)',
];

export function describeRepositories(suite: ContractSuite, letterCase: LetterCase): void {
  const { describe, it, itEach, expect } = suite;
  describe('repositories, branches and files', () => {
    it('finds its repository and no other', async ({ host, repository }) => {
      expect(await host.findRepository(repository)).toBe('found');
      expect(await host.findRepository({ ...repository, name: 'nothing-here' })).toBe('unknown');
    });

    itEach(HOSTILE_NAMES, 'knows no repository or owner named', async ({ host, repository }, bad) => {
      expect(await host.findRepository({ ...repository, name: bad })).toBe('unknown');
      expect(await host.findRepository({ ...repository, owner: bad })).toBe('unknown');
    });

    if (letterCase === 'ignored') {
      it('finds its repository in any letter case', async ({ host, repository, tip, open, requestFor, build }) => {
        const other = inOtherLetterCase(repository);
        expect(await host.findRepository(other)).toBe('found');
        expect(await host.readBranch(other, 'main')).toEqual(await tip());
        const { commit } = await build({ ...(await requestFor([await open(1)])), repository: other });
        const pushed = { repository: other, branch: TESTING_BRANCH, commit, testRunId: TEST_RUN, requiredStatuses: [] };
        expect(await host.pushTestingBranch(pushed)).toEqual({ type: 'pushed' });
        expect((await tip(TESTING_BRANCH)).commit).toBe(commit);
      });
    } else {
      it('finds its repository in no other letter case', async ({ host, repository }) => {
        const { owner, name } = inOtherLetterCase(repository);
        expect(await host.findRepository({ ...repository, owner })).toBe('unknown');
        expect(await host.findRepository({ ...repository, name })).toBe('unknown');
      });
    }

    it('reads the tip of a branch with its tree', async ({ world, tip }) => {
      const before = await tip();
      const pushed = await world.pushTo('main', { 'a.txt': 'a\n' });
      expect(await tip()).toEqual({ commit: pushed, tree: expect.not.stringContaining(before.tree) as string });
      expect((await tip()).tree).toMatch(/^[0-9a-f]{40}$/);
    });

    itEach(
      ['nothing-here', 'a..b', '-x', 'a b', '', '../main', 'refs/heads/main', 'x\ny'],
      'finds no branch named',
      async ({ host, repository }, branch) => {
        expect(await host.readBranch(repository, branch)).toBeNull();
      },
    );

    it('reads a file at a commit, and null for a missing file', async ({ world, host, repository }) => {
      const commit = await world.pushTo('main', { 'sub/a.txt': 'grüße\n' });
      expect(await host.readFile(repository, commit, 'sub/a.txt')).toBe('grüße\n');
      expect(await host.readFile(repository, commit, 'sub/b.txt')).toBeNull();
      expect(await host.readFile(repository, commit, 'sub')).toBeNull();
      expect(await host.readFile(repository, ABSENT_COMMIT, 'sub/a.txt')).toBeNull();
    });

    it('may refuse a file above the requested size, or ignore the size limit', async ({ world, host, repository }) => {
      const commit = await world.pushTo('main', { 'a.txt': 'ü'.repeat(50) });
      expect(await host.readFile(repository, commit, 'a.txt', 100)).toBe('ü'.repeat(50));
      const larger = await host.readFile(repository, commit, 'a.txt', 99);
      if (typeof larger === 'string') expect(larger).toBe('ü'.repeat(50));
      else expect(larger).toEqual({ type: 'too_large' });
    });

    it('if supported, reads the versions of a file along first parents, newest first', async ({
      world,
      host,
      repository,
      tip,
    }) => {
      if (host.readFileVersions === undefined) return;
      const { commit: start } = await tip();
      await world.pushTo('main', { 'a.txt': 'one' });
      await world.pushTo('main', { 'b.txt': 'another file' });
      await world.pushTo('main', { 'a.txt': 'x'.repeat(200) });
      const commit = await world.pushTo('main', { 'a.txt': 'two' });
      const asked = { repository, commit, path: 'a.txt', mostCommits: 100, maxBytes: 100 };
      expect(await host.readFileVersions(asked)).toEqual(['two', 'one', null]);
      expect(await host.readFileVersions({ ...asked, mostCommits: 3 })).toEqual(['two', 'one']);
      expect(await host.readFileVersions({ ...asked, commit: start })).toEqual([null]);
      expect(await host.readFileVersions({ ...asked, commit: ABSENT_COMMIT })).toEqual([]);
    });

    it('if supported, says whether a pull request changes a file, even if the target changed the file, too', async ({
      world,
      host,
      repository,
      tip,
    }) => {
      if (host.changesFile === undefined) return;
      await world.pushTo('main', { 'a.txt': 'one' });
      const one = await world.openPullRequest(1, { 'a.txt': 'changed' });
      const two = await world.openPullRequest(2, { 'b.txt': 'new' });
      await world.pushTo('main', { 'a.txt': 'two' });
      const { commit: base } = await tip();
      const changes = (head: string, path: string) => host.changesFile?.(repository, { base, head, path });
      expect([await changes(one, 'a.txt'), await changes(one, 'b.txt')]).toEqual([true, false]);
      expect([await changes(two, 'a.txt'), await changes(two, 'b.txt')]).toEqual([false, true]);
      expect(await changes(ABSENT_COMMIT, 'a.txt')).toBe(false);
    });

    it('if supported, lists the files that a pull request changes, even if the target moved meanwhile', async ({
      world,
      host,
      repository,
      tip,
    }) => {
      if (host.listChangedFiles === undefined) return;
      const before = await world.pushTo('main', { 'a.txt': 'one', 'sub/grün.txt': 'b' });
      const head = await world.openPullRequest(1, { 'a.txt': 'changed', 'sub/neü.txt': 'new' });
      await world.pushTo('main', { 'a.txt': 'two', 'other.txt': 'other' });
      const { commit: base } = await tip();
      const list = (asked: object) =>
        host.listChangedFiles?.(repository, { base, head, mostFiles: 2, ...asked }) ?? Promise.resolve([]);
      expect([...(await list({}))].sort()).toEqual(['a.txt', 'sub/neü.txt']);
      expect(await list({ mostFiles: 1 })).toBe('too_many');
      expect(await list({ head: before })).toEqual([]);
      expect(await list({ head: ABSENT_COMMIT })).toBe('unknown');
      expect(await list({ base: ABSENT_COMMIT })).toBe('unknown');
    });

    it('if supported, lists the commits that a head has beyond the target', async ({
      world,
      host,
      repository,
      tip,
    }) => {
      if (host.listCommits === undefined) return;
      const { commit: base } = await tip();
      const one = await world.openPullRequest(1, { 'a.txt': 'a' });
      const later = await world.pushTo('main', { 'b.txt': 'b' });
      const list = (asked: object) =>
        host.listCommits?.(repository, { base, head: one, mostCommits: 10, ...asked }) ?? Promise.resolve([]);
      expect(await list({})).toEqual([one]);
      expect(await list({ base: later })).toEqual([one]);
      expect(await list({ head: later })).toEqual([later]);
      expect((await list({ base: null })).includes(base)).toBe(true);
      expect(await list({ base: null, mostCommits: 1 })).toEqual([one]);
      expect((await list({ base: ABSENT_COMMIT })).includes(base)).toBe(true);
      expect(await list({ head: base })).toEqual([]);
      expect(await list({ head: ABSENT_COMMIT })).toEqual([]);
    });

    it('reads the tree of a commit, and null for a missing commit', async ({ host, repository, tip, open }) => {
      const { commit, tree } = await tip();
      expect(await host.readTree(repository, commit)).toBe(tree);
      const { head } = await open(1);
      expect(await host.readTree(repository, head)).toMatch(/^[0-9a-f]{40}$/);
      expect(await host.readTree(repository, head)).not.toBe(tree);
      expect(await host.readTree(repository, ABSENT_COMMIT)).toBeNull();
    });

    it('says whether a commit contains another commit', async ({ world, host, repository, tip, open }) => {
      const { commit: start } = await tip();
      const { head } = await open(1);
      const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
      const contains = (commit: string, ancestor: string) => host.containsCommit(repository, commit, ancestor);
      expect(await contains(head, start)).toBe(true);
      expect(await contains(head, head)).toBe(true);
      expect(await contains(start, head)).toBe(false);
      expect(await contains(head, pushed)).toBe(false);
      expect(await contains(head, ABSENT_COMMIT)).toBe(false);
      expect(await contains(ABSENT_COMMIT, start)).toBe(false);
      expect(await contains(ABSENT_COMMIT, ABSENT_COMMIT)).toBe(false);
    });

    it('finds the heads that a commit contains, if the host does not report manual merges', async ({
      world,
      host,
      repository,
      tip,
      open,
    }) => {
      const { commit: start } = await tip();
      const { head: one } = await open(1);
      const { head: two } = await open(2);
      const later = await world.pushTo('main', { 'later.txt': 'later\n' });
      const find = (commit: string, heads: readonly string[]) => host.findContained?.(repository, commit, heads);
      if (host.findContained === undefined) return;
      expect(await find(later, [one, start, two, ABSENT_COMMIT, later])).toEqual([start, later]);
      expect(await find(one, [one, two])).toEqual([one]);
      expect(await find(start, [])).toEqual([]);
      expect(await find(ABSENT_COMMIT, [start])).toEqual([]);
    });

    it('if supported, names the branches that had a commit as their tip', async ({
      world,
      host,
      repository,
      tip,
      open,
    }) => {
      if (host.findBranchesWith === undefined) return;
      const { commit: start } = await tip();
      const { head } = await open(1);
      await world.setBranch('release', start);
      const pushed = await world.pushTo('main', { 'later.txt': 'later\n' });
      const find = (commit: string, branches: readonly string[] = ['release', 'gone']) =>
        host.findBranchesWith?.(repository, commit, branches);
      expect(await find(start)).toEqual(['main', 'release']);
      expect(await find(start, [])).toEqual(['main']);
      expect(await find(pushed)).toEqual(['main']);
      expect(await find(head)).toEqual([]);
      expect(await find(ABSENT_COMMIT)).toEqual([]);
    });

    it('if supported, does not count the head of a merged pull request as a tip of its branch', async ({
      world,
      host,
      repository,
      tip,
      open,
      tested,
      landsInOneMove,
    }) => {
      if (host.findBranchesWith === undefined || !landsInOneMove('merge_commit')) return;
      const one = await open(1);
      await world.pushTo('main', { 'later.txt': 'later\n' });
      await host.land(await tested([one], { mergeMethod: 'merge_commit' }));
      const { commit } = await tip();
      expect(await host.containsCommit(repository, commit, one.head)).toBe(true);
      expect(await host.findBranchesWith(repository, one.head, [])).toEqual([]);
      expect(await host.findBranchesWith(repository, commit, [])).toEqual(['main']);
    });

    it('reads branches and heads in one request, and null for a missing branch or head', async ({
      host,
      repository,
      tip,
      open,
    }) => {
      const one = await open(1);
      const state = await host.readState(repository, ['main', 'gone'], [1, 2]);
      expect([...state.branches]).toEqual([
        ['main', await tip()],
        ['gone', null],
      ]);
      expect([...state.pullRequestHeads]).toEqual([
        [1, one.head],
        [2, null],
      ]);
    });

    it('reads a thousand pull requests at once', async ({ host, repository, open }) => {
      const one = await open(1);
      const numbers = Array.from({ length: 1_500 }, (_, index) => index + 1);
      const state = await host.readState(repository, ['main'], numbers);
      expect(state.pullRequestHeads.get(1)).toBe(one.head);
      expect(state.pullRequestHeads.get(1_500)).toBeNull();
    });
  });
}

function inOtherLetterCase(repository: HostRepository): HostRepository {
  return { ...repository, owner: swapCase(repository.owner), name: swapCase(repository.name) };
}

function swapCase(text: string): string {
  return [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}
