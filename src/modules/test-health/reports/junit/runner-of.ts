import type { Attributes } from '../bounded-xml';
import { isPlaywright } from './runner-habits';

/** Runners that are recognized, because they write hooks or interrupted tests in their own ways. */
export type Runner =
  | 'bats'
  | 'ctest'
  | 'jest'
  | 'minitest'
  | 'mocha'
  | 'phpunit-9'
  | 'playwright'
  | 'pytest'
  | 'robot'
  | 'rspec'
  | 'surefire'
  | 'vitest'
  | 'other';

const BY_NAME_OF_THE_ROOT: ReadonlyMap<string, Runner> = new Map([
  ['jest tests', 'jest'],
  ['vitest tests', 'vitest'],
  ['Mocha Tests', 'mocha'],
]);
const CTEST_STATES: ReadonlySet<string | undefined> = new Set(['run', 'fail', 'notrun', 'disabled']);

/**
 * Recognizes the runner by its report.
 * @param root attributes of `testsuites`, or of the root suite
 * @param suite attributes of the outermost suite around the test case
 */
export function runnerOf(root: Attributes, suite: Attributes, testCase: Attributes): Runner {
  const byRoot = BY_NAME_OF_THE_ROOT.get(root.name ?? '');
  if (byRoot !== undefined) return byRoot;
  if (isPlaywright(root, suite)) return 'playwright';
  if (suite.name === 'pytest' || root.name === 'pytest tests') return 'pytest';
  if (suite.name === 'rspec') return 'rspec';
  if (/surefire/.test(suite['xsi:noNamespaceSchemaLocation'] ?? '')) return 'surefire';
  if (suite.name?.endsWith('.bats')) return 'bats';
  if (testCase.classname === testCase.name && CTEST_STATES.has(testCase.status)) return 'ctest';
  if (suite.assertions !== undefined && suite.warnings !== undefined) return 'phpunit-9';
  if (testCase.assertions !== undefined && /^test_/.test(testCase.name ?? '')) return 'minitest';
  return isRobot(suite, testCase) ? 'robot' : 'other';
}

/** Robot names the class of a test by its suites, and writes no other attributes of a test. */
function isRobot(suite: Attributes, { classname = '', name, time, ...more }: Attributes): boolean {
  const own = suite.name ?? '';
  return (
    own !== '' &&
    (classname === own || classname.startsWith(`${own}.`)) &&
    ['errors', 'failures', 'skipped', 'tests', 'time'].every((count) => suite[count] !== undefined) &&
    name !== undefined &&
    time !== undefined &&
    Object.keys(more).length === 0
  );
}
