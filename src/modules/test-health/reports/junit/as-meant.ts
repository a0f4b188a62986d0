import type { OpenTestCase } from './test-case';

/** Firebase says of a test that failed and then passed that it is flaky: what it has are failures of attempts. */
export function withAttempts(testCase: OpenTestCase): OpenTestCase {
  if (testCase.attributes.flaky !== 'true') return testCase;
  return { ...testCase, problems: testCase.problems.map((problem) => ({ ...problem, kind: 'flaky' })) };
}

/** After a test that was tried again, bats 1.8 writes `begin 3 adds` for the test `adds`. */
export function withOwnName(testCase: OpenTestCase): OpenTestCase {
  const { name = '' } = testCase.attributes;
  return { ...testCase, attributes: { ...testCase.attributes, name: name.replace(/^begin \d+ /, '') } };
}
