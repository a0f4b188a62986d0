import { beginningOf, MAX_WAITING_CHARACTERS } from '../limits';
import { MalformedReport } from '../malformed-report';
import type { ReportedFailure, ReportedOutcome, ReportedResult } from '../reported-result';

export interface TestMethod {
  readonly className: string;
  /** Name of the assembly's file. */
  readonly assembly: string;
}

/** Half of the memory is for failures. When that half is used up, each further failure is cut to this length. */
const SHORT_FAILURE_CHARACTERS = 1_000;
/** Memory for a result in addition to its text. */
const OVERHEAD_CHARACTERS = 60;
const NO_METHOD: TestMethod = { className: '', assembly: '' };

type Packed = readonly [
  name: string,
  outcome: ReportedOutcome,
  durationMs: number | null,
  at: number | null,
  line: number,
  failure: ReportedFailure | null,
];

/**
 * TRX results until their class is known: most writers put the definitions of tests after the results. They are stored
 * as copied text, because substrings would keep the whole input in memory.
 */
export class WaitingResults {
  private readonly results = new Map<string, string>();
  private readonly methods = new Map<string, TestMethod>();
  private characters = 0;
  private ofFailures = 0;

  constructor(
    private readonly fileName: string,
    private readonly onReady: (result: ReportedResult) => void,
  ) {}

  /** Throws a MalformedReport when too many results wait. */
  add(testId: string, result: ReportedResult): void {
    const method = this.methods.get(testId);
    if (method !== undefined) return this.onReady(named(result, method));
    const { name, outcome, durationMs, reportedAt, line } = result;
    const failure = this.within(result.failure);
    const packed: Packed = [name, outcome, durationMs, reportedAt?.getTime() ?? null, line, failure];
    const text = JSON.stringify(packed);
    const before = this.results.get(testId);
    this.take(text.length + OVERHEAD_CHARACTERS + (before === undefined ? testId.length : 0), line);
    this.results.set(
      before === undefined ? ownText(testId) : testId,
      before === undefined ? text : `${before}\n${text}`,
    );
  }

  define(testId: string, method: TestMethod): void {
    const waiting = this.results.get(testId);
    if (waiting === undefined) {
      if (this.methods.has(testId)) return;
      const { className, assembly } = method;
      this.take(testId.length + className.length + assembly.length + OVERHEAD_CHARACTERS, 1);
      this.methods.set(ownText(testId), { className: ownText(className), assembly: ownText(assembly) });
      return;
    }
    this.results.delete(testId);
    this.characters -= testId.length + waiting.length + OVERHEAD_CHARACTERS * waiting.split('\n').length;
    this.hand(waiting, method);
  }

  /** Releases the results without a definition. */
  release(): void {
    for (const waiting of this.results.values()) this.hand(waiting, NO_METHOD);
    this.results.clear();
  }

  private hand(waiting: string, method: TestMethod): void {
    for (const text of waiting.split('\n')) this.onReady(named(unpacked(text), method));
  }

  private take(characters: number, line: number): void {
    this.characters += characters;
    if (this.characters <= MAX_WAITING_CHARACTERS) return;
    const reason =
      `results and definitions of tests have more than ${MAX_WAITING_CHARACTERS} characters, ` +
      'which is more than a report may have: write one report for each project';
    throw new MalformedReport(this.fileName, { line }, reason);
  }

  private within(failure: ReportedFailure | null): ReportedFailure | null {
    if (failure === null) return null;
    const length = failure.message.length + failure.text.length;
    if (this.ofFailures + length <= MAX_WAITING_CHARACTERS / 2) {
      this.ofFailures += length;
      return failure;
    }
    return {
      message: beginningOf(failure.message, SHORT_FAILURE_CHARACTERS),
      text: beginningOf(failure.text, SHORT_FAILURE_CHARACTERS),
    };
  }
}

function unpacked(text: string): ReportedResult {
  const [name, outcome, durationMs, at, line, failure] = JSON.parse(text) as Packed;
  const reportedAt = at === null ? null : new Date(at);
  return { name, classname: '', parent: '', file: '', outcome, durationMs, reportedAt, failure, line };
}

/** Removes the class from the beginning of a test's name, because only some adapters repeat the class there. */
function named(result: ReportedResult, { className, assembly }: TestMethod): ReportedResult {
  const prefix = `${className}.`;
  const repeats = className !== '' && result.name.startsWith(prefix) && result.name.length > prefix.length;
  const name = repeats ? result.name.slice(prefix.length) : result.name;
  return { ...result, name, classname: className, parent: assembly };
}

function ownText(text: string): string {
  return Buffer.from(text).toString();
}
