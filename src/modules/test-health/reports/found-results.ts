import type { FoundInReport } from './report-reader';
import type { ReportCounts, ReportedOutcome, ReportedResult, UnmetTotal } from './reported-result';

type Counts = { -readonly [Name in keyof Omit<ReportCounts, 'unmetTotals'>]: number };

const COUNTED = { passed: 'passed', failed: 'failures', skipped: 'skipped' } as const satisfies Record<
  ReportedOutcome,
  keyof Counts
>;

/** Results that a reader has found, until the consumer takes them. */
export class FoundResults implements FoundInReport {
  readonly counts: Counts = {
    ...{ suites: 0, tests: 0, passed: 0, failures: 0, errors: 0, skipped: 0 },
    ...{ flaky: 0, rerun: 0, results: 0 },
  };
  readonly unmetTotals: UnmetTotal[] = [];
  private found: ReportedResult[] = [];
  private outside = 0;

  takeResults(): readonly ReportedResult[] {
    const { found } = this;
    if (found.length > 0) this.found = [];
    return found;
  }

  /** @param attempts earlier attempts of the same test, oldest first */
  addTest(result: ReportedResult, attempts: readonly ReportedResult[] = []): void {
    for (const attempt of attempts) this.push({ ...attempt, isAttempt: true });
    this.push(result);
    this.counts.tests++;
    this.counts[COUNTED[result.outcome]]++;
    if (!attempts.some(({ outcome }) => outcome === 'failed')) return;
    if (result.outcome === 'passed') this.counts.flaky++;
    if (result.outcome === 'failed') this.counts.rerun++;
  }

  /** Adds an attempt of a test whose final result is added separately. */
  addAttempt(result: ReportedResult): void {
    this.push({ ...result, isAttempt: true });
  }

  /** Adds a failure outside tests: of a build, a hook or an interrupted run. The failure is named after its place. */
  addOutsideTests(result: ReportedResult): void {
    this.push({ ...result, isOutsideTests: true });
    this.outside++;
  }

  /** The number of results with a failure. */
  get failed(): number {
    return this.counts.failures + this.outside;
  }

  /**
   * Compares the number of failures that the element `name` states with the number found in the element. Call this
   * method when the element has been read to its end.
   */
  compareFailures(name: string, stated: number | null, found: number, line: number): void {
    if (stated === null || stated <= found) return;
    this.unmetTotals.push({ line, message: `${name} states ${stated} failures, but ${found} are in it` });
  }

  private push(result: ReportedResult): void {
    this.counts.results++;
    this.found.push(result);
  }
}

/** The sum of the attributes that are counts; null: no attribute is a count. */
export function statedFailures(...counts: readonly (string | undefined)[]): number | null {
  const stated = counts.filter((text) => text !== undefined && /^\d{1,9}$/.test(text)).map(Number);
  return stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0);
}
