import { isInstant } from '../../../shared/dto/instant';

const WEEK_MS = 7 * 24 * 3_600_000;

/** Whether a range spans 0 to 7 × 24 hours. True if an end is no instant: `isInstant` reports that. */
export function isRange({ start_time, end_time }: { start_time: unknown; end_time: unknown }): boolean {
  if (!isInstant(start_time) || !isInstant(end_time)) return true;
  const span = Date.parse(end_time) - Date.parse(start_time);
  return span >= 0 && span <= WEEK_MS;
}
