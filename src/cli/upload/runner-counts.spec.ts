import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutputWatch } from './output-watch';

const RUNNERS = join(__dirname, '../../../test/fixtures/runners');

function watched(text: string | Buffer): OutputWatch {
  const watch = new OutputWatch();
  const lines = watch.stream();
  lines.add(Buffer.from(text));
  lines.end();
  return watch;
}

const of = (run: string): OutputWatch => watched(readFileSync(join(RUNNERS, run, 'output.txt')));

describe('the last lines of runners', () => {
  it.each([
    ['pytest/hooks', [{ runner: 'pytest', counts: { failed: 4, passed: 2, skipped: 1, xfailed: 1, errors: 4 } }]],
    ['pytest/warnings', [{ runner: 'pytest', counts: { failed: 1, passed: 1, warnings: 2 } }]],
    ['jest/snapshot', [{ runner: 'Jest', counts: { failed: 2, 'snapshots failed': 1, 'snapshots obsolete': 1 } }]],
    ['vitest/empty', [{ runner: 'Vitest', counts: { passed: 3, skipped: 1, todo: 1 } }]],
    ['vitest/snapshot', [{ runner: 'Vitest', counts: { 'snapshots failed': 1, failed: 2 } }]],
    ['mocha/hooks', [{ runner: 'Mocha', counts: { passed: 0, failed: 3 } }]],
    ['playwright/fail-on-flaky', [{ runner: 'Playwright', counts: { failed: 1, flaky: 1 } }]],
    ['playwright/serial', [{ runner: 'Playwright', counts: { failed: 1, skipped: 3, passed: 1 } }]],
    ['rspec/hooks', [{ runner: 'RSpec', counts: { failed: 4, pending: 2, 'error occurred outside of examples': 1 } }]],
    ['minitest/hooks', [{ runner: 'Minitest', counts: { assertions: 1, failed: 1, errors: 2, skipped: 1 } }]],
    [
      'phpunit/before-class',
      [{ runner: 'PHPUnit', counts: { assertions: 1, errors: 1, skipped: 2, incomplete: 1, risky: 1 } }],
    ],
    ['phpunit/warnings', [{ runner: 'PHPUnit', counts: { assertions: 3, errors: 1, failed: 1, warnings: 1 } }]],
    ['gotestsum/parents', [{ runner: 'gotestsum', counts: { skipped: 1, failed: 10 } }]],
    ['junit6/containers', [{ runner: 'JUnit', counts: { 'containers failed': 2, skipped: 0, passed: 1, failed: 1 } }]],
    ['junit6/failed', [{ runner: 'JUnit', counts: { 'containers failed': 0, skipped: 1, passed: 2, failed: 6 } }]],
    ['testng/depends', [{ runner: 'Surefire', counts: { failed: 2, errors: 0, skipped: 3 } }]],
  ])('give the counts of the test runner: %s', (run, counts) => {
    expect(of(run).runnerCounts).toEqual(counts);
  });

  it('give the counts of PHPUnit 10 in the form that its documentation shows', () => {
    const counts = { assertions: 40, failed: 1, deprecations: 33, 'phpunit deprecations': 2 };
    const line = 'Tests: 12, Assertions: 40, Failures: 1, Deprecations: 33, PHPUnit Deprecations: 2.\n';
    expect(watched(line).runnerCounts).toEqual([{ runner: 'PHPUnit', counts }]);
  });

  it('show the tests that a hook cut off in Cypress, in the form that its documentation shows', () => {
    const table = (skipped: number): string =>
      ['Tests:        3', 'Passing:      1', 'Pending:      1', `Skipped:      ${skipped}`]
        .map((row) => `  │ ${row.padEnd(80)} │\n`)
        .join('');
    expect(watched(table(1)).reasonBesidesTests(1, 1)).toBe('Cypress did not run 1 of its tests or files.');
    expect(watched(table(0)).reasonBesidesTests(1, 1)).toBeUndefined();
  });

  it('give the sum of the counts of several commands', () => {
    const twice = '= 1 failed, 2 warnings in 0.1s =\n1 passed, 1 warning in 61.00s (0:01:01)\n';
    expect(watched(twice).runnerCounts).toEqual([{ runner: 'pytest', counts: { failed: 1, passed: 1, warnings: 3 } }]);
  });

  it('give no counts if no runner printed a total', () => {
    expect(watched('2 failed attempts in 3 seconds\n  3 apples\nTests: none\nDONE\n').runnerCounts).toEqual([]);
  });
});

describe('the output of runners', () => {
  it.each([
    ['playwright/serial', 'Playwright did not run 2 of its tests or files.'],
    ['vitest/bail', 'Vitest did not run 1 of its tests or files.'],
    ['jest/bail', 'Jest did not run 2 of its tests or files.'],
    ['pytest/stop', expect.stringContaining('stopping after 1 failures')],
    [
      'junit6/fail-fast',
      'The output says that tests were not run: "Test execution was cancelled due to --fail-fast mode.".',
    ],
    ['ctest/not-run', expect.stringContaining('3 - bad (Not Run)')],
    ['robot/exit-on-failure', expect.stringContaining('exit-on-failure mode is in use')],
    ['bats/setup-file', expect.stringContaining("(from function `setup_file' in")],
    ['bats/hooks', expect.stringContaining("(from function `setup' in")],
    ['robot/suite-setup', expect.stringContaining('Parent suite setup failed:')],
    ['phpunit/before-class', expect.stringContaining('ATest::setUpBeforeClass()')],
    ['playwright/after-all', expect.stringMatching(/hook: "test\.afterAll/)],
    ['vitest/hook-timeout', expect.stringMatching(/hook: ".*beforeEach/)],
    ['jest/hooks', expect.stringMatching(/hook: ".*beforeAll/)],
  ])('shows tests that were not run, or a failed hook, in %s', (run, reason) => {
    expect(of(run).reasonBesidesTests(1, 99)).toEqual(reason);
  });

  it('shows neither missing tests nor a failed hook if all tests ran and some failed', () => {
    for (const run of [
      'jest/dots',
      'vitest/snapshot',
      'mocha/root',
      'gotestsum/parents',
      'junit6/failed',
      'phpunit/warnings',
    ]) {
      expect([run, of(run).reasonBesidesTests(1, 99)]).toEqual([run, undefined]);
    }
  });

  it('shows a hook in a code frame only if no test begins between the hook and the failed line', () => {
    const frame = (...lines: string[]) => watched(`${lines.join('\n')}\n     |      ^\n`).reasonBesidesTests(1, 1);
    expect(frame('  1| beforeEach(async () => {', '  2|   await up();')).toContain('beforeEach');
    expect(frame('  1| beforeEach(up);', "  2| test('adds', () => {", '  3|   expect(1).toBe(2);')).toBeUndefined();
    expect(frame("  1| it.only('adds', () => {", '  2|   fail();')).toBeUndefined();
    expect(frame('  1| beforeEach(up);', 'something else', '  3|   fail();')).toBeUndefined();
  });
});
