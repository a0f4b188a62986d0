import type { QueueSnapshot, TestRun } from '../model';
import { type Instant, MINUTE } from '../vocabulary';
import type { StatusVerdict } from './statuses';
import { putOffByDowntimes } from './time-out';

/** Required statuses that CI will never report, and when the run fails because of them. */
export interface NeverReported {
  readonly names: readonly string[];
  readonly at: Instant;
}

/**
 * The missing statuses that are reported by jobs of a CI that is done with the commit, so that they will not come any
 * more. The run still waits for each of them for some time, because other CI may begin late. Null if CI is not done, no
 * job reports a missing status, or the setting is off.
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
