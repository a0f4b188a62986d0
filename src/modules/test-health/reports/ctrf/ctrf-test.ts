import type { JsonScalar } from '../bounded-json';
import { durationOfMs } from '../duration';
import { cutTo, MAX_ATTRIBUTE_CHARACTERS, MAX_FAILURE_TEXT_CHARACTERS } from '../limits';
import { parseReportTime } from '../report-time';
import type { ReportedFailure, ReportedOutcome, ReportedResult } from '../reported-result';
import { replaceUnstorableCharacters } from '../xml-characters';

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  other: 'skipped',
} as const satisfies Record<string, ReportedOutcome>;

type Status = keyof typeof OUTCOMES;

/** Raw results that are failures, although CTRF has no word for them. */
const RAW_FAILURES = /^(?:timed ?_?out|interrupted|errore?d?|broken|aborted|crashed|failed|failure)$/i;

const MAX_SUITES = 200;
/** The attempts of a test that are kept. */
const MAX_ATTEMPTS = 20;

export function isStatus(value: JsonScalar): value is Status {
  return typeof value === 'string' && Object.hasOwn(OUTCOMES, value);
}

/** The fields of a test or of one attempt. */
interface Fields {
  status: Status | null;
  rawStatus: string;
  duration: number | null;
  start: Date | null;
  message: string;
  trace: string;
}

/** An element of `tests`, while it is read. */
export class CtrfTest {
  name: string | null = null;
  private readonly own = noFields();
  private file = '';
  private suite = '';
  private readonly suites: string[] = [];
  private retries: number | null = null;
  private isFlaky = false;
  private readonly attempts: Fields[] = [];
  private attempt: Fields | null = null;

  constructor(readonly line: number) {}

  get status(): Status | null {
    return this.own.status;
  }

  addSuite(value: JsonScalar): void {
    if (typeof value === 'string' && this.suites.length < MAX_SUITES) this.suites.push(kept(value));
  }

  openAttempt(): void {
    this.attempt = noFields();
  }

  closeAttempt(): void {
    if (this.attempt !== null && this.attempts.length <= MAX_ATTEMPTS) this.attempts.push(this.attempt);
    this.attempt = null;
  }

  set(of: 'test' | 'attempt', key: string, value: JsonScalar): void {
    setField(of === 'test' ? this.own : (this.attempt ?? noFields()), key, value);
    if (of === 'attempt') return;
    if (key === 'name' && typeof value === 'string') this.name = kept(value);
    else if (key === 'filePath' && typeof value === 'string') this.file = kept(value);
    else if (key === 'suite' && typeof value === 'string') this.suite = kept(value);
    else if (key === 'retries' && typeof value === 'number') this.retries = value;
    else if (key === 'flaky') this.isFlaky = value === true;
  }

  result(): ReportedResult {
    return this.resultOf(this.own);
  }

  /**
   * The attempts before the last one. Some writers also list the last attempt. Other writers only count retries, which
   * proves that a flaky test failed before it passed.
   */
  earlierAttempts(): readonly ReportedResult[] {
    const isLastListed = this.retries === null || this.attempts.length > this.retries;
    const earlier = isLastListed ? this.attempts.slice(0, -1) : this.attempts;
    if (earlier.length > 0) return earlier.slice(0, MAX_ATTEMPTS).map((attempt) => this.resultOf(attempt));
    if (!this.isFlaky || outcomeOf(this.own) !== 'passed') return [];
    const { message, trace } = this.own;
    return [this.resultOf({ ...noFields(), status: 'failed', message, trace })];
  }

  private resultOf(fields: Fields): ReportedResult {
    const outcome = outcomeOf(fields);
    return {
      name: this.name ?? '',
      classname: '',
      parent: cutTo(MAX_ATTRIBUTE_CHARACTERS, this.suites.length > 0 ? this.suites.join(' > ') : this.suite),
      file: this.file,
      outcome,
      durationMs: fields.duration,
      reportedAt: fields.start ?? this.own.start,
      failure: outcome === 'failed' ? failureOf(fields) : null,
      line: this.line,
    };
  }
}

function noFields(): Fields {
  return { status: null, rawStatus: '', duration: null, start: null, message: '', trace: '' };
}

function setField(fields: Fields, key: string, value: JsonScalar): void {
  if (key === 'status' && isStatus(value)) fields.status = value;
  else if (key === 'duration' && typeof value === 'number') fields.duration = durationOfMs(value);
  else if (key === 'start' && value !== null) fields.start = parseReportTime(String(value));
  else if (typeof value !== 'string') return;
  else if (key === 'rawStatus') fields.rawStatus = value.slice(0, 40);
  else if (key === 'message') fields.message = kept(value);
  else if (key === 'trace') fields.trace = cutTo(MAX_FAILURE_TEXT_CHARACTERS, replaceUnstorableCharacters(value));
}

function outcomeOf({ status, rawStatus }: Fields): ReportedOutcome {
  return status === 'other' && RAW_FAILURES.test(rawStatus) ? 'failed' : OUTCOMES[status ?? 'other'];
}

function failureOf({ message, trace }: Fields): ReportedFailure {
  return { message: message.trim(), text: trace.trim() };
}

function kept(text: string): string {
  return cutTo(MAX_ATTRIBUTE_CHARACTERS, replaceUnstorableCharacters(text));
}
