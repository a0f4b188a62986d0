import type { Attributes, XmlListener } from '../bounded-xml';
import { parseDuration } from '../duration';
import { FailureText } from '../failure-text';
import { type FoundResults, statedFailures } from '../found-results';
import { parseReportTime } from '../report-time';
import type { ReportedOutcome, ReportedResult } from '../reported-result';

/** Skip and NotRun are neither passed nor failed. */
const OUTCOMES: ReadonlyMap<string, ReportedOutcome> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
]);

interface OpenAssembly {
  readonly attributes: Attributes;
  readonly line: number;
  /** The number of failures that were found before the assembly began. */
  readonly before: number;
  readonly name: string;
  readonly startedAt: Date | null;
}

interface OpenFailing {
  readonly is: 'test' | 'error';
  readonly attributes: Attributes;
  readonly line: number;
  readonly failure: FailureText;
}

const NO_ASSEMBLY: OpenAssembly = { attributes: {}, line: 1, before: 0, name: '', startedAt: null };

/** Makes results from the elements of xUnit.net's XML, version 2. */
export class XunitListener implements XmlListener {
  private readonly names: string[] = [];
  private assembly = NO_ASSEMBLY;
  private opened: OpenFailing | null = null;

  constructor(private readonly found: FoundResults) {}

  open(name: string, attributes: Attributes, line: number): void {
    this.names.push(name);
    if (name === 'assembly') this.assembly = assemblyOf(attributes, line, this.found.failed);
    else if (name === 'collection') this.found.counts.suites++;
    else if (name === 'test' || (name === 'error' && this.opened === null)) {
      this.opened = { is: name, attributes, line, failure: new FailureText() };
    }
  }

  text(piece: string): void {
    if (this.names.at(-2) !== 'failure') return;
    const name = this.names.at(-1);
    if (name === 'message') this.opened?.failure.addMessage(piece);
    if (name === 'stack-trace') this.opened?.failure.addText(piece);
  }

  close(): void {
    const name = this.names.pop();
    if (name === 'assembly') this.compareTotals(this.assembly);
    const { opened } = this;
    if (opened === null || name !== opened.is) return;
    this.opened = null;
    if (opened.is === 'test') this.found.addTest(testOf(opened, this.assembly));
    else this.found.addOutsideTests(errorOf(opened, this.assembly));
  }

  private compareTotals({ attributes, line, before, name }: OpenAssembly): void {
    const stated = statedFailures(attributes.failed, attributes.errors);
    this.found.compareFailures(name || 'the assembly', stated, this.found.failed - before, line);
  }
}

function assemblyOf(attributes: Attributes, line: number, before: number): OpenAssembly {
  // `start-rtf`, the newer attribute, has a time zone. The older attributes have local time without a zone.
  const at = attributes['start-rtf'] ?? `${attributes['run-date'] ?? ''}T${attributes['run-time'] ?? ''}`;
  const name = attributes.name?.split(/[\\/]/).at(-1) ?? '';
  return { attributes, line, before, name, startedAt: parseReportTime(at) };
}

function testOf({ attributes, line, failure }: OpenFailing, assembly: OpenAssembly): ReportedResult {
  const { name = '', type = '', time } = attributes;
  const outcome = OUTCOMES.get((attributes.result ?? '').toLowerCase()) ?? (failure.isEmpty ? 'skipped' : 'failed');
  const prefix = `${type}.`;
  const repeats = type !== '' && name.startsWith(prefix) && name.length > prefix.length;
  return {
    name: repeats ? name.slice(prefix.length) : name,
    classname: type,
    parent: assembly.name,
    file: attributes['source-file'] ?? '',
    outcome,
    durationMs: time === undefined ? null : parseDuration(time),
    reportedAt: parseReportTime(attributes['start-rtf'] ?? '') ?? assembly.startedAt,
    failure: outcome === 'failed' ? failure.joined() : null,
    line,
  };
}

/**
 * An error outside tests: the type of the error says whether it belongs to the end of a fixture, a class or the
 * assembly.
 */
function errorOf({ attributes, line, failure }: OpenFailing, { name, startedAt }: OpenAssembly): ReportedResult {
  return {
    name: attributes.name || attributes.type || 'error',
    classname: '',
    parent: name,
    file: '',
    outcome: 'failed',
    durationMs: null,
    reportedAt: startedAt,
    failure: failure.joined(),
    line,
  };
}
