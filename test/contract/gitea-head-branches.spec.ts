import { type CodeHost, HostUnavailable, type MergeMethod } from '../../src/domain/code-host.port';
import type { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GITEA_WIDGETS as repository, startGitea } from './gitea-host';

const NOON = new Date('2026-03-01T12:00:00Z');

/** The server removes branches after its own merges only. */
describe('The branch of a merged pull request on Gitea', () => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ double, place, host, close } = await startGitea());
    place.record.removesMergedBranches = true;
  });
  afterEach(() => close());

  const open = (number: number, from?: string): string =>
    place.openPullRequest({ [`${number}.txt`]: 'x\n' }, { number, from }).head.sha;

  /** Merges the pull request, runs `after`, and makes the host show the pull request as merged. */
  async function merge(
    number: number,
    happen: () => void = () => undefined,
    mergeMethod: MergeMethod = 'squash',
    landedAt = new Date(),
  ) {
    const [head, onto] = [place.headOf(number), place.tip('main')];
    const facts = { headBranch: null, title: 'A', body: '', author: 'Ada', authorEmail: 'ada@example.com' };
    const made = { repository, targetBranch: 'main', onto, pullRequests: [{ number, head, ...facts }], mergeMethod };
    const built = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [], committedAt: NOON });
    if (built.type !== 'built') throw new Error(built.type);
    const tested = { testedCommit: built.commit, testedTree: built.tree, committedAt: NOON, testingBranches: [] };
    const landed = await host.land({ ...made, expectedTip: onto, ...tested });
    if (landed.type !== 'landed') throw new Error(JSON.stringify(landed));
    happen();
    const merged = { number, head, commit: landed.tip.commit, targetBranch: 'main', landedAt };
    await host.showMerged?.(repository, merged);
    return () => host.showMerged?.(repository, merged);
  }

  it.each<MergeMethod>(['merge_commit', 'squash', 'rebase'])(
    'is removed with the merge if the repository is set up so (%s)',
    async (method) => {
      open(1);
      const again = await merge(1, undefined, method);
      expect([place.isMerged(1), place.branches()]).toEqual([true, ['main']]);
      // A repeat after a crash finds nothing to do.
      await again();
      expect(place.branches()).toEqual(['main']);
    },
  );

  it('stays if the repository is not set up so', async () => {
    place.record.removesMergedBranches = false;
    open(1);
    await merge(1);
    expect(place.branches()).toContain('change-1');
  });

  it('stays if somebody has pushed to it', async () => {
    open(1);
    await merge(1, () => place.pushToBranch('change-1', { 'late.txt': 'x\n' }));
    expect(place.branches()).toContain('change-1');
  });

  it('stays while another open pull request has it as its base', async () => {
    open(1);
    open(2);
    place.changeBase(2, 'change-1');
    await merge(1);
    expect(place.branches()).toContain('change-1');
  });

  it('stays while it is the head branch of another open pull request', async () => {
    open(1);
    place.setBranch('release', place.tip('main'));
    place.openPullRequest({}, { number: 2, branch: 'change-1', base: 'release', from: place.headOf(1) });
    await merge(1);
    expect([place.isMerged(1), place.isMerged(2), place.branches()]).toEqual([
      true,
      false,
      expect.arrayContaining(['change-1']),
    ]);
  });

  it('stays if the host fails to remove it for half a minute: then the comment is written without further attempts', async () => {
    open(1);
    open(2);
    const fails = () => double.faults.badGateway('repoListPullRequests');
    await expect(merge(1, fails)).rejects.toThrow(HostUnavailable);
    await merge(2, fails, 'squash', new Date(Date.now() - 31_000));
    expect([place.isMerged(2), place.branches()]).toEqual([true, expect.arrayContaining(['change-2'])]);
  });

  it('stays if a rule protects it', async () => {
    open(1);
    place.protect('change-*', { pushers: [] });
    await merge(1);
    expect([place.isMerged(1), place.branches().includes('change-1')]).toEqual([true, true]);
  });

  it('stays if it is a branch of a fork', async () => {
    const fork = double.fork(place, 'ada');
    place.openPullRequest({ 'a.txt': 'x\n' }, { number: 1, fork });
    await merge(1);
    expect([place.isMerged(1), fork.branches()]).toEqual([true, expect.arrayContaining(['change-1'])]);
  });
});
