export type ReportedOutcome = 'passed' | 'failed' | 'skipped';

export interface ReportedFailure {
  /** The message of the report; several messages are joined, one per line. May be empty. */
  readonly message: string;
  /** Usually a stack trace. May be empty. */
  readonly text: string;
}

/** One run of one test case. A test that was retried within a report has several. */
export interface ReportedResult {
  readonly name: string;
  readonly classname: string;
  /** Names of the suites around it, outermost first, joined with ` > `. */
  readonly parent: string;
  readonly file: string;
  readonly outcome: ReportedOutcome;
  readonly durationMs: number | null;
  /** The time of the run by the report; null: none, or unreadable. */
  readonly reportedAt: Date | null;
  readonly failure: ReportedFailure | null;
  /** The first line of its test case. */
  readonly line: number;
  /**
   * The failure belongs to a hook, a file that does not load, or a package that does not build. The result is named
   * after it, and is never ignored.
   */
  readonly isOutsideTests?: true;
  /**
   * The report shows that its test was not run because something else failed. It does not count as a result of the
   * test.
   */
  readonly isCutOff?: true;
  /** Parts of its identity as older versions of the service read them, if they differ: it is the same test. */
  readonly formerly?: { readonly parent?: string; readonly file?: string };
  /** The report says that this is one of several attempts of its test case, and not the one that counts. */
  readonly isAttempt?: true;
}

/** A stated total that the report does not reach: some of its results are missing. */
export interface UnmetTotal {
  /** The line of the total. */
  readonly line: number;
  /** The stated and the found number: `"all" states 3 failures and errors, and 2 are in it`. */
  readonly message: string;
}

/**
 * The elements of a report, as other readers count them: a test case is an error, a failure, skipped or passed by its
 * children alone. `results` is the number of results read, with retries and the meaning of attributes.
 */
export interface ReportCounts {
  readonly suites: number;
  readonly tests: number;
  readonly passed: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /** Test cases that failed first, by `flakyFailure` or `flakyError`; they are also counted by their end. */
  readonly flaky: number;
  /**
   * Test cases that failed, were run again and failed again, by `rerunFailure` or `rerunError`; they are also counted
   * by their end.
   */
  readonly rerun: number;
  readonly results: number;
  /** Totals that exceed the contents of the report; absent: its format has no totals. */
  readonly unmetTotals?: readonly UnmetTotal[];
}
