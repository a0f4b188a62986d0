import { durationOfMs } from '../duration';
import type { FoundResults } from '../found-results';
import { cutTo, MAX_ATTRIBUTE_CHARACTERS, MAX_FAILURE_TEXT_CHARACTERS } from '../limits';
import type { ReportedFailure, ReportedOutcome, ReportedResult } from '../reported-result';
import type { Diagnostic } from './diagnostic';
import type { Assertions, TapLevel } from './tap-level';
import type { TapPoint } from './tap-line';

/** A test point whose diagnostic may follow. */
export interface OpenPoint {
  readonly point: TapPoint;
  readonly name: string;
  readonly level: TapLevel;
  /** Whether a line `# Subtest` named the point. */
  readonly isAnnounced: boolean;
  readonly line: number;
  readonly indent: number;
  readonly diagnostic: Diagnostic;
  /** The indented subtest before the point, or the subtest in the point's braces. */
  readonly subtest: TapLevel | null;
}

/** A file name, which runners give to the outermost subtest. */
const FILE = /^\S+\.(?:[cm]?[jt]sx?|t|sh|bats|py|rb|php|pl)$/;

/**
 * Within a test, a plain point is an assertion. Many assertions have the same name, so a failed and a passed assertion
 * with one name are not a retry. Tests have a subtest, a name line before them, or a time. A skipped point within a
 * test is a test.
 */
export function isAssertion({ point, isAnnounced, subtest }: OpenPoint, isInGroup: boolean): boolean {
  if (isInGroup) return true;
  return subtest === null && !isAnnounced && point.durationMs === null && point.directive === null && !point.opensBlock;
}

export function addAssertion(opened: OpenPoint, assertions: Assertions): void {
  const { isOk, directive } = opened.point;
  if (directive !== null) {
    assertions.areTodo = true;
    return;
  }
  assertions.hasAny = true;
  if (!isOk) assertions.failure ??= failureOf(opened, opened.name);
}

/** The result of a test that consists of assertions. Null: there were no assertions. */
export function resultOfAssertions({ name, line, hasAny, failure, areTodo }: Assertions): ReportedResult | null {
  if (!hasAny && !areTodo) return null;
  const outcome = failure !== null ? 'failed' : hasAny ? 'passed' : 'skipped';
  return { name, classname: '', parent: '', file: '', outcome, durationMs: null, reportedAt: null, failure, line };
}

/**
 * A test with subtests counts by its own failure: the test failed only if its own failure says more than the failures
 * of its subtests.
 */
export function addTest(opened: OpenPoint, found: FoundResults): void {
  const { point, level, subtest, diagnostic } = opened;
  const hasFailed = !point.isOk && point.directive === null;
  level.hasTests = true;
  if (hasFailed) level.hasFailedTests = true;
  if (point.directive !== null) return found.addTest(resultOf(opened, 'skipped', null));
  const isOnlyAround = subtest !== null && subtest.hasTests && !subtest.assertions.hasAny;
  if (!hasFailed) {
    const isSuite = isOnlyAround && diagnostic.valueOf('type') !== 'test';
    if (!isSuite) found.addTest(resultOf(opened, 'passed', null));
    return;
  }
  if (isSaidBySubtests(opened)) return;
  const result = resultOf(opened, 'failed', subtest?.assertions.failure ?? failureOf(opened, ''));
  // A point that is not a test has the failure of a hook or of a whole file, whose process or import failed.
  const isFile = subtest === null && level.path === '' && FILE.test(opened.name);
  if (isOnlyAround || isFile || diagnostic.valueOf('exitCode') !== '') found.addOutsideTests(result);
  else found.addTest(result);
}

function isSaidBySubtests({ subtest, diagnostic }: OpenPoint): boolean {
  if (subtest === null || !subtest.hasFailedTests || subtest.assertions.failure !== null) return false;
  return ['', 'subtestsFailed'].includes(diagnostic.valueOf('failureType'));
}

function resultOf(opened: OpenPoint, outcome: ReportedOutcome, failure: ReportedFailure | null): ReportedResult {
  const { name, level, line, point, diagnostic } = opened;
  const outermost = level.path.split(' > ', 1)[0] || name;
  const ms = point.durationMs ?? (Number.parseFloat(diagnostic.valueOf('duration_ms')) || null);
  return {
    name,
    classname: '',
    parent: level.path,
    file: FILE.test(outermost) ? outermost : '',
    outcome,
    durationMs: ms === null ? null : durationOfMs(ms),
    reportedAt: null,
    failure,
    line,
  };
}

/** @param otherwise the message if the diagnostic has none */
function failureOf({ diagnostic }: OpenPoint, otherwise: string): ReportedFailure {
  return {
    message: cutTo(MAX_ATTRIBUTE_CHARACTERS, diagnostic.message || otherwise),
    text: cutTo(MAX_FAILURE_TEXT_CHARACTERS, diagnostic.text).trim(),
  };
}
