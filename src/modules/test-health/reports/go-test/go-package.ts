import { durationOfMs } from '../duration';
import type { FoundResults } from '../found-results';
import { MAX_WAITING_CHARACTERS } from '../limits';
import { parseReportTime } from '../report-time';
import type { ReportedFailure, ReportedOutcome, ReportedResult } from '../reported-result';
import type { GoEvent } from './go-event';
import { append, failureOf, isCrash, isFrame } from './go-output';

/** The total size of the kept texts of all open tests. */
export interface HeldText {
  characters: number;
}

interface OpenTest {
  readonly line: number;
  readonly time: string;
  /** False: the test has no start event, like a benchmark. */
  readonly hasBegun: boolean;
  output: string;
  /** Output that Go itself marks as an error. */
  errors: string;
  hasFailedSubtest: boolean;
}

const OUTCOMES: Readonly<Record<string, ReportedOutcome>> = {
  pass: 'passed',
  bench: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

/** The nesting of subtests that is kept. */
const MAX_ANCESTORS = 20;

/** A running package of `go test -json`, with its open tests. */
export class GoPackage {
  isBegun = false;
  private readonly tests = new Map<string, OpenTest>();
  /** Ended tests, each with all its runs. */
  private readonly ended = new Map<string, ReportedResult[]>();
  private output = '';
  private hasFailed = false;
  private marksErrors = false;

  constructor(
    private readonly name: string,
    private readonly line: number,
    private readonly held: HeldText,
  ) {
    held.characters += name.length + OVERHEAD_CHARACTERS;
  }

  /** Returns whether the package has ended. @param buildOutput the output of the package's failed build */
  apply(event: GoEvent, line: number, found: FoundResults, buildOutput: () => string): boolean {
    const { action, test } = event;
    if (action === 'start' || action === 'run') this.isBegun = true;
    if (action === 'run') this.open(event, line);
    if (action === 'output') this.addOutput(event, line);
    const outcome = Object.hasOwn(OUTCOMES, action) ? OUTCOMES[action] : undefined;
    if (outcome === undefined) return false;
    if (test !== '') this.closeTest(event, line, outcome, found);
    else this.close(event, outcome, found, buildOutput);
    return test === '';
  }

  /** Frees the memory of the package. Call this method when the package has ended. */
  giveBack(): void {
    for (const [name, test] of this.tests) this.held.characters -= heldBy(name, test);
    this.held.characters -= this.output.length + this.name.length + OVERHEAD_CHARACTERS;
    this.tests.clear();
  }

  /**
   * Each name is one test, so repeated runs by -count belong to the same test. The test's result is the run that
   * decides the result of go test: a failed run if any run failed.
   */
  private handOver(found: FoundResults): void {
    for (const runs of this.ended.values()) {
      const counts = runs.findLast(({ outcome }) => outcome === 'failed') ?? runs[0];
      for (const run of runs) {
        if (run === counts) found.addTest(run);
        else found.addAttempt(run);
        this.held.characters -= heldByResult(run);
      }
    }
    this.ended.clear();
  }

  private keep(result: ReportedResult, found: FoundResults): void {
    const runs = this.ended.get(result.name);
    if (runs === undefined) this.ended.set(result.name, [result]);
    else runs.push(result);
    this.held.characters += heldByResult(result);
    // A package with this many tests does not run each test several times, so ended tests need not wait for more runs.
    if (this.held.characters > MAX_WAITING_CHARACTERS / 2) this.handOver(found);
  }

  private open({ action, test, time }: GoEvent, line: number): OpenTest {
    const before = this.tests.get(test);
    if (before !== undefined) this.held.characters -= heldBy(test, before);
    const opened = { line, time, hasBegun: action === 'run', output: '', errors: '', hasFailedSubtest: false };
    this.held.characters += heldBy(test, opened);
    this.tests.set(test, opened);
    return opened;
  }

  private addOutput(event: GoEvent, line: number): void {
    const { test, output, outputType } = event;
    if (outputType !== '') this.marksErrors = true;
    if (outputType === 'frame' || isFrame(output)) return;
    // Output is kept while there is memory; above the limit tests end without a message.
    if (this.held.characters > MAX_WAITING_CHARACTERS / 2) return;
    const held = this.output.length;
    if (test === '') {
      this.output = append(this.output, output);
      this.held.characters += this.output.length - held;
      return;
    }
    const open = this.tests.get(test) ?? this.open(event, line);
    const before = heldBy(test, open);
    open.output = append(open.output, output);
    if (outputType.startsWith('error')) open.errors = append(open.errors, output);
    this.held.characters += heldBy(test, open) - before;
  }

  private closeTest(event: GoEvent, line: number, outcome: ReportedOutcome, found: FoundResults): void {
    const open = this.tests.get(event.test);
    if (open !== undefined) this.held.characters -= heldBy(event.test, open);
    this.tests.delete(event.test);
    if (outcome === 'failed') {
      this.hasFailed = true;
      const around = this.nearestAround(event.test);
      if (around !== undefined) around.hasFailedSubtest = true;
      // The failed subtest has the failure, so the outer test is not added.
      if (open !== undefined && open.hasFailedSubtest && !this.hasFailedItself(open)) return;
    }
    const { elapsedSeconds } = event;
    const result: ReportedResult = {
      name: event.test,
      classname: '',
      parent: this.name,
      file: '',
      outcome,
      durationMs: elapsedSeconds === null ? null : durationOfMs(elapsedSeconds * 1_000),
      reportedAt: parseReportTime(open?.time || event.time),
      failure: outcome === 'failed' ? failureOf(open?.errors || (open?.output ?? '')) : null,
      line: open?.line ?? line,
    };
    this.keep(result, found);
  }

  /** Whether a test with a failed subtest also failed outside its subtests. */
  private hasFailedItself({ output, errors }: OpenTest): boolean {
    return this.marksErrors ? errors !== '' || isCrash(output) : output.trim() !== '';
  }

  private nearestAround(test: string): OpenTest | undefined {
    let end = test.lastIndexOf('/');
    for (let step = 0; end > 0 && step < MAX_ANCESTORS; step++, end = test.lastIndexOf('/', end - 1)) {
      const around = this.tests.get(test.slice(0, end));
      if (around !== undefined) return around;
    }
    return undefined;
  }

  /**
   * Adds tests without an end event. In a passed package these tests passed, and their own output hid the event. In a
   * failed package the crashed test failed, and the result of all other open tests is unknown.
   */
  private close(event: GoEvent, outcome: ReportedOutcome, found: FoundResults, buildOutput: () => string): void {
    // The innermost test comes first, because it crashed and the tests around it did not fail themselves.
    for (const [test, { output, hasBegun }] of [...this.tests].reverse()) {
      if (!hasBegun) continue;
      const ended: GoEvent = { ...NO_EVENT, test, time: event.time };
      if (outcome === 'passed') this.closeTest(ended, this.line, 'passed', found);
      else if (outcome === 'failed' && isCrash(output)) this.closeTest(ended, this.line, 'failed', found);
    }
    this.handOver(found);
    if (outcome !== 'failed' || this.hasFailed) return;
    const said = failureOf(append(buildOutput(), this.output));
    const message =
      said.message || (event.failedBuild === '' ? 'the package failed, but none of its tests did' : 'build failed');
    const failure = { ...said, message };
    found.addOutsideTests(failureOfPackage(this.name, failure, parseReportTime(event.time), this.line));
  }
}

/** A failure of a package outside its tests, named after the package. */
export function failureOfPackage(
  name: string,
  failure: ReportedFailure,
  reportedAt: Date | null,
  line: number,
): ReportedResult {
  const place = { name, classname: '', parent: '', file: '' };
  return { ...place, outcome: 'failed', durationMs: null, reportedAt, failure, line };
}

const NO_EVENT: GoEvent = {
  ...{ action: '', package: '', test: '', output: '', outputType: '', time: '' },
  ...{ elapsedSeconds: null, importPath: '', failedBuild: '' },
};

/** Memory for a test in addition to its texts. */
const OVERHEAD_CHARACTERS = 200;

function heldByResult({ name, failure }: ReportedResult): number {
  return name.length + (failure?.message.length ?? 0) + (failure?.text.length ?? 0) + OVERHEAD_CHARACTERS;
}

function heldBy(name: string, { output, errors }: OpenTest): number {
  return name.length + output.length + errors.length + OVERHEAD_CHARACTERS;
}
