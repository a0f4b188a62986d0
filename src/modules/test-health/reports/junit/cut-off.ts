import type { Attributes } from '../bounded-xml';
import type { Runner } from './runner-of';

/** A test case of the report without a failure of its own. */
export interface UnfailedCase {
  readonly attributes: Attributes;
  /** Attributes of its `skipped`; null: none. */
  readonly skip: Attributes | null;
  /** The beginning of the text in it. */
  readonly skipText: string;
  /** Names of its properties. */
  readonly properties: readonly string[];
  /** The report states a failure. */
  readonly isOfFailedRun: boolean;
}

/** `by_history`: it counts as skipped, and earlier runs show whether that was intended. */
type Mark = 'cut_off' | 'by_history' | null;

/**
 * Tells a test that was cut off from one that was skipped on purpose, by runner. Each row comes from a report of that
 * runner: see test/fixtures/runners. The version wrote that report.
 */
const MARKS: Partial<Record<Runner, (test: UnfailedCase) => Mark>> = {
  // CTest 3.25: the program was not built, or a test that it needs failed. Its own skips name their reason.
  ctest: ({ attributes, skip }) =>
    attributes.status === 'notrun' && !/^SKIP_/.test(skip?.message ?? '') ? 'cut_off' : null,
  // Playwright 1.65: test.skip and test.fixme leave a property of that name, in a file, in a hook or while the test
  // runs.
  playwright: ({ skip, properties }) =>
    skip !== null && !properties.includes('skip') && !properties.includes('fixme') ? 'cut_off' : null,
  // PHPUnit 9.6: a test that runs and skips itself takes time.
  'phpunit-9': ({ attributes, skip }) => (skip !== null && attributes.time === '0.000000' ? 'cut_off' : null),
  // Surefire 3.2 with TestNG 7.10.
  surefire: ({ skip }) => (/ depends on not successfully finished /.test(skip?.message ?? '') ? 'cut_off' : null),
  // The launcher of JUnit 6.1 with --fail-fast.
  other: ({ skipText }) => (/^(?:parent was skipped: )*Execution cancelled$/.test(skipText.trim()) ? 'cut_off' : null),
  // Vitest 3.2 with --bail: no child and no time. Type tests, and coarse clocks of browsers, have no time either.
  vitest: ({ attributes, skip, isOfFailedRun }) =>
    skip === null && isOfFailedRun && attributes.time === '0' ? 'by_history' : null,
};

export function cutOffMarkOf(runner: Runner, test: UnfailedCase): Mark {
  return MARKS[runner]?.(test) ?? null;
}

/** Runners that write a test that was cut off as a failed one. */
const FAILED_WITHOUT_RUNNING: Partial<Record<Runner, RegExp>> = {
  // Robot 7.5 with --exitonfailure; by its documentation also --exitonerror and Fatal Error.
  robot:
    /^(?:(?:Failure|Error) occurred and exit-on-(?:failure|error) mode is in use\.|Test execution stopped due to a fatal error\.)/,
  // node --test 20, when the suite around it ended.
  other: /^cancelledByParent$/,
};

/** Whether a failure only says that the test was not run. */
export function isFailureOfCutOff(runner: Runner, { message = '', type = '' }: Attributes): boolean {
  const pattern = FAILED_WITHOUT_RUNNING[runner];
  return pattern !== undefined && (pattern.test(message) || pattern.test(type));
}
