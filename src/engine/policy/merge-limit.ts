import type { QueueSnapshot } from '../model';
import { HOUR, type Instant } from '../vocabulary';

/**
 * The time from which this number may land: before that the last hour would have more than `maxMergesPerHour`. A group
 * that is larger than the limit lands when the hour before is empty. A past time means now.
 */
export function withinLimitFrom({ settings, mergedLately }: QueueSnapshot, count: number): Instant {
  const { maxMergesPerHour } = settings;
  if (maxMergesPerHour === null) return 0;
  const remaining = Math.max(0, maxMergesPerHour - count);
  let landed = 0;
  for (const merged of mergedLately.toReversed()) {
    landed += merged.count;
    if (landed > remaining) return merged.at + HOUR;
  }
  return 0;
}
