import type { BranchClass } from './branches';

/** What an upload tested. */
export interface ReportedRun {
  readonly commit: string;
  /** The tree of the commit, for commits that differ in nothing that is tested; null: unknown. */
  readonly tree: string | null;
  readonly branchClass: BranchClass;
  readonly branch: string | null;
  /** Runs that follow each other: a stable branch by its name, or all testing branches of a target branch. */
  readonly line: string;
  /** What a testing run adds to its target branch: heads of pull requests. Empty for other runs. */
  readonly changes: readonly string[];
  readonly prNumber: number | null;
  /** Name of the CI job; '' when unknown. Runs of other jobs may be under other conditions. */
  readonly job: string;
  /** Properties of the machine that ran the job, such as `node 22.13`; '' when unknown. */
  readonly conditions: string;
  readonly jobUrl: string | null;
}

/** A result of a test that ran; a skipped test did not. */
export interface RunResult {
  readonly outcome: 'passed' | 'failed';
  readonly at: Date;
  readonly run: ReportedRun;
}

/** Tells apart what ran under different conditions, as far as that is known: jobs, and jobs of a matrix that have one name. */
export function conditionsKey({ job, conditions }: Pick<ReportedRun, 'job' | 'conditions'>): string {
  return `${job}\n${conditions}`;
}
