import type { BranchClass } from './branches';

/** The tested code of an upload, and its circumstances. */
export interface ReportedRun {
  readonly commit: string;
  /** The tree of the commit, to recognize commits with the same content; null: unknown. */
  readonly tree: string | null;
  readonly branchClass: BranchClass;
  readonly branch: string | null;
  /** The line of consecutive runs: a stable branch by its name, or all testing branches of a target branch. */
  readonly line: string;
  /**
   * The changes of a testing run on top of its target branch: heads of pull requests. The list is empty for other runs.
   */
  readonly changes: readonly string[];
  readonly prNumber: number | null;
  /** The name of the CI job; '' when unknown. Different jobs may have different conditions. */
  readonly job: string;
  /** Properties of the machine that ran the job, such as `node 22.13`; '' when unknown. */
  readonly conditions: string;
  readonly jobUrl: string | null;
}

/** A result of a test that ran. Skipped tests have no `RunResult`. */
export interface RunResult {
  readonly outcome: 'passed' | 'failed';
  readonly at: Date;
  readonly run: ReportedRun;
}

/**
 * A key that differs between conditions, as far as they are known: between jobs, and between jobs of a matrix with the
 * same name.
 */
export function conditionsKey({ job, conditions }: Pick<ReportedRun, 'job' | 'conditions'>): string {
  return `${job}\n${conditions}`;
}
