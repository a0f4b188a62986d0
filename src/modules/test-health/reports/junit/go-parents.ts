import type { ReportedResult } from '../reported-result';

/** What go test prints of a test itself, and not by it. */
const OF_GO = /^(?:=== (?:RUN|PAUSE|CONT|NAME)\b.*|\s*--- FAIL: .*|\s*)$/;

/** Whether the failure of a test of Go has nothing but the lines around it, as where only a subtest failed. */
export function saysNothing({ failure }: ReportedResult): boolean {
  const text = failure?.text ?? '';
  return /^\s*--- FAIL: /m.test(text) && text.split('\n').every((line) => OF_GO.test(line));
}

/** The tests around a subtest, the outermost first: `TestA` and `TestA/b` of `TestA/b/c`. */
export function outerTestsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
