import { OutputWatch } from './output-watch';

/**
 * The reason against ignoring the failures of a command that ended with `exit`, whose reports have `failed` failures.
 */
function reasonOf(text: string, exit = 1, failed = 1): string | undefined {
  const watch = new OutputWatch();
  const lines = watch.stream();
  // The output arrives in chunks, as a pipe delivers it.
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) lines.add(bytes.subarray(at, at + 7));
  lines.end();
  return watch.reasonBesidesTests(exit, failed);
}

describe('the output of tests', () => {
  // Output that jest 30, Vitest 3, nyc 17, c8 10, Mocha 11 and pytest 9 printed. The output of other programs comes
  // from their documentation.
  it.each([
    ['a threshold of jest', 'Jest: Coverage for branches (50%) does not meet "global" threshold (100%)'],
    ['a threshold of nyc and c8', 'ERROR: Coverage for branches (83.33%) does not meet global threshold (100%)'],
    ['a threshold of pytest-cov', 'FAIL Required test coverage of 90% not reached. Total coverage: 50.00%'],
    ['a threshold of Node', 'ℹ Error: 50.00% line coverage does not meet threshold of 90%.'],
    ['a hook of Node', '      at async TestHook.run (node:internal/test_runner/test:796:25)'],
    ['a file that jest cannot load', '  ● Test suite failed to run'],
    [
      'a file that jest cannot load in one of several projects',
      '  ● \u001b[1mapi › Test suite failed to run\u001b[22m',
    ],
    ['a failed setup of jest', 'Error: Jest: Got error running globalSetup - /w/setup.js, reason: no'],
    ['a file that Vitest cannot load', '⎯⎯⎯⎯⎯⎯ Failed Suites 2 ⎯⎯⎯⎯⎯⎯⎯'],
    ['an unhandled error of Vitest', 'Vitest caught 1 unhandled error during the test run.'],
    ['a hook of Mocha', '    1) "before all" hook for "lost"'],
    [
      'a module that pytest cannot collect',
      '__________________________ ERROR collecting test_b.py __________________________',
    ],
    ['an interrupted pytest', '!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!'],
    ['an error outside the examples of RSpec', '3 examples, 1 failure, 1 error occurred outside of examples'],
    [
      'code that minitest runs at the end',
      "\tfrom /gems/minitest-5.17.0/lib/minitest.rb:79:in `block (2 levels) in autorun'",
    ],
    ['an error of Playwright', '  1 error was not a part of any test, see above for details'],
    ['a package that Go cannot build', 'FAIL\tacme/widgets [build failed]'],
    ['a task of Gradle', "Execution failed for task ':app:jacocoTestCoverageVerification'."],
  ])('shows a failure that no report contains: %s', (_what, line) => {
    expect(reasonOf(`  adds\n${line}\r\n1 failed\n`)).toMatch(/^The output shows a failure that no report contains: "/);
    expect(reasonOf(line)).toMatch(/^The output shows a failure that no report contains: "/);
  });

  it('shows no failure outside the reports if only tests failed', () => {
    const jest = ' FAIL  a.test.js\n  ● flaky\n    Error: flaky\nTests:       1 failed, 1 passed, 2 total\n';
    const vitest = '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n FAIL  ok.test.js > flaky\nError: flaky\n';
    const pytest =
      '=== test session starts ===\nFAILED test_a.py::test_f - assert 0\n=== 1 failed, 1 passed in 0.2s ===\n';
    for (const text of [jest, vitest, pytest, '', '\n'.repeat(20)]) expect(reasonOf(text)).toBeUndefined();
  });

  it('shows another failure if Mocha or pytest ends with an exit code that failed tests do not explain', () => {
    expect(reasonOf('\n  1 passing (3ms)\n  2 failing\n', 2, 2)).toBeUndefined();
    expect(reasonOf('  2 failing\n', 1, 2)).toBeUndefined();
    expect(reasonOf('  2 failing\n', 7, 2)).toMatch(/^Mocha ends with the number of failures, which is 2/);
    expect(reasonOf('  2 failing\n', 2, 1)).toBe('Mocha counts 2 failures, and the reports have 1.');
    expect(reasonOf('=== test session starts ===\n', 3)).toMatch(/^pytest ends with 1 when tests fail/);
  });

  // Code frames that Vitest 3 printed.
  it.each([
    [
      'in a hook',
      ["     20|   beforeEach(() => { throw new Error('no'); });", '       |                            ^'],
    ],
    ['in a hook whose line is cut', ['     20|     if (isHere) hooks.beforeEa…', '       |                       ^']],
    [
      'below the beginning of a hook',
      ['      5|   afterAll(async () => {', '      6|     await db.close();', '       |              ^'],
    ],
  ])('shows the failure of a hook if the failed line of a code frame is %s', (_what, frame) => {
    expect(reasonOf(frame.join('\n'))).toMatch(/^The output shows the failure of a hook: "/);
  });

  it.each([
    ['in a test', ["      9|   test('adds', () => {", '     10|     expect(1).toBe(2);', '       |               ^']],
    [
      'in a test below a hook',
      ['      5|   beforeEach(up);', "      6|   it('adds', () => no());", '       |                    ^'],
    ],
  ])('shows no failure of a hook if the failed line of a code frame is %s', (_what, frame) => {
    expect(reasonOf(frame.join('\n'))).toBeUndefined();
  });

  it('may have lines of any length', () => {
    expect(reasonOf('x'.repeat(1_000_000))).toBeUndefined();
  });
});
