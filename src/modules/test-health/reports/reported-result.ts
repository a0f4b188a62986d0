export type ReportedOutcome = 'passed' | 'failed' | 'skipped';

export interface ReportedFailure {
  /** The message of the report; several messages are joined, one per line. May be empty. */
  readonly message: string;
  /** Usually a stack trace. May be empty. */
  readonly text: string;
}

/** One run of one test case. A test that was retried within a report has several results. */
export interface ReportedResult {
  readonly name: string;
  readonly classname: string;
  /** Names of the suites around the test, outermost first, joined with ` > `. */
  readonly parent: string;
  readonly file: string;
  readonly outcome: ReportedOutcome;
  readonly durationMs: number | null;
  /** The time of the run that the report states; null: no time, or an unreadable one. */
  readonly reportedAt: Date | null;
  readonly failure: ReportedFailure | null;
  /** The line of the report at which the test case begins. */
  readonly line: number;
  /**
   * The failure belongs to a hook, a file that does not load, or a package that does not build. The result is named
   * after the hook, file or package, and is never ignored.
   */
  readonly isOutsideTests?: true;
  /**
   * The report shows that the test was not run because something else failed. This result does not count as a result of
   * the test.
   */
  readonly isCutOff?: true;
  /**
   * Parts of the test's identity as older versions of the service read them, if they differ. Both identities mean the
   * same test.
   */
  readonly formerly?: { readonly parent?: string; readonly file?: string };
  /** The report says that this result is an attempt of its test case that does not count. */
  readonly isAttempt?: true;
}

/** A stated total that is larger than the number of results in the report: some results are missing. */
export interface UnmetTotal {
  /** The line of the total. */
  readonly line: number;
  /** The stated and the found number: `"all" states 3 failures and errors, but 2 are in it`. */
  readonly message: string;
}

/**
 * The elements of a report, as other programs count them: the child elements alone decide whether a test case is an
 * error, a failure, skipped or passed. `results` is the number of results that were read, including retries and
 * outcomes that attributes state.
 */
export interface ReportCounts {
  readonly suites: number;
  readonly tests: number;
  readonly passed: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /**
   * Test cases with `flakyFailure` or `flakyError`, which failed first. They are also counted by their final outcome.
   */
  readonly flaky: number;
  /**
   * Test cases with `rerunFailure` or `rerunError`, which failed and failed again. They are also counted by their final
   * outcome.
   */
  readonly rerun: number;
  readonly results: number;
  /** Totals that exceed the contents of the report; absent: its format has no totals. */
  readonly unmetTotals?: readonly UnmetTotal[];
}
