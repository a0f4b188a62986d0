import type { ReportedResult } from '../reported-result';
import type { Runner } from './runner-of';

const MOST_NAMES = 20_000;

/** Names that a report has used so far, because some runners write several test cases about one test or suite. */
export class SeenNames {
  private readonly failed = new Set<string>();
  private readonly suites = new Set<string>();
  private readonly withFailedSubtest = new Set<string>();

  /** Whether the test may have failed in an earlier test case. */
  mayHaveFailed(result: ReportedResult): boolean {
    return this.failed.size >= MOST_NAMES || this.failed.has(keyOf(result, result.name));
  }

  /**
   * Whether the result has the name of a suite of earlier tests: Vitest writes a test case for a suite whose hook
   * failed.
   */
  isSuite(result: ReportedResult): boolean {
    return this.suites.has(keyOf(result, result.name));
  }

  /** Whether the result only repeats that an earlier subtest failed, as gotestsum writes Go tests. */
  carriesFailure(result: ReportedResult): boolean {
    return this.withFailedSubtest.has(keyOf(result, result.name)) && saysNothing(result);
  }

  add(runner: Runner, result: ReportedResult): void {
    if (runner === 'pytest' && result.outcome === 'failed') remember(this.failed, keyOf(result, result.name));
    if (runner === 'other' && result.outcome === 'failed' && /^\s*--- FAIL: /m.test(result.failure?.text ?? '')) {
      for (const name of outerTestsOf(result.name)) remember(this.withFailedSubtest, keyOf(result, name));
    }
    if (runner !== 'vitest') return;
    const names = result.name.split(' > ');
    for (let depth = 1; depth < names.length; depth++) {
      remember(this.suites, keyOf(result, names.slice(0, depth).join(' > ')));
    }
  }
}

function remember(names: Set<string>, name: string): void {
  if (names.size < MOST_NAMES) names.add(name);
}

/** U+0000 separates the parts safely, because no report contains it. */
function keyOf({ classname, file, parent }: ReportedResult, name: string): string {
  return [parent, file, classname, name].join('\0');
}

/** Lines that go test itself prints about a test. */
const OF_GO = /^(?:=== (?:RUN|PAUSE|CONT|NAME)\b.*|\s*--- FAIL: .*|\s*)$/;

/**
 * Whether the failure of a Go test consists only of lines that go test itself prints, because only a subtest failed.
 */
function saysNothing({ failure }: ReportedResult): boolean {
  const text = failure?.text ?? '';
  return /^\s*--- FAIL: /m.test(text) && text.split('\n').every((line) => OF_GO.test(line));
}

/** The tests around a subtest, outermost first: `TestA` and `TestA/b` for `TestA/b/c`. */
function outerTestsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
