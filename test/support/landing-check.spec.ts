import type { LandRun } from '../../src/engine/commands';
import { EngineHost, type PullRequestDay, type Tree } from './engine-host';
import { LandingCheck } from './landing-check';

const CI = ['ci'];

const MERGED: PullRequestDay = {
  head: 'a',
  state: 'merged',
  draft: false,
  base: 'main',
  mergeability: 'mergeable',
  conflictsWith: [],
};

function change(number: number) {
  return { entryId: `entry-${number}`, number, head: 'a' };
}

/** A queue that merges without any check, on a host that allows it. */
class Reckless {
  readonly host = new EngineHost();
  readonly check = new LandingCheck(this.host);
  private landings = 0;

  /** Makes a run of these pull requests on a base, which CI passes. Returns its commit. */
  tested(base: Tree, builtOn: readonly number[], ...own: readonly number[]): string {
    const names = [...builtOn, ...own].map((number) => `${number}@a`);
    const commit = names.join('+');
    const tree = [...base, ...names];
    const made = { base, tree, builtOn: builtOn.map(change), own: own.map(change), requiredStatuses: CI };
    this.host.candidates.set(commit, { run: 1, commit, ...made });
    this.check.passed(commit, tree, 'ci');
    return commit;
  }

  land(testedCommit: string, numbers: readonly number[], lanes: readonly string[] | null = null): readonly string[] {
    const before = this.host.target;
    const command: LandRun = {
      type: 'landRun',
      landing: ++this.landings,
      runs: [1],
      changes: numbers.map(change),
      expectedTip: this.host.tip(),
      testedCommit,
      testedTree: lanes === null ? 'tree' : null,
      direct: null,
      mergeMethod: 'squash',
      orderedAt: 0,
    };
    this.check.ordered(command, (one, other) => lanes?.includes(`${one} ${other}`) ?? true);
    this.host.target = [...before, ...numbers.map((number) => `${number}@a`)];
    for (const number of numbers) this.host.pullRequests.set(number, { ...MERGED });
    this.check.landed(command, before, []);
    return this.check.problems;
  }
}

describe('the check of merges in a simulation', () => {
  let queue: Reckless;
  beforeEach(() => (queue = new Reckless()));

  it('accepts exactly the tree that was tested', () => {
    expect(queue.land(queue.tested(['main'], [], 1), [1])).toEqual([]);
  });

  it('reports an untested tree', () => {
    expect(queue.land('none', [1])).toEqual(['landed a commit that was never made: 1@a']);
  });

  it('reports a tree whose statuses passed on two commits, but never all on the same commit', () => {
    const tree = ['main', '1@a'];
    queue.check.passed('one', tree, 'build');
    queue.check.passed('other', tree, 'lint');
    expect(queue.check.isPassed(tree, ['build', 'lint'])).toBe(false);
    expect(queue.check.isPassed(tree, ['build'])).toBe(true);
  });

  it('reports the merge of only a part of a tested tree', () => {
    expect(queue.land(queue.tested(['main'], [1], 2), [2])[0]).toContain('on another tree than tested');
  });

  it('reports a change that merges twice', () => {
    const commit = queue.tested(['main'], [], 1);
    queue.land(commit, [1], []);
    expect(queue.land(commit, [1], [])).toEqual(['landed twice: 1@a']);
  });

  it('accepts separately tested changes in parallel mode', () => {
    queue.land(queue.tested(['main'], [], 1), [1], []);
    expect(queue.land(queue.tested(['main'], [], 2), [2], [])).toEqual([]);
  });

  it('reports two changes that share a target and were never tested together', () => {
    queue.land(queue.tested(['main'], [], 1), [1], []);
    expect(queue.land(queue.tested(['main'], [], 2), [2], ['2@a 1@a'])[0]).toContain('shares a target with 1@a');
  });

  it('reports two changes that merge together if one was not tested with an earlier change of its target', () => {
    const second = queue.tested(['main'], [2], 3);
    queue.land(queue.tested(['main'], [], 1), [1], []);
    expect(queue.land(second, [2, 3], ['2@a 1@a'])[0]).toContain('shares a target with 1@a');
  });

  it('accepts a change that was tested with another pull request that has the same change', () => {
    const second = queue.tested(['main'], [2], 3);
    queue.land(queue.tested(['main'], [], 1), [1], []);
    queue.host.pullRequests.set(1, { ...MERGED, sameAs: [2] });
    expect(queue.land(second, [2, 3], ['2@a 1@a'])).toEqual([]);
  });

  it('reports a merge on top of a push that its test did not include', () => {
    const commit = queue.tested(['main'], [], 1);
    queue.host.target = ['main', 'hotfix'];
    expect(queue.land(commit, [1], [])).toEqual(['landed 1@a, tested without the push hotfix']);
  });
});
