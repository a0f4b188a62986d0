import type { FlakyTestCosts } from '../../src/modules/views/flaky-costs.dto';
import { World } from '../support/world';

const MINUTE_MS = 60_000;

describe('The cost of flaky tests for a queue', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'memory' });
    await world.createQueue({ requiredStatuses: ['unit', 'e2e'] });
  });

  afterEach(() => world.close());

  const costs = (more: object = {}) =>
    world.api.mustPost<FlakyTestCosts>('getFlakyTestCosts', { repo: world.repo, targetBranch: 'main', ...more });

  async function begin(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      world.memory.openPullRequest(number);
      await world.submit(number);
    }
    await world.settles();
  }

  /**
   * Lets the run fail after this many minutes. CI uploads failures of these tests; without names it uploads nothing.
   */
  async function isRed(number: number, minutes: number, failed: readonly string[] = []): Promise<void> {
    const { testBranchSha: commit, testBranch: branch } = await world.details(number);
    if (failed.length > 0) {
      const outcomes = Object.fromEntries(
        ['other', ...failed].map((name) => [name, name === 'other' ? 'passed' : 'failed']),
      );
      await world.uploadTests(outcomes as Record<string, 'passed' | 'failed'>, {
        commit: String(commit),
        branch: String(branch),
      });
    }
    await world.advance(minutes);
    await world.report(number, 'success', 'unit');
    await world.report(number, 'failure', 'e2e');
    await world.settles();
  }

  async function isGreen(number: number): Promise<void> {
    await world.submit(number);
    await world.settles();
    await world.report(number, 'success', 'unit');
    await world.report(number, 'success', 'e2e');
    await world.settles();
  }

  it('is nothing before any test run', async () => {
    const nothing = { runCount: 0, lostMs: 0, pullRequestCount: 0, unexplainedRunCount: 0, tests: [], hasMore: false };
    expect(await costs()).toMatchObject(nothing);
  });

  it('is the time of each run that failed although its tree also passed, by failed tests', async () => {
    await begin(3);
    await isRed(3, 2);
    await isGreen(3);
    await begin(1);
    await isRed(1, 7, ['opens', 'closes']);
    await isGreen(1);
    await begin(2);
    await isRed(2, 5, ['opens']);
    await isGreen(2);
    await begin(4);
    await isRed(4, 9, ['opens']);
    const told = await costs();
    expect(told).toMatchObject({
      ...{ repo: world.repo, targetBranch: 'main' },
      ...{ runCount: 3, lostMs: 14 * MINUTE_MS, pullRequestCount: 3, unexplainedRunCount: 1, hasMore: false },
    });
    expect(told.tests).toEqual([
      expect.objectContaining({
        name: 'opens',
        statuses: ['e2e'],
        runCount: 2,
        lostMs: 12 * MINUTE_MS,
        pullRequestCount: 2,
      }),
      expect.objectContaining({
        name: 'closes',
        statuses: ['e2e'],
        runCount: 1,
        lostMs: 7 * MINUTE_MS,
        pullRequestCount: 1,
      }),
    ]);
  });

  it('does not include a run that failed before a push, because the pass after the push is of another tree', async () => {
    await begin(1);
    await isRed(1, 7, ['opens']);
    world.memory.pushToPullRequest(1, { 'fix.txt': 'x' });
    await isGreen(1);
    expect((await world.record(1)).state).toBe('merged');
    expect((await costs()).runCount).toBe(0);
  });

  it('is computed for the requested days', async () => {
    await begin(1);
    await isRed(1, 7, ['opens']);
    await isGreen(1);
    await world.advance(8 * 24 * 60);
    expect((await costs({ take: 7 })).runCount).toBe(0);
    expect((await costs({ take: 9 })).runCount).toBe(1);
  });
});
