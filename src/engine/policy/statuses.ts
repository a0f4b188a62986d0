import type { QueueSnapshot, StatusFact, StatusPin, TestRun } from '../model';
import type { Instant } from '../vocabulary';

export interface StatusVerdict {
  readonly failed: readonly string[];
  /** Statuses that CI gave up without a verdict. */
  readonly lost: readonly string[];
  readonly running: readonly string[];
  /** Statuses without a report that counts. */
  readonly missing: readonly string[];
}

/**
 * The result of a run's required statuses. A name that is reported as a check run and as a commit status, or by several
 * apps, must pass in each report. A name that is pinned to an app must pass in the reports from that app only. Statuses
 * that are not required are ignored.
 */
export function statusesOf(queue: QueueSnapshot, run: TestRun): StatusVerdict {
  const verdict = { failed: [], lost: [], running: [], missing: [] } as Record<keyof StatusVerdict, string[]>;
  const reports = queue.reports.filter((report) => report.commit === run.commit);
  for (const name of run.requiredStatuses) {
    const state = stateOfName(name, run.pins, reports);
    if (state !== 'passed') verdict[state].push(name);
  }
  return verdict;
}

/** Required statuses that are missing because the only reports on them come from reporters that do not count. */
export function distrustedOn({ reports }: QueueSnapshot, run: TestRun, { missing }: StatusVerdict): readonly string[] {
  return missing.filter((name) =>
    reports.some((report) => report.commit === run.commit && report.name === name && report.state === 'distrusted'),
  );
}

/** The time of the newest report on the run's required statuses, in host time; null if there is no report. */
export function lastReportOn({ reports }: QueueSnapshot, run: TestRun): Instant | null {
  const own = reports.filter(({ commit, name }) => commit === run.commit && run.requiredStatuses.includes(name));
  return own.length === 0 ? null : Math.max(...own.map(({ reportedAt }) => reportedAt));
}

/** Whether a report of this name and app counts for a run with these pins. */
export function counts(pins: readonly StatusPin[], { name, app }: Pick<StatusFact, 'name' | 'app'>): boolean {
  const own = pins.filter((pin) => pin.name === name);
  return own.length === 0 || own.some((pin) => pin.app === app);
}

const WORST_FIRST = ['failed', 'lost', 'missing', 'running'] as const;

function stateOfName(
  name: string,
  pins: readonly StatusPin[],
  reports: readonly StatusFact[],
): 'passed' | keyof StatusVerdict {
  const own = reports.filter((report) => report.name === name && report.state !== 'distrusted');
  const apps = pins.flatMap((pin) => (pin.name === name ? [pin.app] : []));
  if (apps.length === 0) return stateOf(own);
  const states = apps.map((app) => stateOf(own.filter((report) => report.app === app)));
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'passed';
}

function stateOf(reports: readonly StatusFact[]): 'passed' | keyof StatusVerdict {
  if (reports.length === 0) return 'missing';
  if (reports.some((report) => report.state === 'failed')) return 'failed';
  if (reports.some((report) => report.state === 'lost')) return 'lost';
  return reports.every((report) => report.state === 'passed') ? 'passed' : 'running';
}

/**
 * Whether all required statuses passed. A run without required statuses never passes, because it would land untested.
 */
export function hasPassed(run: TestRun, verdict: StatusVerdict): boolean {
  const notPassed = Object.values(verdict).flat();
  return run.requiredStatuses.length > 0 && notPassed.length === 0;
}
