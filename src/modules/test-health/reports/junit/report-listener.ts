import type { Attributes, XmlListener } from '../bounded-xml';
import type { ReportCounts, ReportedResult, UnmetTotal } from '../reported-result';
import {
  appendSkipText,
  appendText,
  fileOf,
  type OpenTestCase,
  type Problem,
  type ProblemKind,
  resultOfSuite,
  resultsOf,
  resultsOfHook,
  type Surroundings,
} from './test-case';
import { StatedTotals } from './stated-totals';
import { beginsFile, projectOf } from './runner-habits';
import { SeenNames } from './seen-names';
import { withAttempts, withOwnName } from './as-meant';
import { RunnerReader } from './runner-of';
import { NOWHERE, within } from './surroundings';

type Element =
  | {
      readonly is: 'suite';
      readonly attributes: Attributes;
      readonly inside: Surroundings;
      readonly outside: Surroundings;
    }
  | { readonly is: 'case'; readonly testCase: OpenTestCase }
  | { readonly is: 'skip'; readonly testCase: OpenTestCase }
  | { readonly is: 'problem'; readonly problem: Problem; readonly line: number }
  | { readonly is: 'output' | 'suites' }
  | { readonly is: 'other' };

type Counts = { -readonly [Name in keyof Omit<ReportCounts, 'unmetTotals'>]: number };

const PROBLEMS: ReadonlyMap<string, ProblemKind> = new Map([
  ['failure', 'failure'],
  ['error', 'error'],
  ['flakyFailure', 'flaky'],
  ['flakyError', 'flaky'],
  ['rerunFailure', 'rerun'],
  ['rerunError', 'rerun'],
]);

/** The maximum number of properties that are kept for each test case. */
const MOST_PROPERTIES = 100;
const OTHER: Element = { is: 'other' };
const OUTPUT: Element = { is: 'output' };
const SUITES: Element = { is: 'suites' };

/**
 * Makes results from the elements of a JUnit report. Unknown elements and their contents are skipped, except suites and
 * test cases in them.
 */
export class ReportListener implements XmlListener {
  readonly counts: Counts = {
    suites: 0,
    tests: 0,
    passed: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    flaky: 0,
    rerun: 0,
    results: 0,
  };
  private readonly totals = new StatedTotals();
  private readonly elements: Element[] = [];
  private readonly suites: Surroundings[] = [NOWHERE];
  private root: Attributes = {};
  private fileOfSiblings = '';
  private problem: Problem | null = null;
  private isInOutput = false;
  private found: ReportedResult[] = [];
  private readonly seen = new SeenNames();
  private readonly runners = new RunnerReader();

  /** Results completed since the last call. */
  takeResults(): readonly ReportedResult[] {
    const { found } = this;
    if (found.length > 0) this.found = [];
    return found;
  }

  get unmetTotals(): readonly UnmetTotal[] {
    return this.totals.unmet;
  }

  open(prefixedName: string, attributes: Attributes, line: number): void {
    const name = prefixedName.slice(prefixedName.indexOf(':') + 1);
    const element = this.elementOf(name, attributes, line);
    this.elements.push(element);
    if (element.is === 'suite') this.suites.push(element.inside);
    if (element.is === 'suite' || element.is === 'suites') this.totals.openSuite(attributes, line);
    if (element.is === 'problem') this.problem = element.problem;
    if (element.is === 'output') this.isInOutput = true;
  }

  /** The text of failures and skips is kept; the output of tests is dropped. */
  text(piece: string): void {
    if (this.problem !== null && !this.isInOutput) appendText(this.problem, piece);
    const element = this.elements.at(-1);
    if (element?.is === 'skip') appendSkipText(element.testCase, piece);
  }

  close(): void {
    const element = this.elements.pop();
    switch (element?.is) {
      case 'suite':
        this.suites.pop();
        this.totals.closeSuite();
        break;
      case 'suites':
        this.totals.closeSuite();
        break;
      case 'case':
        this.closeCase(withAttempts(element.testCase));
        break;
      case 'problem':
        this.closeProblem(element.problem, element.line);
        break;
      case 'output':
        this.isInOutput = false;
        break;
      case 'skip':
      case 'other':
      case undefined:
        break;
    }
  }

  private get around(): Surroundings {
    return this.suites.at(-1) ?? NOWHERE;
  }

  private elementOf(name: string, attributes: Attributes, line: number): Element {
    const outer = this.elements.at(-1);
    switch (name) {
      case 'testsuite':
        this.counts.suites++;
        return { is: 'suite', attributes, inside: this.insideOf(attributes), outside: this.around };
      case 'testsuites':
        if (outer === undefined) this.root = attributes;
        return SUITES;
      case 'testcase':
        return {
          is: 'case',
          testCase: { attributes, line, problems: [], skip: null, skipText: '', properties: [] },
        };
      case 'skipped':
        if (outer?.is !== 'case') return OTHER;
        outer.testCase.skip = attributes;
        return { is: 'skip', testCase: outer.testCase };
      case 'property':
        this.addProperty(attributes);
        return OTHER;
      case 'system-out':
      case 'system-err':
        return OUTPUT;
    }
    const kind = PROBLEMS.get(name);
    const canFail = outer?.is === 'case' || outer?.is === 'suite';
    return kind === undefined || !canFail ? OTHER : { is: 'problem', problem: { kind, attributes, text: '' }, line };
  }

  private closeCase(testCase: OpenTestCase): void {
    const failed = this.add(this.readCase(testCase));
    // Some runners count the failures of a suite, others count its test cases with failures.
    this.totals.addFailures(Math.max(failed, testCase.problems.length));
    this.countCase(testCase);
  }

  private readCase(written: OpenTestCase): readonly ReportedResult[] {
    const { around, root, seen } = this;
    const runner = this.runners.runnerOf(root, around.outermost, written.attributes);
    const testCase = runner === 'bats' ? withOwnName(written) : written;
    const hasFailed = (result: ReportedResult): boolean => seen.mayHaveFailed(result);
    const read =
      resultsOfHook(testCase, around, { runner, hasFailed }) ??
      resultsOf(testCase, around, { runner, hasFailures: statesFailures(root) });
    const results = read.map((result) => {
      if (result.outcome !== 'failed') return result;
      if (seen.isSuite(result)) return { ...result, isOutsideTests: true as const };
      return seen.carriesFailure(result) ? { ...result, outcome: 'passed' as const, failure: null } : result;
    });
    for (const result of read) seen.add(runner, result);
    return results;
  }

  /** Adds a property to the enclosing test case. */
  private addProperty({ name = '' }: Attributes): void {
    const around = this.elements.at(-2);
    if (around?.is !== 'case') return;
    const { properties } = around.testCase;
    if (properties.length < MOST_PROPERTIES && !properties.includes(name)) properties.push(name);
  }

  private insideOf(suite: Attributes): Surroundings {
    const inside = within(this.around, suite);
    // Only a suite at the top of the document has a project, or the file of a sibling.
    if (this.elements.length !== 1) return inside;
    if (beginsFile(this.root, suite)) this.fileOfSiblings = fileOf(suite);
    return { ...inside, siblingFile: this.fileOfSiblings, project: projectOf(this.root, suite) };
  }

  private closeProblem(problem: Problem, line: number): void {
    this.problem = null;
    const outer = this.elements.at(-1);
    if (outer?.is === 'case') outer.testCase.problems.push(problem);
    if (outer?.is !== 'suite') return;
    this.totals.addFailures(this.add([resultOfSuite(outer.attributes, outer.outside, problem, line)]));
  }

  /** Returns the number of failed results. */
  private add(results: readonly ReportedResult[]): number {
    this.counts.results += results.length;
    for (const result of results) this.found.push(result);
    return results.filter(({ outcome }) => outcome === 'failed').length;
  }

  private countCase({ problems, skip }: OpenTestCase): void {
    this.counts.tests++;
    const has = (kind: ProblemKind): boolean => problems.some((problem) => problem.kind === kind);
    if (has('flaky')) this.counts.flaky++;
    if (has('rerun')) this.counts.rerun++;
    if (has('error')) this.counts.errors++;
    else if (has('failure')) this.counts.failures++;
    else if (skip !== null) this.counts.skipped++;
    else this.counts.passed++;
  }
}

function statesFailures({ failures = '0', errors = '0' }: Attributes): boolean {
  return Number(failures) > 0 || Number(errors) > 0;
}
