import type { ReportedFailure } from '../reported-result';

/** A test that consists of assertions: a subtest with points, or the points after a comment of tape. */
export interface Assertions {
  readonly name: string;
  readonly line: number;
  hasAny: boolean;
  /** The first failure. */
  failure: ReportedFailure | null;
  areTodo: boolean;
}

/** Test points of one indentation: of the report, or of a subtest. */
export interface TapLevel {
  /** The names of the subtests from the outermost to this one, joined with ` > `. */
  readonly path: string;
  /** Whether this level is inside a test, so that its points may be assertions. */
  readonly isSubtest: boolean;
  readonly assertions: Assertions;
  planned: number | null;
  points: number;
  hasTests: boolean;
  hasFailedTests: boolean;
  /** The name in `# Subtest: name`, for the next subtest or point. */
  announced: string | null;
  /** The ended subtest whose point comes next. */
  ended: TapLevel | null;
}

export function newLevel(path: string, isSubtest: boolean): TapLevel {
  return {
    path,
    isSubtest,
    assertions: newAssertions('', 1),
    planned: null,
    points: 0,
    hasTests: false,
    hasFailedTests: false,
    announced: null,
    ended: null,
  };
}

export function newAssertions(name: string, line: number): Assertions {
  return { name, line, hasAny: false, failure: null, areTodo: false };
}

export function joinedPath(outer: string, name: string): string {
  return outer === '' || name === '' ? outer || name : `${outer} > ${name}`;
}
