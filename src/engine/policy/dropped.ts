import type { QueueSnapshot, TestRun } from '../model';
import { type Instant, MINUTE } from '../vocabulary';
import { lastReportOn, type StatusVerdict } from './statuses';
import { putOffByDowntimes } from './time-out';

/** The minimum wait for a dropped status after the last report of another status. */
const PATIENCE: Instant = 10 * MINUTE;

/**
 * When a run fails before its time-out because its changes drop required statuses that CI does not report, while all
 * other statuses have passed. Null if another status is missing, or if CI has reported nothing yet and its usual delay
 * is unknown.
 */
export function droppedAt(queue: QueueSnapshot, run: TestRun, verdict: StatusVerdict): Instant | null {
  const { dropped = [], pushedAt } = run;
  const { failed, lost, running, missing } = verdict;
  if (pushedAt === null || missing.length === 0 || failed.length + lost.length + running.length > 0) return null;
  const awaited = missing.map((name) => dropped.find((one) => one.name === name));
  if (awaited.includes(undefined)) return null;
  const last = lastReportOn(queue, run);
  const delays = awaited.map((one) => one?.usualDelayMs ?? null);
  if (last === null && delays.includes(null)) return null;
  const usual = Math.max(0, ...delays.map((delay) => delay ?? 0));
  const at = Math.max((last ?? pushedAt) + PATIENCE, pushedAt + 2 * usual);
  return putOffByDowntimes(queue.downtimes, pushedAt, at);
}
