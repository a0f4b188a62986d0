import type { Attributes } from '../bounded-xml';
import type { Runner } from './runner-of';

/** A path, such as a file. */
const PATH = /^[^\s]*[./\\][^\s]*$/;
/** A type with the name of its package. */
const TYPE = /^[\p{L}_$][\p{L}\p{N}_$]*(?:[.\\/$][\p{L}_$][\p{L}\p{N}_$]*)+$/u;
const OF_JEST = /^\s*Test (?:suite failed to run$|execution failure: could be caused by test hooks)/;
const OF_MOCHA = /^(?:.* )?"(?:before|after) (?:all|each)" hook\b/;
/** Names of hooks in Mocha. The pattern is for Mocha only, because tests of other runners may have such titles. */
const OF_MOCHA_ALONE = /^(?:.* )?"(?:before|after) (?:all|each)" hook(?: (?:for|in) ".*"|: .+)$/;
const OF_JUNIT = /^(?:initializationError|classMethod|executionError)$/;
const OF_GO = /^(?:TestMain|\[(?:build|setup) failed\])$/;
/** For a file that it could not run, node:test writes a test case with the path of the file as its name. */
const OF_NODE = /^(?:\/|[A-Za-z]:\\).+\.[cm]?[jt]sx?$/;

/** Whether a name is not the name of a test, but the runner's name for a hook, a file, a class or a package. */
type NamesNoTest = (name: string, classname: string, suite: string) => boolean;

const isOwnClass: NamesNoTest = (name, classname, suite) => name === classname && name === suite && TYPE.test(name);
const isJunitClass: NamesNoTest = (name, classname) => OF_JUNIT.test(name) && TYPE.test(classname);
const isNeverHook: NamesNoTest = () => false;

/** The rules by runner. Without a rule, every name may be the name of a test. */
const RULES: Partial<Record<Runner, NamesNoTest>> = {
  jest: (name, classname) => OF_JEST.test(name) || OF_JEST.test(classname),
  mocha: (name, classname) => OF_MOCHA.test(name) && OF_MOCHA.test(classname),
  // Vitest gives a file that does not load this name.
  vitest: (name, classname, suite) => name === classname && name === suite && PATH.test(name),
  surefire: (...names) => isOwnClass(...names) || isJunitClass(...names),
  ...{ ctest: isNeverHook, playwright: isNeverHook, robot: isNeverHook, rspec: isNeverHook },
};

const OTHERS: NamesNoTest = (name, classname, suite) =>
  OF_JEST.test(classname) ||
  OF_JEST.test(name) ||
  OF_MOCHA_ALONE.test(name) ||
  OF_GO.test(name) ||
  (/^(?:test|suite)$/.test(classname) && OF_NODE.test(name)) ||
  isJunitClass(name, classname, suite) ||
  isOwnClass(name, classname, suite);

/** pytest. */
const MESSAGES = /^(?:collection failure|internal error)$/;

/** Whether the failure of a test case belongs to a hook, a file, a class or a package, by the name of the test case. */
export function isOutsideTests(
  runner: Runner,
  testCase: Attributes,
  suiteName: string,
  problems: readonly Attributes[],
): boolean {
  const { name = '', classname = '' } = testCase;
  if (name.trim() === '') return true;
  if ((RULES[runner] ?? OTHERS)(name, classname, suiteName)) return true;
  return problems.some(({ message = '' }) => MESSAGES.test(message));
}
