import type { Attributes } from '../bounded-xml';
import type { Runner } from './runner-of';

/** A test case that itself has no failure in the report. */
export interface UnfailedCase {
  readonly attributes: Attributes;
  /** Attributes of the element `skipped`; null: there is no such element. */
  readonly skip: Attributes | null;
  /** The beginning of the text in `skipped`. */
  readonly skipText: string;
  /** Names of the test case's properties. */
  readonly properties: readonly string[];
  /** True: the report of the test case states a failure. */
  readonly isOfFailedRun: boolean;
}

/** `by_history`: the test counts as skipped, and earlier runs show whether the skip was intended. */
type Mark = 'cut_off' | 'by_history' | null;

/**
 * Distinguishes a test that was cut off from a test that was skipped on purpose, by runner. Each row comes from a
 * report in test/fixtures/runners, which the version in the row's comment wrote.
 */
const MARKS: Partial<Record<Runner, (test: UnfailedCase) => Mark>> = {
  // CTest 3.25: the test's program was not built, or a test on which it depends failed. Intended skips name their
  // reason.
  ctest: ({ attributes, skip }) =>
    attributes.status === 'notrun' && !/^SKIP_/.test(skip?.message ?? '') ? 'cut_off' : null,
  // Playwright 1.65: test.skip and test.fixme leave a property `skip` or `fixme`, whether a file, a hook or the test
  // itself calls them.
  playwright: ({ skip, properties }) =>
    skip !== null && !properties.includes('skip') && !properties.includes('fixme') ? 'cut_off' : null,
  // PHPUnit 9.6: a test that runs and skips itself takes time.
  'phpunit-9': ({ attributes, skip }) => (skip !== null && attributes.time === '0.000000' ? 'cut_off' : null),
  // Surefire 3.2 with TestNG 7.10.
  surefire: ({ skip }) => (/ depends on not successfully finished /.test(skip?.message ?? '') ? 'cut_off' : null),
  // The launcher of JUnit 6.1 with --fail-fast.
  other: ({ skipText }) => (/^(?:parent was skipped: )*Execution cancelled$/.test(skipText.trim()) ? 'cut_off' : null),
  // Vitest 3.2 with --bail: the test case has no child element and no time. Type tests have no time either, nor do
  // tests in browsers with a coarse clock.
  vitest: ({ attributes, skip, isOfFailedRun }) =>
    skip === null && isOfFailedRun && attributes.time === '0' ? 'by_history' : null,
};

export function cutOffMarkOf(runner: Runner, test: UnfailedCase): Mark {
  return MARKS[runner]?.(test) ?? null;
}

/** Runners that report a test that was cut off as failed. */
const FAILED_WITHOUT_RUNNING: Partial<Record<Runner, RegExp>> = {
  // Robot 7.5 with --exitonfailure; by its documentation also --exitonerror and Fatal Error.
  robot:
    /^(?:(?:Failure|Error) occurred and exit-on-(?:failure|error) mode is in use\.|Test execution stopped due to a fatal error\.)/,
  // node --test 20, when the suite around the test ended.
  other: /^cancelledByParent$/,
};

/** Whether a failure only says that the test was not run. */
export function isFailureOfCutOff(runner: Runner, { message = '', type = '' }: Attributes): boolean {
  const pattern = FAILED_WITHOUT_RUNNING[runner];
  return pattern !== undefined && (pattern.test(message) || pattern.test(type));
}
