export type ReportedOutcome = 'passed' | 'failed' | 'skipped';

export interface ReportedFailure {
  /** What the report calls the message; several are joined, a line each. May be empty. */
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
  /** When it ran, as the report says it; null where it does not, or not readably. */
  readonly reportedAt: Date | null;
  readonly failure: ReportedFailure | null;
  /** Where its test case begins. */
  readonly line: number;
  /**
   * The failure belongs to no test, but to a hook, to a file that does not load, to a package that does not build. Such a result
   * has the name of what failed. It is never forgiven.
   */
  readonly isOutsideTests?: true;
  /** The report shows that its test was not run because something else failed. It is no result of the test. */
  readonly isCutOff?: true;
  /** Parts of its identity as older versions of the service read them, where that differs: it is the same test. */
  readonly formerly?: { readonly parent?: string; readonly file?: string };
  /** The report says that it is one of several attempts of its test case, and not the one that counts. */
  readonly isAttempt?: true;
}

/** A total that a report states and does not reach: a part of what happened is missing from it. */
export interface UnmetTotal {
  /** Where it is stated. */
  readonly line: number;
  /** What is stated, and what was found: `"all" states 3 failures and errors, and 2 are in it`. */
  readonly message: string;
}

/**
 * What the elements of a report say, as other readers count them: a test case is an error, a failure, skipped or
 * passed by its children alone. `results` is how many were read, with retries and with what attributes mean.
 */
export interface ReportCounts {
  readonly suites: number;
  readonly tests: number;
  readonly passed: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /** Test cases that failed first, by `flakyFailure` or `flakyError`; they are counted by their end as well. */
  readonly flaky: number;
  /** Test cases that failed, were run again and failed again, by `rerunFailure` or `rerunError`; by their end as well. */
  readonly rerun: number;
  readonly results: number;
  /** Totals of the report that exceed what is in it; none where its format has no totals. */
  readonly unmetTotals?: readonly UnmetTotal[];
}
