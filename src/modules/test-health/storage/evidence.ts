import type { Prisma } from '../../../generated/prisma/client';
import type { ReportedRun, RunResult } from '../rules/tested-run';

/** The stored form of the results behind a verdict. The stored form outlives the rows of the results. */
export function evidenceRow(evidence: readonly RunResult[]): Prisma.InputJsonValue {
  return evidence.map(({ at, ...result }) => ({ ...result, at: at.toISOString() })) as unknown as Prisma.InputJsonValue;
}

interface StoredEvidence extends Omit<RunResult, 'at' | 'run'> {
  readonly at: string;
  readonly run: Omit<ReportedRun, 'job'> & { readonly job?: string };
}

/** The cast is safe, because only `evidenceRow` writes these columns. */
export function evidenceOf(stored: Prisma.JsonValue): RunResult[] {
  const rows = stored as unknown as readonly StoredEvidence[];
  // Older rows have no job.
  return rows.map(({ at, run, ...result }) => ({ ...result, run: { ...run, job: run.job ?? '' }, at: new Date(at) }));
}
