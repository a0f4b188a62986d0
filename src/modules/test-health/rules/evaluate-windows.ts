import { leastShare } from './confidence';
import { HOUR_MS } from './days';
import { NO_RUNS, type TestFacts, type WindowCounts } from './facts';
import type { MonitorEvaluation, MonitorState } from './monitor-evaluation';
import type { FailureCountMonitor, FailureRateMonitor, ThresholdMonitor } from './settings';
import { countInWords, inWindow, percent } from './wording';

/** Limits the work for a test that fails all day: the test is not evaluated each time a failure leaves the window. */
const LOOKS_PER_WINDOW = 24;

/**
 * The monitor is active if all runs together reach its threshold, or if the runs outside pull requests alone reach it.
 * So passes in pull requests cannot hide failures of other branches.
 */
export function evaluateWindow(
  monitor: ThresholdMonitor,
  facts: TestFacts,
  before: MonitorState,
  now: Date,
): MonitorEvaluation {
  const all = facts.counts.get(monitor.name) ?? NO_RUNS;
  const trusted = facts.countsWithoutPullRequests.get(monitor.name) ?? NO_RUNS;
  const isFromPullRequests = !isActive(monitor, trusted, before);
  const counts = isFromPullRequests ? all : trusted;
  if (isFromPullRequests && !isActive(monitor, all, before)) {
    return { type: 'inactive', reason: reasonOf(monitor, all, recoversBelow(monitor)) };
  }
  return {
    type: 'active',
    reason: reasonOf(monitor, counts, monitor.threshold),
    lookAgainAt: lookAgainAt(monitor.windowHours, counts, now),
    endsWith: endingOf(monitor),
    isFromPullRequests,
    evidence: [],
  };
}

function isActive(monitor: ThresholdMonitor, counts: WindowCounts, before: MonitorState): boolean {
  const runs = counts.failed + counts.passed;
  const hasEnoughRuns = before === 'active' || runs >= monitor.minimumRuns;
  if (monitor.type === 'failure_count') return hasEnoughRuns && counts.failed >= monitor.threshold;
  if (before === 'active') return runs > 0 && counts.failed / runs >= recoversBelow(monitor);
  return hasEnoughRuns && leastShare(counts.failed, runs) >= monitor.threshold;
}

function recoversBelow(monitor: ThresholdMonitor): number {
  return monitor.type === 'failure_rate' ? (monitor.recoverBelow ?? monitor.threshold) : monitor.threshold;
}

/** Time alone can end an alarm only when the oldest failure leaves the window. */
function lookAgainAt(windowHours: number, { oldestFailureAt }: WindowCounts, now: Date): Date {
  const windowMs = windowHours * HOUR_MS;
  const leavesAt = (oldestFailureAt?.getTime() ?? now.getTime()) + windowMs;
  return new Date(Math.max(leavesAt, now.getTime() + windowMs / LOOKS_PER_WINDOW));
}

function reasonOf(monitor: ThresholdMonitor, counts: WindowCounts, limit: number): string {
  return monitor.type === 'failure_rate' ? rateReason(monitor, counts, limit) : countReason(monitor, counts);
}

function rateReason(monitor: FailureRateMonitor, { failed, passed }: WindowCounts, limit: number): string {
  const where = inWindow(monitor.branches, monitor.windowHours);
  const runs = failed + passed;
  if (runs === 0) return `did not run${where}`;
  return `failed in ${percent(failed / runs)} of ${countInWords(runs, 'run')}${where}; the limit is ${percent(limit)}`;
}

function countReason(monitor: FailureCountMonitor, { failed }: WindowCounts): string {
  const where = inWindow(monitor.branches, monitor.windowHours);
  return `failed ${countInWords(failed, 'time')}${where}; the limit is ${monitor.threshold}`;
}

function endingOf(monitor: ThresholdMonitor): string {
  const where = inWindow(monitor.branches, monitor.windowHours);
  if (monitor.type === 'failure_count')
    return `it has failed fewer than ${countInWords(monitor.threshold, 'time')}${where}`;
  return `it has failed in less than ${percent(recoversBelow(monitor))} of its runs${where}`;
}
