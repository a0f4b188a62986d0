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

const COUNTS_OF_ROBOT = ['errors', 'failures', 'skipped', 'tests', 'time'];

/**
 * Recognizes the runner of a test case by its report. It recognizes the runner of a suite once for all test cases of
 * the suite.
 */
export class RunnerReader {
  private suite: Attributes | null = null;
  private bySuite: Runner | null = null;
  private isPhpunit9 = false;
  private mayBeRobot = false;

  /**
   * @param root attributes of `testsuites`, or of the root suite
   * @param suite attributes of the outermost suite around the test case
   */
  runnerOf(root: Attributes, suite: Attributes, testCase: Attributes): Runner {
    if (suite !== this.suite) this.readSuite(root, suite);
    if (this.bySuite !== null) return this.bySuite;
    if (testCase.classname === testCase.name && CTEST_STATES.has(testCase.status)) return 'ctest';
    if (this.isPhpunit9) return 'phpunit-9';
    if (testCase.assertions !== undefined && testCase.name?.startsWith('test_')) return 'minitest';
    return this.mayBeRobot && isCaseOfRobot(suite.name ?? '', testCase) ? 'robot' : 'other';
  }

  private readSuite(root: Attributes, suite: Attributes): void {
    this.suite = suite;
    this.bySuite = runnerOfSuite(root, suite);
    this.isPhpunit9 = suite.assertions !== undefined && suite.warnings !== undefined;
    this.mayBeRobot = Boolean(suite.name) && COUNTS_OF_ROBOT.every((count) => suite[count] !== undefined);
  }
}

function runnerOfSuite(root: Attributes, suite: Attributes): Runner | null {
  const byRoot = BY_NAME_OF_THE_ROOT.get(root.name ?? '');
  if (byRoot !== undefined) return byRoot;
  if (isPlaywright(root, suite)) return 'playwright';
  if (suite.name === 'pytest' || root.name === 'pytest tests') return 'pytest';
  if (suite.name === 'rspec') return 'rspec';
  if (/surefire/.test(suite['xsi:noNamespaceSchemaLocation'] ?? '')) return 'surefire';
  return suite.name?.endsWith('.bats') ? 'bats' : null;
}

/** In Robot's reports, the class of a test is the path of its suites, and a test has no further attributes. */
function isCaseOfRobot(suiteName: string, testCase: Attributes): boolean {
  const { classname = '', name, time } = testCase;
  const isInSuite =
    classname.startsWith(suiteName) && (classname.length === suiteName.length || classname[suiteName.length] === '.');
  return isInSuite && name !== undefined && time !== undefined && Object.keys(testCase).length === 3;
}
