import type { Prisma } from '../../generated/prisma/client';
import type { RunResult } from '../rules/tested-run';

/** How results are stored that a verdict rests on. They outlive the results themselves. */
export function evidenceRow(evidence: readonly RunResult[]): Prisma.InputJsonValue {
  return evidence.map(({ at, ...result }) => ({ ...result, at: at.toISOString() })) as unknown as Prisma.InputJsonValue;
}

/** Only `evidenceRow` writes these columns. */
export function evidenceOf(stored: Prisma.JsonValue): RunResult[] {
  const rows = stored as unknown as readonly (Omit<RunResult, 'at'> & { readonly at: string })[];
  return rows.map(({ at, ...result }) => ({ ...result, at: new Date(at) }));
}
