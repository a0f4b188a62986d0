import { branchesInWords } from './branches';
import { DAY_MS, HOUR_MS } from './days';
import { NO_RUNS, type WindowCounts, type TestFacts } from './facts';
import type {
  FailureCountMonitor,
  FailureRateMonitor,
  Monitor,
  PassOnRetryMonitor,
  ThresholdMonitor,
} from './settings';

/** Limits the work for a test that fails all day: it is not evaluated for every failure that leaves the window. */
const LOOKS_PER_WINDOW = 24;
const COMMIT_CHARACTERS = 7;

type MonitorEvaluation =
  | { readonly type: 'active'; readonly reason: string; readonly lookAgainAt: Date }
  | { readonly type: 'inactive'; readonly reason: string };

type MonitorState = 'active' | 'inactive';

/** Says whether a monitor is active on a test at `now`; `before`: whether it was at the last evaluation. */
export function evaluateMonitor(
  monitor: Monitor,
  facts: TestFacts,
  before: MonitorState,
  now: Date,
): MonitorEvaluation {
  switch (monitor.type) {
    case 'pass_on_retry':
      return evaluateRetries(monitor, facts, now);
    case 'failure_rate':
      return evaluateRate(monitor, facts.counts.get(monitor.name) ?? NO_RUNS, before, now);
    case 'failure_count':
      return evaluateCount(monitor, facts.counts.get(monitor.name) ?? NO_RUNS, now);
  }
}

/** A commit stops counting one quiet time after its last failure, or two after its last pass, whichever is earlier. */
function evaluateRetries(monitor: PassOnRetryMonitor, { retriedCommits }: TestFacts, now: Date): MonitorEvaluation {
  const quietMs = monitor.quietDays * DAY_MS;
  const ends = retriedCommits.map(({ commit, failedAt, passedAt }) => ({
    commit,
    endsAt: Math.min(failedAt.getTime() + quietMs, passedAt.getTime() + 2 * quietMs),
  }));
  const [last] = ends.sort((a, b) => b.endsAt - a.endsAt || (a.commit < b.commit ? -1 : 1));
  if (!last || last.endsAt <= now.getTime()) return { type: 'inactive', reason: quietReason(monitor) };
  return { type: 'active', reason: retriedReason(last.commit), lookAgainAt: new Date(last.endsAt) };
}

function evaluateRate(
  monitor: FailureRateMonitor,
  counts: WindowCounts,
  before: MonitorState,
  now: Date,
): MonitorEvaluation {
  const runs = counts.failed + counts.passed;
  const share = runs === 0 ? 0 : counts.failed / runs;
  const recoverBelow = monitor.recoverBelow ?? monitor.threshold;
  const isActive =
    before === 'active' ? share >= recoverBelow : share >= monitor.threshold && runs >= monitor.minimumRuns;
  if (!isActive) return { type: 'inactive', reason: rateReason(monitor, counts, recoverBelow) };
  const reason = rateReason(monitor, counts, monitor.threshold);
  return { type: 'active', reason, lookAgainAt: lookAgainAt(monitor.windowHours, counts, now) };
}

function evaluateCount(monitor: FailureCountMonitor, counts: WindowCounts, now: Date): MonitorEvaluation {
  const reason = countReason(monitor, counts);
  if (counts.failed < monitor.threshold) return { type: 'inactive', reason };
  return { type: 'active', reason, lookAgainAt: lookAgainAt(monitor.windowHours, counts, now) };
}

/** Time alone can end an alarm only by moving the oldest failure out of the window. */
function lookAgainAt(windowHours: number, { oldestFailureAt }: WindowCounts, now: Date): Date {
  const windowMs = windowHours * HOUR_MS;
  const leavesAt = (oldestFailureAt?.getTime() ?? now.getTime()) + windowMs;
  return new Date(Math.max(leavesAt, now.getTime() + windowMs / LOOKS_PER_WINDOW));
}

function retriedReason(commit: string): string {
  return `failed and passed on commit ${commit.slice(0, COMMIT_CHARACTERS)}`;
}

function quietReason({ quietDays }: PassOnRetryMonitor): string {
  return `has not failed and passed on one commit for ${counted(quietDays, 'day')}`;
}

function rateReason(monitor: FailureRateMonitor, counts: WindowCounts, limit: number): string {
  const { failed, passed } = counts;
  const runs = failed + passed;
  if (runs === 0) return `did not run${where(monitor)}`;
  const share = `failed in ${percent(failed / runs)} of ${counted(runs, 'run')}`;
  return `${share}${where(monitor)}; the limit is ${percent(limit)}`;
}

function countReason(monitor: FailureCountMonitor, { failed }: WindowCounts): string {
  return `failed ${counted(failed, 'time')}${where(monitor)}; the limit is ${monitor.threshold}`;
}

function where({ branches, windowHours }: ThresholdMonitor): string {
  const isWholeDays = windowHours % 24 === 0 && windowHours > 24;
  const window = isWholeDays ? counted(windowHours / 24, 'day') : counted(windowHours, 'hour');
  return `${branchesInWords(branches)} in ${window}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
