import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../read-report';

const RUNNERS = join(__dirname, '../../../../../test/fixtures/runners');

/** One line for each result of a report: the outcome as it was read, and the name. */
async function linesOf(report: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const results of readReport(createReadStream(join(RUNNERS, report)), { fileName: report })) {
    for (const { name, outcome, isOutsideTests, isCutOff } of results) {
      lines.push(`${isCutOff ? 'cut off' : isOutsideTests ? 'outside tests' : outcome}: ${name.trim()}`);
    }
  }
  return lines;
}

/** Reports of real runners, with suites whose tests fail, are skipped, are cut off, or have failing hooks. */
const REPORTS: readonly (readonly [report: string, lines: readonly string[]])[] = [
  ['bats/helper/report.xml', ['outside tests: setup of flaky', 'passed: adds']],
  ['bats/retries/report.xml', ['failed: flaky', 'passed: adds']],
  [
    'bats/hooks/report.xml',
    ['outside tests: setup of flaky', 'failed: adds', 'skipped: skipped', 'outside tests: teardown of torn'],
  ],
  ['bats/setup-file/report.xml', ['outside tests: setup_file of', 'passed: other']],
  [
    'ctest/not-run/report.xml',
    [
      'failed: flaky',
      'passed: cart.adds',
      'cut off: bad',
      'skipped: skipped',
      'skipped: disabled',
      'failed: up',
      'cut off: needs',
    ],
  ],
  ['ctest/stop/report.xml', ['failed: flaky']],
  ['gotestsum/fail-fast/report.xml', ['failed: TestPrices/pear', 'passed: TestPrices']],
  [
    'gotestsum/parents/report.xml',
    [
      'failed: TestPrices/pear',
      'passed: TestPrices',
      'failed: TestLogs/kiwi',
      'failed: TestLogs',
      'failed: TestOwn/plum',
      'failed: TestOwn',
      'failed: TestDeep/a/b',
      'passed: TestDeep/a',
      'passed: TestDeep',
      'failed: TestCleanup',
      'skipped: TestSkip',
      'passed: TestPrices/fig',
      'passed: TestOther',
      'passed: TestCleanup/ok',
    ],
  ],
  [
    'jest/after-all/report.xml',
    [
      'passed: after all flaky',
      "outside tests: Test execution failure: could be caused by test hooks like 'afterAll'.",
    ],
  ],
  ['jest/bail/report.xml', ['failed: flaky', 'passed: adds']],
  ['jest/dots/report.xml', ['failed: v1.2/cart.items', 'passed: GET /api/v1']],
  [
    'jest/hooks/report.xml',
    [
      'outside tests: hook of before all flaky',
      'outside tests: hook of before all adds',
      'outside tests: hook of before each one',
      'outside tests: hook of after each two',
      'outside tests: hook of timeout three',
      'failed: v1.2/cart.items',
      'passed: other',
    ],
  ],
  ['jest/snapshot/report.xml', ['failed: flaky', 'failed: shot']],
  ['junit5/hooks/After.xml', ['passed: adds', 'failed: flaky', 'skipped: skipped', 'outside tests: ']],
  ['junit5/hooks/Each.xml', ['outside tests: hook of adds']],
  ['junit5/hooks/Hook.xml', ['outside tests: ']],
  [
    'junit6/containers/report.xml',
    ['outside tests: hook of loads()', 'outside tests: hook of flaky()', 'outside tests: hook of adds()'],
  ],
  ['junit6/fail-fast/report.xml', ['skipped: skipped()', 'cut off: pays()', 'failed: flaky()', 'cut off: adds()']],
  [
    'junit6/failed/report.xml',
    [
      'skipped: assumed()',
      'failed: slow()',
      'failed: again(RepetitionInfo)[2]',
      'failed: flaky()',
      'passed: again(RepetitionInfo)[1]',
      'failed: inherited()',
      'failed: made()[1]',
      'passed: made()[2]',
      'failed: adds()',
    ],
  ],
  [
    'junit6/hooks/report.xml',
    [
      'failed: throwsTwice()',
      'failed: fails()',
      'skipped: skipped()',
      'outside tests: hook of tornAndFailed()',
      'outside tests: hook of flaky()',
      'outside tests: hook of torn()',
      'passed: adds()',
    ],
  ],
  ['minitest/after-run/report.xml', ['passed: test_ok', 'failed: test_flaky']],
  ['rspec/both/report.xml', ['failed: cart flaky', 'outside tests: after hook of cart flaky']],
  ['node/after/report.xml', ['passed: adds', 'failed: flaky']],
  [
    'node/hooks/report.xml',
    [
      'cut off: flaky',
      'cut off: adds',
      'outside tests: beforeEach hook of one',
      'outside tests: afterEach hook of two',
      'passed: three',
      'failed: fails',
      'outside tests: before hook of root',
    ],
  ],
  [
    'minitest/hooks/report.xml',
    [
      'outside tests: setup of test_flaky',
      'passed: test_ok',
      'outside tests: teardown of test_torn',
      'skipped: test_skip',
      'failed: test_adds',
    ],
  ],
  ['mocha/bail/report.xml', ['failed: cart flaky']],
  [
    'mocha/hooks/report.xml',
    [
      'failed: flaky',
      'outside tests: cart "before all" hook for "adds"',
      'outside tests: each "before each" hook for "one"',
    ],
  ],
  ['mocha/root/report.xml', ['failed: root.level/test', 'passed: other']],
  [
    'phpunit/before-class/report.xml',
    [
      'outside tests: setUpBeforeClass of ATest',
      'cut off: testAdds',
      'passed: testOther',
      'skipped: testSkipped',
      'skipped: testIncomplete',
      'failed: testRisky',
    ],
  ],
  ['phpunit/requires/report.xml', ['failed: testFlaky', 'skipped: testNewer', 'cut off: testDepends']],
  [
    'phpunit/set-up/report.xml',
    ['outside tests: hook of testFlaky', 'cut off: testDepends', 'outside tests: tearDownAfterClass of ATest'],
  ],
  ['phpunit/warnings/report.xml', ['failed: testFlaky', 'passed: testWarned', 'outside tests: hook of testTorn']],
  ['playwright/after-all/report.xml', ['passed: cart › adds', 'outside tests: hook of cart › flaky', 'passed: other']],
  [
    'playwright/before-all/report.xml',
    ['outside tests: hook of cart › flaky', 'cut off: cart › adds', 'skipped: cart › on purpose', 'passed: other'],
  ],
  ['playwright/before-each/report.xml', ['outside tests: hook of cart › flaky', 'passed: other']],
  ['playwright/fail-on-flaky/report.xml', ['passed: retried', 'failed: flaky']],
  ['playwright/hook-timeout/report.xml', ['outside tests: afterAll hook of flaky']],
  ['playwright/max-failures/report.xml', ['failed: flaky', 'cut off: adds', 'skipped: on purpose']],
  ['playwright/serial-retries/report.xml', ['passed: cart › flaky', 'passed: cart › adds']],
  [
    'playwright/serial/report.xml',
    [
      'failed: cart › flaky',
      'cut off: cart › adds',
      'skipped: cart › on purpose',
      'cut off: cart › runtime skip',
      'passed: other',
      'skipped: skips when run',
      'skipped: to be fixed',
    ],
  ],
  [
    'pytest/hooks/report.xml',
    [
      'passed: test_flaky',
      'outside tests: teardown of test_flaky',
      'failed: test_both',
      'outside tests: teardown of test_both',
      'outside tests: setup of test_up',
      'passed: test_other',
      'skipped: test_skip',
      'skipped: test_x',
      'failed: test_strict',
      'outside tests: setUp of test_u',
      'outside tests: setup of test_v',
      'outside tests: tearDown of test_w',
    ],
  ],
  ['pytest/stop/report.xml', ['failed: test_flaky']],
  ['pytest/warnings/report.xml', ['failed: test_flaky', 'passed: test_other']],
  ['robot/exit-on-failure/report.xml', ['failed: Flaky', 'cut off: Adds']],
  [
    'robot/hooks/report.xml',
    [
      'failed: Flaky',
      'outside tests: suite teardown',
      'passed: Adds',
      'outside tests: suite teardown',
      'outside tests: setup of With Setup',
      'passed: With Teardown',
      'outside tests: teardown of With Teardown',
      'skipped: Skipped',
      'failed: Both',
      'outside tests: suite teardown',
    ],
  ],
  ['robot/suite-setup/report.xml', ['outside tests: suite setup', 'outside tests: suite setup', 'passed: Other']],
  ['rspec/before-context/report.xml', ['outside tests: before hook of cart flaky']],
  ['rspec/fail-fast/report.xml', ['failed: cart flaky']],
  [
    'rspec/hooks/report.xml',
    [
      'outside tests: before hook of cart flaky',
      'outside tests: before hook of cart adds',
      'outside tests: before hook of each one',
      'outside tests: after hook of after two',
      'passed: context three',
      'skipped: context pending',
      'skipped: context skipped',
    ],
  ],
  [
    'testng/depends/report.xml',
    [
      'failed: flaky',
      'passed: other',
      'skipped: skips',
      'cut off: depends',
      'outside tests: hook of up',
      'skipped: adds',
    ],
  ],
  [
    'vitest/after-all/report.xml',
    ['passed: cart > adds', 'failed: each > eaten', 'failed: flaky', 'outside tests: cart'],
  ],
  ['vitest/bail/report.xml', ['failed: flaky', 'skipped: adds', 'skipped: on purpose', 'skipped: empty']],
  [
    'vitest/before-all/report.xml',
    ['skipped: cart > flaky', 'skipped: cart > adds', 'passed: other', 'failed: fails', 'outside tests: cart'],
  ],
  [
    'vitest/empty/report.xml',
    ['passed: empty', 'passed: empty2', 'passed: empty async', 'skipped: on purpose', 'skipped: todo'],
  ],
  ['vitest/hook-timeout/report.xml', ['outside tests: hook of each > flaky', 'passed: other']],
  ['vitest/snapshot/report.xml', ['failed: flaky', 'failed: shot']],
];

describe('reports of real runners', () => {
  it.each(REPORTS)('%s: tests, failures outside tests, and tests that were cut off', async (report, lines) => {
    expect(await linesOf(report)).toEqual(lines);
  });
});
