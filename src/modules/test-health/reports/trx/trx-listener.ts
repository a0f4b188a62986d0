import type { Attributes, XmlListener } from '../bounded-xml';
import { parseDuration } from '../duration';
import { type FoundResults, statedFailures } from '../found-results';
import { parseReportTime } from '../report-time';
import type { ReportedOutcome, ReportedResult } from '../reported-result';
import { FailureText } from '../failure-text';
import { type TestMethod, WaitingResults } from './waiting-results';

/** All other outcomes mean that a test did not finish: NotExecuted, NotRunnable, Inconclusive, Pending. */
const OUTCOMES: ReadonlyMap<string, ReportedOutcome> = new Map([
  ...['passed', 'passedbutrunaborted', 'warning', 'completed'].map((word) => [word, 'passed'] as const),
  ...['failed', 'error', 'timeout', 'aborted', 'disconnected'].map((word) => [word, 'failed'] as const),
]);

/** xUnit.net's adapter repeats each failed test as an error of the run. */
const REPEATS_A_TEST = /\[FAIL\]\s*$/;

/** An open result; data rows are results inside it. */
interface OpenResult {
  readonly attributes: Attributes;
  readonly line: number;
  readonly failure: FailureText;
  hasRows: boolean;
  hasFailedRow: boolean;
}

/** Makes results from the elements of a TRX file. */
export class TrxListener implements XmlListener {
  private readonly waiting: WaitingResults;
  private readonly names: string[] = [];
  private readonly open_: OpenResult[] = [];
  private method: (TestMethod & { readonly id: string }) | null = null;
  private startedAt: Date | null = null;
  /** The error of the run, while its element is open. */
  private runError: FailureText | null = null;
  private stated: number | null = null;
  private summary: { readonly outcome: string; readonly line: number } | null = null;

  /** The number of failed results, including tests with rows, as the totals count them. */
  private failed = 0;

  constructor(
    fileName: string,
    private readonly found: FoundResults,
  ) {
    this.waiting = new WaitingResults(fileName, (result) => found.addTest(result));
  }

  open(name: string, attributes: Attributes, line: number): void {
    const outer = this.names.at(-1);
    this.names.push(name);
    if ((outer === 'Results' || outer === 'InnerResults') && isResult(name)) {
      this.open_.push({ attributes, line, failure: new FailureText(), hasRows: false, hasFailedRow: false });
      return;
    }
    switch (name) {
      case 'Times':
        this.startedAt = parseReportTime(attributes.start ?? '');
        break;
      case 'UnitTest':
        this.method = { id: attributes.id ?? '', className: '', assembly: assemblyOf(attributes.storage ?? '') };
        break;
      case 'TestMethod':
        if (this.method !== null) this.method = methodOf(this.method, attributes);
        break;
      case 'ResultSummary':
        this.summary = { outcome: attributes.outcome ?? '', line };
        break;
      case 'Counters':
        this.stated = statedFailures(attributes.failed, attributes.error, attributes.timeout, attributes.aborted);
        break;
      case 'RunInfo':
        this.runError = /^(?:error|failed)$/i.test(attributes.outcome ?? '') ? new FailureText() : null;
        break;
    }
  }

  text(piece: string): void {
    const name = this.names.at(-1);
    if (name === 'Text') return this.runError?.addMessage(piece);
    if (this.names.at(-2) !== 'ErrorInfo') return;
    const failure = this.open_.at(-1)?.failure;
    if (name === 'Message') failure?.addMessage(piece);
    if (name === 'StackTrace') failure?.addText(piece);
  }

  close(): void {
    const name = this.names.pop();
    const outer = this.names.at(-1);
    if ((outer === 'Results' || outer === 'InnerResults') && isResult(name ?? '')) this.closeResult();
    else if (name === 'UnitTest') this.closeDefinition();
    else if (name === 'RunInfo') this.closeRunInfo();
    else if (name === 'TestRun') this.closeRun();
  }

  private closeResult(): void {
    const open = this.open_.pop();
    if (open === undefined) return;
    const outcome = outcomeOf(open);
    if (outcome === 'failed') this.failed++;
    const around = this.open_.at(-1);
    if (around !== undefined) {
      around.hasRows = true;
      around.hasFailedRow ||= outcome === 'failed';
    }
    // The result of a test with data rows only sums up the rows, unless the test failed and no row failed.
    if (open.hasRows && !(outcome === 'failed' && !open.hasFailedRow)) return;
    this.waiting.add(open.attributes.testId ?? '', this.resultOf(open, outcome));
  }

  private resultOf({ attributes, line, failure }: OpenResult, outcome: ReportedOutcome): ReportedResult {
    return {
      name: attributes.testName ?? '',
      classname: '',
      parent: '',
      file: '',
      outcome,
      durationMs: attributes.duration === undefined ? null : parseDuration(attributes.duration),
      reportedAt: parseReportTime(attributes.startTime ?? '') ?? this.startedAt,
      failure: outcome === 'failed' ? failure.joined() : null,
      line,
    };
  }

  private closeDefinition(): void {
    if (this.method !== null) this.waiting.define(this.method.id, this.method);
    this.method = null;
  }

  private closeRunInfo(): void {
    const { runError, summary } = this;
    this.runError = null;
    const failure = runError?.joined();
    if (failure === undefined || REPEATS_A_TEST.test(failure.message)) return;
    this.addErrorOfRun(failure, summary?.line ?? 1);
  }

  private closeRun(): void {
    this.waiting.release();
    const { outcome = '', line = 1 } = this.summary ?? {};
    this.found.compareFailures('the test run', this.stated, this.failed, line);
    if (this.found.failed > 0 || !/^(?:failed|error|aborted|timeout)$/i.test(outcome)) return;
    this.addErrorOfRun({ message: `the run ended as ${outcome}, but no test failed`, text: '' }, line);
  }

  private addErrorOfRun(failure: NonNullable<ReportedResult['failure']>, line: number): void {
    const place = { name: 'test run', classname: '', parent: '', file: '' };
    const outcome = 'failed' as const;
    this.found.addOutsideTests({ ...place, outcome, durationMs: null, reportedAt: this.startedAt, failure, line });
  }
}

function isResult(name: string): boolean {
  return name.endsWith('Result') || name === 'TestResultAggregation';
}

/** If the outcome is not definite, the presence of an error decides. */
function outcomeOf({ attributes, failure }: OpenResult): ReportedOutcome {
  return OUTCOMES.get((attributes.outcome ?? '').toLowerCase()) ?? (failure.isEmpty ? 'skipped' : 'failed');
}

function methodOf({ id, assembly }: TestMethod & { readonly id: string }, { className, codeBase }: Attributes) {
  // Older MSTest versions wrote the assembly after the class: Acme.Widgets, Acme.Tests, Version=1.0.0.0, …
  return { id, className: className?.split(',', 1)[0] ?? '', assembly: assemblyOf(codeBase ?? '') || assembly };
}

/** Keeps only the name of the assembly's file, because the folder differs between machines. */
function assemblyOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}
