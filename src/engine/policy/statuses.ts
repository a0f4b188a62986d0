import type { QueueSnapshot, StatusFact, TestRun } from '../model';

export interface StatusVerdict {
  readonly failed: readonly string[];
  readonly running: readonly string[];
  /** Nobody has reported these yet. */
  readonly missing: readonly string[];
}

/**
 * What the required statuses of a run say. A name reported both as check run and as commit status must pass as both;
 * what is not required is not looked at.
 */
export function statusesOf(queue: QueueSnapshot, run: TestRun): StatusVerdict {
  const verdict = { failed: [] as string[], running: [] as string[], missing: [] as string[] };
  const reports = queue.reports.filter((report) => report.commit === run.commit);
  for (const name of run.requiredStatuses) {
    const state = stateOf(reports.filter((report) => report.name === name));
    if (state !== 'passed') verdict[state].push(name);
  }
  return verdict;
}

function stateOf(reports: readonly StatusFact[]): 'passed' | keyof StatusVerdict {
  if (reports.length === 0) return 'missing';
  if (reports.some((report) => report.state === 'failed')) return 'failed';
  return reports.every((report) => report.state === 'passed') ? 'passed' : 'running';
}

/** A run that requires nothing never passes: it would land untested. */
export function hasPassed(run: TestRun, verdict: StatusVerdict): boolean {
  const open = verdict.failed.length + verdict.running.length + verdict.missing.length;
  return run.requiredStatuses.length > 0 && open === 0;
}
