import type { Attributes } from '../bounded-xml';
import type { Runner } from './runner-of';

/** A test case that has no failure of its own, as the report has it. */
export interface UnfailedCase {
  readonly attributes: Attributes;
  /** Attributes of its `skipped`; null: it has none. */
  readonly skip: Attributes | null;
  /** The beginning of the text in it. */
  readonly skipText: string;
  /** Names of its properties. */
  readonly properties: ReadonlySet<string>;
  /** The report states a failure. */
  readonly isOfFailedRun: boolean;
}

/** `by_history`: it is read as skipped, and earlier runs say whether it was on purpose. */
type Mark = 'cut_off' | 'by_history' | null;

/**
 * What tells a test that was cut off from one that was skipped on purpose, by runner. Each row was taken from a report of that
 * runner: see test/fixtures/runners. The version is the one that wrote it.
 */
const MARKS: Partial<Record<Runner, (test: UnfailedCase) => Mark>> = {
  // CTest 3.25: the program was not built, or a test that it needs failed. Its own skips name what made them.
  ctest: ({ attributes, skip }) =>
    attributes.status === 'notrun' && !/^SKIP_/.test(skip?.message ?? '') ? 'cut_off' : null,
  // Playwright 1.65: test.skip and test.fixme leave a property of that name, in a file, in a hook or while the test runs.
  playwright: ({ skip, properties }) =>
    skip !== null && !properties.has('skip') && !properties.has('fixme') ? 'cut_off' : null,
  // PHPUnit 9.6: what runs and skips itself takes time.
  'phpunit-9': ({ attributes, skip }) => (skip !== null && attributes.time === '0.000000' ? 'cut_off' : null),
  // Surefire 3.2 with TestNG 7.10.
  surefire: ({ skip }) => (/ depends on not successfully finished /.test(skip?.message ?? '') ? 'cut_off' : null),
  // The launcher of JUnit 6.1 with --fail-fast.
  other: ({ skipText }) => (/^(?:parent was skipped: )*Execution cancelled$/.test(skipText.trim()) ? 'cut_off' : null),
  // Vitest 3.2 with --bail: no child and no time. Type tests, and clocks of browsers, come to no time as well.
  vitest: ({ attributes, skip, isOfFailedRun }) =>
    skip === null && isOfFailedRun && attributes.time === '0' ? 'by_history' : null,
};

export function cutOffMarkOf(runner: Runner, test: UnfailedCase): Mark {
  return MARKS[runner]?.(test) ?? null;
}

/** Runners that write a test that was cut off as a failed one. */
const FAILED_WITHOUT_RUNNING: Partial<Record<Runner, RegExp>> = {
  // Robot 7.5 with --exitonfailure, and what its documentation says of --exitonerror and Fatal Error.
  robot:
    /^(?:(?:Failure|Error) occurred and exit-on-(?:failure|error) mode is in use\.|Test execution stopped due to a fatal error\.)/,
  // node --test 20, where the suite around it ended.
  other: /^cancelledByParent$/,
};

/** Whether a failure only says that the test was not run. */
export function isFailureOfCutOff(runner: Runner, { message = '', type = '' }: Attributes): boolean {
  const pattern = FAILED_WITHOUT_RUNNING[runner];
  return pattern !== undefined && (pattern.test(message) || pattern.test(type));
}
