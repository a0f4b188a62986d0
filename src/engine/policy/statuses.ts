import type { QueueSnapshot, StatusFact, TestRun } from '../model';

export interface StatusVerdict {
  readonly failed: readonly string[];
  /** CI gave these up without a verdict. */
  readonly lost: readonly string[];
  readonly running: readonly string[];
  /** Nobody has reported these yet. */
  readonly missing: readonly string[];
}

/**
 * The result of a run's required statuses. A name that is reported as check run and as commit status must pass as both.
 * Other statuses are ignored.
 */
export function statusesOf(queue: QueueSnapshot, run: TestRun): StatusVerdict {
  const verdict = { failed: [], lost: [], running: [], missing: [] } as Record<keyof StatusVerdict, string[]>;
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
  if (reports.some((report) => report.state === 'lost')) return 'lost';
  return reports.every((report) => report.state === 'passed') ? 'passed' : 'running';
}

/** A run without required statuses never passes, because it would land untested. */
export function hasPassed(run: TestRun, verdict: StatusVerdict): boolean {
  const notPassed = Object.values(verdict).flat();
  return run.requiredStatuses.length > 0 && notPassed.length === 0;
}
