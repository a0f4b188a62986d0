import type { Attributes } from '../bounded-xml';
import { fileOf, type Surroundings, timeOf } from './test-case';

export const NOWHERE: Surroundings = {
  suite: '',
  parent: '',
  file: '',
  siblingFile: '',
  project: '',
  reportedAt: null,
  outermost: {},
};

/** The facts of a suite about its test cases, added to the facts of the suites around it. */
export function within(outside: Surroundings, suite: Attributes): Surroundings {
  const name = suite.name ?? '';
  // Some runners wrap a suite in a second suite with the same name.
  const isNew = name !== '' && name !== outside.suite;
  return {
    suite: isNew ? name : outside.suite,
    parent: !isNew ? outside.parent : outside.parent === '' ? name : `${outside.parent} > ${name}`,
    file: fileOf(suite) || outside.file,
    siblingFile: outside.siblingFile,
    project: outside.project,
    reportedAt: timeOf(suite) ?? outside.reportedAt,
    outermost: outside === NOWHERE ? suite : outside.outermost,
  };
}
