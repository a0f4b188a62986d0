import { cutTo, MAX_ATTRIBUTE_CHARACTERS, MAX_FAILURE_TEXT_CHARACTERS } from '../limits';
import type { Attributes } from '../bounded-xml';
import { isOutsideTests } from './outside-tests';
import { cutOffMarkOf, isFailureOfCutOff } from './cut-off';
import { failedHookOf } from './failed-hooks';
import type { Runner } from './runner-of';
import { parseDuration } from '../duration';
import { parseReportTime } from '../report-time';
import type { ReportedFailure, ReportedOutcome, ReportedResult } from '../reported-result';

/**
 * The meaning of the attributes `status` and `result` if no child element states the outcome: GoogleTest writes
 * status="notrun" or result="skipped" | "suppressed", CTest and JBehave "disabled" and "notrun", behave "untested",
 * mocha "pending". All other words, such as "run" and "completed", do not state an outcome.
 */
const OUTCOMES: ReadonlyMap<string, ReportedOutcome> = new Map([
  ...['notrun', 'skipped', 'skip', 'disabled', 'ignored', 'suppressed', 'pending', 'untested'].map(
    (word) => [word, 'skipped'] as const,
  ),
  ...['failed', 'failure', 'fail', 'error', 'errored'].map((word) => [word, 'failed'] as const),
]);

const MOST_SKIP_TEXT = 200;

/** The facts of suites about their test cases. */
export interface Surroundings {
  /** The name of the innermost suite that has a name. */
  readonly suite: string;
  readonly parent: string;
  readonly file: string;
  /** The file that an earlier sibling suite names, for test cases without any other file. */
  readonly siblingFile: string;
  readonly project: string;
  readonly reportedAt: Date | null;
  /** Attributes of the outermost suite. */
  readonly outermost: Attributes;
}

/** The facts about a report that its test cases need. */
export interface AroundReport {
  readonly runner: Runner;
  readonly hasFailures: boolean;
}

export type ProblemKind = 'failure' | 'error' | 'flaky' | 'rerun';

/** A child element that explains a failure; its text grows while it is read. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly attributes: Attributes;
  text: string;
}

/** A `testcase` while it is open. */
export interface OpenTestCase {
  readonly attributes: Attributes;
  readonly line: number;
  readonly problems: Problem[];
  /** Attributes of the element `skipped`; null: there is no such element. */
  skip: Attributes | null;
  /** The beginning of the text in `skipped`. */
  skipText: string;
  /** Names of the test case's properties. */
  readonly properties: string[];
}

export function appendText(problem: Problem, piece: string): void {
  // Collects one character more than will be kept, so that the later cut leaves a mark.
  const remaining = MAX_FAILURE_TEXT_CHARACTERS + 1 - problem.text.length;
  if (remaining > 0) problem.text += piece.slice(0, remaining);
}

export function appendSkipText(testCase: OpenTestCase, piece: string): void {
  testCase.skipText += piece.slice(0, MOST_SKIP_TEXT - testCase.skipText.length);
}

/** The result of each run in a test case, oldest first. */
export function resultsOf(testCase: OpenTestCase, around: Surroundings, report: AroundReport): ReportedResult[] {
  const { problems } = testCase;
  const own = ownResult(testCase, around, report);
  if (problems.length === 0) return [own];
  const attempts = (kind: ProblemKind): ReportedResult[] =>
    problems.filter((problem) => problem.kind === kind).map((problem) => attemptOf(own, problem));
  // The failure that caused a rerun is the first run. A flaky test failed before it passed.
  return own.outcome === 'failed'
    ? [...attempts('flaky'), own, ...attempts('rerun')]
    : [...attempts('flaky'), ...attempts('rerun'), own];
}

function ownResult(
  { attributes, line, problems, skip, skipText, properties }: OpenTestCase,
  around: Surroundings,
  { runner, hasFailures }: AroundReport,
): ReportedResult {
  const ofLast = problems.filter(({ kind }) => kind === 'failure' || kind === 'error');
  const outcome = ofLast.length > 0 ? 'failed' : skip !== null ? 'skipped' : outcomeByAttributes(attributes);
  const own: ReportedResult = {
    name: attributes.name ?? '',
    // PHPUnit writes `class` in PHP's notation, and `classname` with points. If both attributes exist, `classname`
    // counts, because all runners write it.
    classname: attributes.classname ?? attributes.class ?? '',
    ...placeOf(attributes, around),
    outcome,
    durationMs: durationOf(attributes),
    reportedAt: timeOf(attributes) ?? around.reportedAt,
    failure: outcome === 'failed' ? joinFailures(ofLast) : null,
    line,
  };
  if (outcome === 'failed') {
    if (ofLast.some((problem) => isFailureOfCutOff(runner, problem.attributes))) return cutOff(own);
    return isOutside(runner, attributes, around, ofLast) ? { ...own, ...OUTSIDE } : own;
  }
  const unfailed = { attributes, skip, skipText, properties, isOfFailedRun: hasFailures };
  const mark = problems.length > 0 ? null : cutOffMarkOf(runner, unfailed);
  if (mark === 'cut_off') return cutOff(own);
  return mark === 'by_history' ? { ...own, outcome: 'skipped' } : own;
}

function cutOff(result: ReportedResult): ReportedResult {
  return { ...result, outcome: 'skipped', failure: null, isCutOff: true };
}

/**
 * Results for a hook failure that the report attributes to a test: one for the hook, and one for the test if the report
 * has its result. Null: no hook failed.
 */
export function resultsOfHook(
  testCase: OpenTestCase,
  around: Surroundings,
  { runner, hasFailed }: { readonly runner: Runner; readonly hasFailed: (result: ReportedResult) => boolean },
): ReportedResult[] | null {
  const { attributes, problems } = testCase;
  if (problems.length === 0) return null;
  const ofLast = problems.filter(({ kind }) => kind === 'failure' || kind === 'error');
  const hook = ofLast.length === 0 ? null : failedHookOf(runner, ofLast, attributes);
  if (hook === null) return null;
  const own = ownResult(testCase, around, { runner, hasFailures: true });
  const failed: ReportedResult = {
    ...own,
    name: hook.name,
    outcome: 'failed',
    failure: joinFailures(ofLast),
    ...OUTSIDE,
  };
  if (hook.test === 'failed') return [own, failed];
  // pytest writes one test case for the failure of a test, and a second one for the failure of the test's teardown.
  if (hook.test === 'passed' && !hasFailed(own)) return [{ ...own, outcome: 'passed', failure: null }, failed];
  return [failed];
}

const OUTSIDE = { isOutsideTests: true } as const;

function isOutside(
  runner: Runner,
  attributes: Attributes,
  { suite }: Surroundings,
  problems: readonly Problem[],
): boolean {
  return isOutsideTests(
    runner,
    attributes,
    suite,
    problems.map((problem) => problem.attributes),
  );
}

/** The place of a test case, and its place as versions of Sluice read it that ignored projects and sibling suites. */
function placeOf(
  attributes: Attributes,
  { suite, parent, file, siblingFile, project }: Surroundings,
): Pick<ReportedResult, 'parent' | 'file' | 'formerly'> {
  const ownFile = fileOf(attributes) || file;
  if (project !== '' && ownFile === '' && attributes.classname === suite) {
    return { parent: `${project} > ${parent}`, file: '', formerly: { parent } };
  }
  if (ownFile === '' && siblingFile !== '') return { parent, file: siblingFile, formerly: { file: '' } };
  return { parent, file: ownFile };
}

/** `result` takes precedence: if a runner writes both, `status` only says whether the test ran. */
function outcomeByAttributes(attributes: Attributes): ReportedOutcome {
  for (const said of [attributes.result, attributes.status]) {
    const outcome = said === undefined ? undefined : OUTCOMES.get(said.toLowerCase().replace(/[\s_-]/g, ''));
    if (outcome !== undefined) return outcome;
  }
  return 'passed';
}

function attemptOf(own: ReportedResult, problem: Problem): ReportedResult {
  return {
    ...own,
    outcome: 'failed',
    durationMs: durationOf(problem.attributes),
    reportedAt: timeOf(problem.attributes) ?? own.reportedAt,
    failure: joinFailures([problem]),
    isAttempt: true,
  };
}

/**
 * A failure in a suite but outside test cases, such as a hook or a module that failed to load. The result has the name
 * and the parent of the suite, so that it is the same test in every run, whichever test cases of the suite were run.
 */
export function resultOfSuite(
  suite: Attributes,
  outside: Surroundings,
  problem: Problem,
  line: number,
): ReportedResult {
  const outcome: ReportedOutcome = 'failed';
  const reportedAt = timeOf(suite) ?? outside.reportedAt;
  return {
    name: suite.name ?? '',
    classname: '',
    parent: outside.parent,
    file: fileOf(suite) || outside.file,
    outcome,
    durationMs: null,
    reportedAt,
    failure: joinFailures([problem]),
    line,
    ...OUTSIDE,
  };
}

function joinFailures(problems: readonly Problem[]): ReportedFailure {
  const messages = problems.map(
    ({ attributes, text }) => attributes.message || (text.trim() === '' ? attributes.type : ''),
  );
  const texts = problems.map(({ text }) => cutTo(MAX_FAILURE_TEXT_CHARACTERS, text).trim());
  const join = (parts: readonly (string | undefined)[], between: string): string => parts.filter(Boolean).join(between);
  return {
    message: cutTo(MAX_ATTRIBUTE_CHARACTERS + 64, join(messages, '\n')),
    text: cutTo(MAX_FAILURE_TEXT_CHARACTERS + 64, join(texts, '\n\n')),
  };
}

/** `filepath` is minitest's. */
export function fileOf({ file, filepath, filename }: Attributes): string {
  return file || filepath || filename || '';
}

export function timeOf({ timestamp }: Attributes): Date | null {
  return timestamp === undefined ? null : parseReportTime(timestamp);
}

function durationOf({ time }: Attributes): number | null {
  return time === undefined ? null : parseDuration(time);
}
