/**
 * Output of runners and coverage tools about failures that are in no test report. Each pattern is for a whole line,
 * without colours.
 */
export const OUTSIDE_TESTS: readonly RegExp[] = [
  // Jest, Vitest, nyc and c8.
  /\bCoverage for \w+ \([\d.]+%\) does not meet\b/,
  /\bcoverage threshold for .* not met\b/,
  /^Jest: Coverage data for .* was not found\.?$/,
  /^\s*● (?:.* › )?Test suite failed to run$/,
  /\bJest: Got error running global(?:Setup|Teardown)\b/,
  /^No tests? (?:files )?found, exiting with code [1-9]/,
  /\bVitest caught \d+ (?:unhandled|source) errors?\b/,
  /^[⎯\s]*(?:Failed Suites \d+|Unhandled (?:Source )?Errors|Typecheck Error)\b/,
  // Node's own runner.
  /\b[\d.]+% \w+ coverage does not meet threshold of\b/,
  /^\s*at (?:async )?TestHook\.\w+ \(node:internal\/test_runner\//,
  // Mocha.
  /^\s*\d+\) (?:.* )?"(?:before|after) (?:all|each)" hook\b/,
  /^\s*\d+\) Uncaught error outside test suite\b/,
  // AVA.
  /^\s*\d+ (?:uncaught exceptions?|unhandled rejections?)$/,
  // Playwright.
  /^\s*\d+ errors? (?:was|were) not a part of any test\b/,
  // pytest and pytest-cov.
  /^_* ERROR collecting /,
  /^!+ Interrupted: /,
  /^INTERNALERROR>/,
  /\bRequired test coverage of [\d.]+% not reached\b/,
  /\bCoverage failure: total of [\d.]+ is less than fail-under=/,
  // RSpec and SimpleCov.
  /\b\d+ errors? occurred outside of examples\b/,
  /^An error occurred (?:while loading|in an? `(?:before|after)\(\w+\)` hook)\b/,
  /\bcoverage \([\d.]+%\) is below the expected minimum coverage\b/,
  // A failure in minitest's code after the tests.
  /^\s+(?:\d+: )?from \S*\bminitest\S*:\d+:in .*\bautorun'$/,
  // Go.
  /^FAIL\t\S+ \[(?:build|setup) failed\]$/,
  /^panic: /,
  // Rust.
  /^error: could not compile\b/,
  // Maven, Gradle and JaCoCo.
  /\bCOMPILATION ERROR\b/,
  /\bThe forked VM terminated without (?:properly )?saying/,
  /\bCoverage checks have not been met\b/,
  /\bRule violated for (?:bundle|package|class)\b.*\bratio is\b/,
  /\bExecution failed for task '[^']*:(?:compile|jacoco)\w*'/,
  // .NET and Coverlet.
  /^The active test run was aborted\b/,
  /\btotal \w+ coverage is below the specified\b/,
  // PHPUnit.
  /^Fatal error: /,
  /: \S+::(?:setUpBeforeClass|tearDownAfterClass)\(\)$/,
  // bats.
  /^#? *\(?from function `(?:setup|teardown)(?:_file)?' in /,
  // Robot.
  /^(?:Parent suite|Suite) (?:setup|teardown) failed:$/,
];

/** Output of runners that skip the rest of their tests after a failure. */
export const NOT_RUN: readonly RegExp[] = [
  // Playwright.
  /^Testing stopped early after \d+ maximum allowed failures\.$/,
  // pytest, also with xdist.
  /^!+ (?:xdist\.dsession\.Interrupted: )?stopping after \d+ failures? !+$/,
  // bats, and the Test Anything Protocol.
  /^# bats warning: Executed \d+ instead of expected \d+ tests$/,
  /^Bail out!/,
  // The launcher of JUnit.
  /^Test execution was cancelled due to --fail-fast mode\.$/,
  // CTest.
  /^\t? *\d+ - .+ \(Not Run\)$/,
  // Robot.
  /^(?:Failure|Error) occurred and exit-on-(?:failure|error) mode is in use\.$/,
];

/** gotestsum with --rerun-fails, after it ran failed tests again. Names of Go tests are unique in their package. */
export const RAN_AGAIN = /^DONE (?:[2-9]|[1-9]\d+) runs, /;
export const PYTEST = /^=+ test session starts =+$/;
/** The exit code of pytest when tests fail; 2 to 5 have other reasons. */
export const PYTEST_TESTS_FAILED = 1;
/** Mocha's exit code is the number of failures, at most this number. */
export const MOST_OF_MOCHA = 255;
