import type { Attributes, XmlListener } from '../bounded-xml';
import { parseDuration } from '../duration';
import { FailureText } from '../failure-text';
import { type FoundResults, statedFailures } from '../found-results';
import { parseReportTime } from '../report-time';
import type { ReportedOutcome, ReportedResult } from '../reported-result';

/** Skipped and Inconclusive are neither passed nor failed. A test with a warning passes. */
const OUTCOMES: ReadonlyMap<string, ReportedOutcome> = new Map([
  ['passed', 'passed'],
  ['warning', 'passed'],
  ['failed', 'failed'],
]);

interface OpenElement {
  readonly is: 'suite' | 'case';
  readonly attributes: Attributes;
  readonly line: number;
  readonly failure: FailureText;
  /** The names of the suites from the outermost to this one, joined with ` > `. */
  readonly path: string;
  hasFailedTest: boolean;
}

/** Makes results from NUnit 3 elements. */
export class NunitListener implements XmlListener {
  private readonly names: string[] = [];
  private readonly opened: OpenElement[] = [];
  private root: { readonly attributes: Attributes; readonly line: number } | null = null;

  constructor(private readonly found: FoundResults) {}

  open(name: string, attributes: Attributes, line: number): void {
    this.names.push(name);
    this.root ??= { attributes, line };
    if (name !== 'test-suite' && name !== 'test-case') return;
    const outer = this.opened.at(-1)?.path ?? '';
    const is = name === 'test-suite' ? 'suite' : 'case';
    const path = is === 'case' ? outer : joined(outer, attributes.name ?? '');
    if (is === 'suite') this.found.counts.suites++;
    this.opened.push({ is, attributes, line, failure: new FailureText(), path, hasFailedTest: false });
  }

  /** Only the text directly in `failure` is kept, because `assertions` repeats it. */
  text(piece: string): void {
    if (this.names.at(-2) !== 'failure') return;
    const open = this.opened.at(-1);
    // A suite around a failed test only repeats the test's failure.
    if (open === undefined || isOfChildren(open)) return;
    const name = this.names.at(-1);
    if (name === 'message') open.failure.addMessage(piece);
    if (name === 'stack-trace') open.failure.addText(piece);
  }

  close(): void {
    const name = this.names.pop();
    if (this.names.length === 0 && this.root !== null) this.compareTotals(this.root);
    if (name !== 'test-suite' && name !== 'test-case') return;
    const closed = this.opened.pop();
    if (closed === undefined) return;
    const around = this.opened.at(-1);
    const parent = around?.path ?? '';
    const outcome = OUTCOMES.get((closed.attributes.result ?? '').toLowerCase()) ?? 'skipped';
    if (closed.is === 'case') this.found.addTest(resultOf(closed, parent, outcome));
    else if (outcome === 'failed' && hasFailedItself(closed)) {
      this.found.addOutsideTests(resultOf(closed, parent, outcome));
    }
    if (around !== undefined) around.hasFailedTest ||= closed.hasFailedTest || outcome === 'failed';
  }

  private compareTotals({ attributes, line }: { readonly attributes: Attributes; readonly line: number }): void {
    this.found.compareFailures('the test run', statedFailures(attributes.failed), this.found.failed, line);
  }
}

function resultOf(
  { attributes, line, failure }: OpenElement,
  parent: string,
  outcome: ReportedOutcome,
): ReportedResult {
  return {
    name: attributes.name ?? '',
    classname: attributes.classname ?? '',
    parent,
    file: '',
    outcome,
    durationMs: attributes.duration === undefined ? null : parseDuration(attributes.duration),
    reportedAt: parseReportTime(attributes['start-time'] ?? ''),
    failure: outcome === 'failed' ? messageOf(failure, attributes) : null,
    line,
  };
}

/** A cancelled or timed out test has a label instead of a message. */
function messageOf(failure: FailureText, { label = '' }: Attributes) {
  const said = failure.joined();
  return failure.isEmpty ? { ...said, message: label } : said;
}

function isOfChildren({ is, attributes: { site = '' } }: OpenElement): boolean {
  return is === 'suite' && /^(?:child|parent)$/i.test(site);
}

/** Whether a suite failed itself: for example, its set-up threw, or an assembly could not be loaded. */
function hasFailedItself(suite: OpenElement): boolean {
  if (isOfChildren(suite)) return false;
  return /^(?:setup|teardown)$/i.test(suite.attributes.site ?? '') || !suite.hasFailedTest;
}

function joined(outer: string, name: string): string {
  return outer === '' || name === '' ? outer || name : `${outer} > ${name}`;
}
