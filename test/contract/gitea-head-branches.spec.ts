import type { CodeHost, MergeMethod } from '../../src/domain/code-host.port';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { checkedByGitea, connectToGitea, GITEA_WIDGETS as repository } from './gitea-host';

const NOON = new Date('2026-03-01T12:00:00Z');

/** The server removes branches after its own merges only. */
describe('The branch of a merged pull request on Gitea', () => {
  let double: GiteaDouble;
  let place: GiteaRepositoryDouble;
  let host: CodeHost;
  let release: () => void;
  let exchanges: ReturnType<typeof checkedByGitea>;

  beforeEach(async () => {
    exchanges = checkedByGitea();
    double = await GiteaDouble.start({ onExchange: exchanges.onExchange });
    place = double.createRepository('acme', 'widgets');
    place.record.removesMergedBranches = true;
    ({ host, release } = connectToGitea(double));
  });
  afterEach(async () => {
    await double.close();
    release();
    exchanges.assertFits();
  });

  const open = (number: number, from?: string): string =>
    place.openPullRequest({ [`${number}.txt`]: 'x\n' }, { number, from }).head.sha;

  /** Merges it, does something else, and has the host show it as merged. */
  async function merge(number: number, happen: () => void = () => undefined, mergeMethod: MergeMethod = 'squash') {
    const [head, onto] = [place.headOf(number), place.tip('main')];
    const facts = { headBranch: null, title: 'A', body: '', author: 'Ada', authorEmail: 'ada@example.com' };
    const made = { repository, targetBranch: 'main', onto, pullRequests: [{ number, head, ...facts }], mergeMethod };
    const built = await host.buildCandidate({ ...made, targetTip: onto, alreadyMerged: [], committedAt: NOON });
    if (built.type !== 'built') throw new Error(built.type);
    const tested = { testedCommit: built.commit, testedTree: built.tree, committedAt: NOON, testingBranches: [] };
    const landed = await host.land({ ...made, expectedTip: onto, ...tested });
    if (landed.type !== 'landed') throw new Error(JSON.stringify(landed));
    happen();
    const merged = { number, head, commit: landed.tip.commit, targetBranch: 'main', landedAt: new Date() };
    await host.showMerged?.(repository, merged);
    return () => host.showMerged?.(repository, merged);
  }

  it.each<MergeMethod>(['merge_commit', 'squash', 'rebase'])(
    'goes with it where the repository says so (%s)',
    async (method) => {
      open(1);
      const again = await merge(1, undefined, method);
      expect([place.isMerged(1), place.branches()]).toEqual([true, ['main']]);
      // A repeat after a crash finds nothing to do.
      await again();
      expect(place.branches()).toEqual(['main']);
    },
  );

  it('stays where the repository does not say so', async () => {
    place.record.removesMergedBranches = false;
    open(1);
    await merge(1);
    expect(place.branches()).toContain('change-1');
  });

  it('stays where somebody has pushed to it', async () => {
    open(1);
    await merge(1, () => place.pushToBranch('change-1', { 'late.txt': 'x\n' }));
    expect(place.branches()).toContain('change-1');
  });

  it('stays while another pull request aims at it, or comes from it', async () => {
    open(1);
    open(2);
    place.changeBase(2, 'change-1');
    await merge(1);
    expect(place.branches()).toContain('change-1');
  });

  it('stays where a rule keeps it', async () => {
    open(1);
    place.protect('change-*', { pushers: [] });
    await merge(1);
    expect([place.isMerged(1), place.branches().includes('change-1')]).toEqual([true, true]);
  });

  it('stays where it belongs to a fork', async () => {
    const fork = double.fork(place, 'ada');
    place.openPullRequest({ 'a.txt': 'x\n' }, { number: 1, fork });
    await merge(1);
    expect([place.isMerged(1), fork.branches()]).toEqual([true, expect.arrayContaining(['change-1'])]);
  });
});
