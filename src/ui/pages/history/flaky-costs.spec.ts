import type { FlakyTestCosts } from '../../../modules/views/flaky-costs.dto';
import { flakyCosts } from './flaky-costs.view';

const EVIL = '<script>alert(1)</script>" onmouseover="alert(2)';
const NOTHING: FlakyTestCosts = {
  ...{ repo: { host: 'local', owner: 'acme', name: 'widgets' }, targetBranch: 'main' },
  ...{ since: '2026-10-23T12:00:00.000Z', readAt: '2026-11-20T12:00:00.000Z' },
  ...{ runCount: 0, lostMs: 0, pullRequestCount: 0, unexplainedRunCount: 0, tests: [], hasMore: false },
};
const TEST = {
  ...{
    testCaseId: '0b6c2f0e-6f0e-4d1c-9f0a-3d0c1a2b3c4d',
    name: 'opens',
    parent: 'Gallery',
    file: 'gallery.ts',
    variant: '',
  },
  ...{ statuses: ['e2e'], runCount: 14, lostMs: 7_560_000, pullRequestCount: 31 },
};

describe('the cost of flaky tests on a page', () => {
  const textOf = (costs: Partial<FlakyTestCosts>) => String(flakyCosts({ ...NOTHING, ...costs }));

  it('is stated even if it is nothing', () => {
    expect(textOf({})).toContain('Nothing: no test run failed on code that passed in another test run.');
    expect(textOf({})).not.toContain('<table');
  });

  it('has runs, time and pull requests, in total and for each test', () => {
    const text = textOf({ runCount: 29, lostMs: 14_940_000, pullRequestCount: 64, tests: [TEST] });
    expect(text).toContain('Costs of flaky tests in 28 days');
    expect(text).toContain('29 runs, 4 h 9 min lost, 64 pull requests');
    expect(text).toContain(`href="/ui/tests/${TEST.testCaseId}">Gallery › opens</a`);
    expect(text).toMatch(/>14<.*>2 h 6 min<.*>31</s);
  });

  it('names the number of runs with an unknown cause', () => {
    const text = textOf({ runCount: 1_000, unexplainedRunCount: 1, hasMore: true });
    expect(text).toContain('For 1 run, CI uploaded no report that names the failed test. Only the newest');
  });

  it('attack 13: shows names as text', () => {
    const evil = { name: EVIL, parent: EVIL, file: EVIL, variant: EVIL, statuses: [EVIL] };
    const text = textOf({ runCount: 1, tests: [{ ...TEST, ...evil }] });
    expect(text).not.toMatch(/<script|" onmouseover/);
    expect(text.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot; onmouseover=&quot;alert\(2\)/g)).toHaveLength(5);
  });
});
