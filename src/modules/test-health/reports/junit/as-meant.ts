import type { OpenTestCase } from './test-case';

/** Firebase marks a test that failed and then passed as flaky. The failures of that test belong to earlier attempts. */
export function withAttempts(testCase: OpenTestCase): OpenTestCase {
  if (testCase.attributes.flaky !== 'true') return testCase;
  return { ...testCase, problems: testCase.problems.map((problem) => ({ ...problem, kind: 'flaky' })) };
}

/** For the second attempt of the test `adds`, bats 1.8 writes the name `begin 3 adds`. */
export function withOwnName(testCase: OpenTestCase): OpenTestCase {
  const { name = '' } = testCase.attributes;
  return { ...testCase, attributes: { ...testCase.attributes, name: name.replace(/^begin \d+ /, '') } };
}
