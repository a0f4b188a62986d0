import type { QueueSnapshot, TestRun } from '../model';
import { type Instant, MINUTE } from '../vocabulary';
import type { StatusVerdict } from './statuses';
import { putOffByDowntimes } from './time-out';

/** Required statuses that CI will never report, and when the run fails for them. */
export interface NeverReported {
  readonly names: readonly string[];
  readonly at: Instant;
}

/**
 * CI is done with the commit and jobs report these names, so later reports are impossible. Each name has its own
 * waiting time: other CI may begin late. Null: CI is not done, no job reports the missing names, or the queue ignores
 * this.
 */
export function neverReported(queue: QueueSnapshot, run: TestRun, { missing }: StatusVerdict): NeverReported | null {
  const { neverReportedMinutes = null } = queue.settings;
  const { ciEnd, pushedAt } = run;
  if (neverReportedMinutes === null || ciEnd === undefined || pushedAt === null) return null;
  const awaited = ciEnd.jobs.filter(({ name }) => missing.includes(name));
  if (awaited.length === 0) return null;
  const dues = awaited.map(({ name, longestDelayMs }) => {
    const patience = Math.max(neverReportedMinutes * MINUTE, 2 * (longestDelayMs ?? 0));
    return { name, at: putOffByDowntimes(queue.downtimes, ciEnd.at, ciEnd.at + patience) };
  });
  const at = Math.min(...dues.map((due) => due.at));
  return { names: dues.filter((due) => due.at <= at).map(({ name }) => name), at };
}
