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
  /** Whether `# Subtest` named it. */
  readonly isAnnounced: boolean;
  readonly line: number;
  readonly indent: number;
  readonly diagnostic: Diagnostic;
  /** What stood before it, indented, or in its braces. */
  readonly subtest: TapLevel | null;
}

/** The name of a file, as runners give it to the outermost subtest. */
const FILE = /^\S+\.(?:[cm]?[jt]sx?|t|sh|bats|py|rb|php|pl)$/;

/**
 * Within a test a plain point is an assertion of it: many have the same name, and one that fails beside one that passes
 * is no retry. Tests have a subtest, a name before it, or a time. What is skipped within a test is a test.
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

/** Null: there was nothing to assert. */
export function resultOfAssertions({ name, line, hasAny, failure, areTodo }: Assertions): ReportedResult | null {
  if (!hasAny && !areTodo) return null;
  const outcome = failure !== null ? 'failed' : hasAny ? 'passed' : 'skipped';
  return { name, classname: '', parent: '', file: '', outcome, durationMs: null, reportedAt: null, failure, line };
}

/** A test around tests counts by what is its own: it failed only where that is not what its subtests say already. */
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
  // A hook failed, or a whole file: its process, or what it loads.
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

/** @param otherwise the message when the diagnostic has none */
function failureOf({ diagnostic }: OpenPoint, otherwise: string): ReportedFailure {
  return {
    message: cutTo(MAX_ATTRIBUTE_CHARACTERS, diagnostic.message || otherwise),
    text: cutTo(MAX_FAILURE_TEXT_CHARACTERS, diagnostic.text).trim(),
  };
}
