import type { QueueSnapshot } from '../model';
import { HOUR, type Instant } from '../vocabulary';

/**
 * The time from which `count` pull requests may land: earlier, more than `maxMergesPerHour` would land within an hour.
 * A group larger than the limit lands when nothing has landed for an hour. A time in the past means now.
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
