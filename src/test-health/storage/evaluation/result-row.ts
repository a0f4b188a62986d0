import { Prisma } from '../../../generated/prisma/client';
import type { BranchClass } from '../../rules/branches';
import type { RunResult } from '../../rules/tested-run';

/** A result r with its upload u. */
export const RESULT_COLUMNS = Prisma.sql`
  r.outcome::int AS "outcome", r.occurred_at AS "at", u."commit", u."tree", u."branch", u."branchClass", u."line", u."changes",
  u."prNumber", u."job", u."jobUrl"`;

export interface ResultRow {
  /** 0 passed, 1 failed */
  readonly outcome: number;
  readonly at: Date;
  readonly commit: string;
  readonly tree: string | null;
  readonly branch: string | null;
  readonly branchClass: BranchClass;
  readonly line: string;
  readonly changes: string[];
  readonly prNumber: number | null;
  readonly job: string;
  readonly jobUrl: string | null;
}

export function resultOf({ outcome, at, ...row }: ResultRow): RunResult {
  const { commit, tree, branch, branchClass, line, changes, prNumber, job, jobUrl } = row;
  const run = { commit, tree, branch, branchClass, line, changes, prNumber, job, jobUrl };
  return { outcome: outcome === 1 ? 'failed' : 'passed', at, run };
}
