import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UploadingProject } from './uploading-project';

const RUNNERS = join(__dirname, '../fixtures/runners');
/** A program that writes the reports of a real run, prints the output of the run, and ends with its exit code. */
const AGAIN = `
const { copyFileSync, readdirSync, readFileSync } = require('fs');
const [folder] = process.argv.slice(1);
for (const name of readdirSync(folder).filter((name) => name.endsWith('.xml'))) copyFileSync(folder + '/' + name, name);
process.stdout.write(readFileSync(folder + '/output.txt'));
process.exitCode = Number(readFileSync(folder + '/exit', 'utf8'));`;

/**
 * Real runs in which every failed test is quarantined, and the output of `sluice upload --quarantine`. If a run had
 * other errors than failed tests, `sluice upload` must end with the runner's own exit code.
 */
const RUNS: readonly (readonly [run: string, why: RegExp | null])[] = [
  // A: tests that were cut off counted as skipped or passed.
  ['ctest/not-run', /2 tests were not run because something else failed: bad/],
  ['phpunit/requires', /1 test was not run because something else failed: testDepends/],
  ['playwright/max-failures', /1 test was not run because something else failed: adds/],
  ['playwright/serial', /2 tests were not run because something else failed: cart › adds/],
  ['pytest/stop', /"!+ stopping after 1 failures !+"/],
  ['robot/exit-on-failure', /1 test was not run because something else failed: Adds/],
  ['junit6/fail-fast', /2 tests were not run because something else failed: |output says that tests were not run/],
  ['testng/depends', /Something failed outside tests, and such failures are never ignored: hook of up/],
  ['vitest/bail', /Vitest did not run 1 of its tests or files|Vitest did not run 2 of its tests/],
  ['jest/bail', /Jest did not run 2 of its tests or files/],
  // C: the failure of a hook counted as a failure of the test next to the hook.
  ['bats/helper', /outside tests.*: setup of flaky/],
  ['bats/hooks', /outside tests.*: setup of flaky/],
  ['bats/setup-file', /outside tests/],
  ['jest/after-all', /outside tests/],
  ['jest/hooks', /outside tests.*: hook of before all flaky/],
  ['junit5/hooks', /outside tests/],
  ['junit6/containers', /outside tests.*: hook of loads/],
  ['junit6/hooks', /outside tests.*: hook of tornAndFailed/],
  [
    'minitest/after-run',
    /The output shows a failure that no report contains: "from .*minitest\.rb:79:in `block \(2 levels\) in autorun'"/,
  ],
  ['minitest/hooks', /outside tests.*: setup of test_flaky/],
  ['mocha/hooks', /outside tests/],
  ['node/after', /The output shows a failure that no report contains: "at TestHook\.run /],
  ['node/hooks', /outside tests.*: beforeEach hook of one/],
  ['phpunit/before-class', /outside tests.*: setUpBeforeClass of ATest/],
  ['phpunit/set-up', /outside tests.*: hook of testFlaky/],
  ['playwright/after-all', /outside tests.*: hook of cart › flaky/],
  ['playwright/before-all', /outside tests.*: hook of cart › flaky/],
  ['playwright/before-each', /outside tests.*: hook of cart › flaky/],
  ['playwright/hook-timeout', /outside tests.*: afterAll hook of flaky/],
  ['pytest/hooks', /outside tests.*: teardown of test_flaky/],
  ['robot/hooks', /outside tests.*: suite teardown/],
  ['robot/suite-setup', /outside tests.*: suite setup/],
  ['rspec/before-context', /outside tests.*: before hook of cart flaky/],
  ['rspec/both', /outside tests.*: after hook of cart flaky/],
  ['rspec/hooks', /outside tests/],
  ['vitest/after-all', /outside tests.*: cart/],
  ['vitest/before-all', /outside tests.*: cart/],
  ['vitest/hook-timeout', /outside tests.*: hook of each > flaky/],
  // E: something that is not a test counted as a failed test.
  ['phpunit/warnings', /outside tests.*: hook of testTorn/],
  ['playwright/fail-on-flaky', /Playwright counts 1 flaky, more than in any run of this job that ended with 0/],
  ['pytest/warnings', /pytest counts 2 warnings, more than in any run/],
  ['jest/snapshot', /Jest counts 1 snapshots obsolete, more than in any run/],
  // D: tests with names like a path counted as hooks. Some of these runs only have failed tests.
  ['jest/dots', null],
  ['mocha/root', null],
  ['bats/retries', null],
  ['gotestsum/parents', null],
  ['junit6/failed', null],
  ['vitest/snapshot', null],
];

describe('Recorded runs of real test runners whose failed tests are all quarantined', () => {
  let project: UploadingProject;

  beforeAll(async () => {
    project = await UploadingProject.open({});
  });
  afterAll(() => project.close());

  it.each(RUNS)('%s has the exit code that this spec lists', async (run, why) => {
    const folder = join(RUNNERS, run);
    const again = () => project.upload('*.xml', [process.execPath, '-e', AGAIN, folder]);
    const exit = Number(readFileSync(join(folder, 'exit'), 'utf8'));
    expect((await again()).exit).toBe(exit);
    await project.quarantineAllThatFailed();
    const { exit: ended, err, out } = await again();
    expect([ended, why === null ? out : err]).toEqual([
      why === null ? 0 : exit,
      expect.stringMatching(why ?? /Every failed test is quarantined, and nothing else failed\.\n$/),
    ]);
    project.removeReports();
  });
});
