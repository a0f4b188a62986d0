import { CompleteRuns } from './complete-runs';

function areAllComplete(printed: string, counted: readonly string[] = []): boolean {
  const runs = new CompleteRuns();
  for (const line of printed.split('\n')) runs.read(line);
  return runs.areAll(counted);
}

const ctest = (...lines: readonly string[]) => ['Test project /w/build', '    Start 1: a', ...lines].join('\n');
const phpunit = (...lines: readonly string[]) =>
  ['PHPUnit 9.6.7 by Sebastian Bergmann and contributors.', '', ...lines].join('\n');

describe('runs that had all of their tests', () => {
  // Real runners printed these lines: see test/fixtures/runners and test/runners.
  it.each([
    ['CTest', ctest('1/2 Test #1: a ....   Passed    0.01 sec', '2/2 Test #2: b ....***Failed    0.01 sec')],
    [
      'CTest with a retry',
      ctest('1/1 Test #1: a ....***Failed    0.01 sec', '    Test #1: a ....***Failed    0.00 sec'),
    ],
    ['PHPUnit', phpunit('...F            4 / 4 (100%)', '', 'Time: 00:00.006, Memory: 6.00 MB')],
    ['PHPUnit with several lines', phpunit(`${'.'.repeat(63)}  63 / 64 ( 98%)`, 'F     64 / 64 (100%)')],
    ['Jest', 'Test Suites: 1 failed, 2 passed, 3 total'],
    ['Vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)'],
    ['Robot', '4 tests, 3 passed, 1 failed'],
  ])('are found in the output: %s', (runner, printed) => {
    expect(areAllComplete(printed)).toBe(true);
    expect(areAllComplete(printed, [runner.split(' ')[0]!])).toBe(true);
  });

  it.each([
    ['no output', ''],
    ['CTest stopped', ctest('1/7 Test #1: flaky ....***Failed    0.00 sec')],
    [
      'CTest printed a last line of a test',
      ctest('1/7 Test #1: a ....***Failed    0.00 sec', '7/7 Test #7: b . Passed'),
    ],
    ['CTest printed another total', ctest('1/7 Test #1: a ....***Failed    0.00 sec', '2/2 Test #2: b . Passed')],
    [
      'the second of two runs of CTest stopped',
      `${ctest('1/1 Test #1: a ....   Passed    0.01 sec')}\n${ctest('1/2 Test #1: a ....***Failed    0.01 sec')}`,
    ],
    ['PHPUnit stopped', phpunit('F', '', 'Time: 00:00.006, Memory: 6.00 MB')],
    ['the message of a failure is a progress line', phpunit('F', '', 'Time: 00:00.006', '. 1 / 1 (100%)')],
    ['Jest left out files', 'Test Suites: 1 failed, 1 of 3 total'],
    ['one of two runs of Jest left out files', 'Test Suites: 1 passed, 1 total\nTest Suites: 1 failed, 1 of 3 total'],
    ['Vitest skipped a test', ' Test Files  1 failed (1)\n      Tests  1 failed | 1 skipped (2)'],
    ['Vitest skipped a file', ' Test Files  1 failed | 1 skipped (2)\n      Tests  1 failed (1)'],
    ['a runner that does not say', '1 passing (2ms)\n  1 failing'],
  ])('are not found in the output: %s', (_what, printed) => {
    expect(areAllComplete(printed)).toBe(false);
  });

  it('are not all found if another runner counted tests, too', () => {
    expect(areAllComplete('4 tests, 3 passed, 1 failed', ['Mocha'])).toBe(false);
  });
});
