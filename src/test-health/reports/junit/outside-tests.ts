import type { Attributes } from '../bounded-xml';

/**
 * What runners call a test case that is none: Mocha and Cypress a hook, jest-junit a file that does not load and a failed hook,
 * JUnit, Surefire and Gradle a class, gotestsum and go-junit-report a package.
 */
const NAMES: readonly RegExp[] = [
  /"(?:before|after) (?:all|each)" hook\b/,
  /^\s*Test suite failed to run$/,
  /^\s*Test execution failure: could be caused by test hooks/,
  /^(?:initializationError|classMethod|executionError)$/,
  /^(?:TestMain|\[(?:build|setup) failed\])$/,
  // node:test names what it could not run by its path.
  /^(?:\/|[A-Za-z]:\\).+\.[cm]?[jt]sx?$/,
];
/** pytest. */
const MESSAGES = /^(?:collection failure|internal error)$/;

/** Whether the failure of a test case is one of a hook, a file, a class or a package, by what the runner calls it. */
export function isOutsideTests(testCase: Attributes, suiteName: string, problems: readonly Attributes[]): boolean {
  const { name = '', classname = '' } = testCase;
  if (name.trim() === '') return true;
  // Vitest names a file that does not load like the file, Surefire a class like the class.
  if (name === classname && (name === suiteName || /[./]/.test(name))) return true;
  if (NAMES.some((pattern) => pattern.test(name) || pattern.test(classname))) return true;
  return problems.some(({ message = '' }) => MESSAGES.test(message));
}
