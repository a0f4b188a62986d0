import { branchesInWords } from './branches';
import type { WindowCounts } from './facts';
import type { FailureCountMonitor, FailureRateMonitor, PassOnRetryMonitor, ThresholdMonitor } from './settings';

const COMMIT_CHARACTERS = 7;

export function retriedReason(commit: string): string {
  return `failed and passed on commit ${commit.slice(0, COMMIT_CHARACTERS)}`;
}

export function quietReason({ quietDays }: PassOnRetryMonitor): string {
  return `has not failed and passed on one commit for ${counted(quietDays, 'day')}`;
}

export function rateReason(monitor: FailureRateMonitor, counts: WindowCounts, limit: number): string {
  const { failed, passed } = counts;
  const runs = failed + passed;
  if (runs === 0) return `did not run${where(monitor)}`;
  const share = `failed in ${percent(failed / runs)} of ${counted(runs, 'run')}`;
  return `${share}${where(monitor)}; the limit is ${percent(limit)}`;
}

export function countReason(monitor: FailureCountMonitor, { failed }: WindowCounts): string {
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
