import { hostIsUnreachable, hostStillMerges } from '../messages/status/queue';
import type { QueueSnapshot } from '../model';
import { type Instant, MINUTE } from '../vocabulary';

/** A merge that a host carries out in the background usually takes seconds. */
const LONG_MS = 2 * MINUTE;

/** A sentence about a merge that takes the host long; null if there is no such merge. */
export function longMerge(queue: QueueSnapshot, now: Instant): string | null {
  const { landing, merging } = queue;
  if (landing === null || merging === undefined || now - merging.since < LONG_MS) return null;
  return hostStillMerges(queue, merging.number, now - merging.since);
}

/** Adds to the sentence about a landing under way that the host merges slowly or cannot be reached. */
export function withHostsPart(queue: QueueSnapshot, words: string, now: Instant): string {
  const { hostUnreachableSince: since } = queue;
  const unreachable = since === null ? null : hostIsUnreachable(queue, since, now);
  return [words, longMerge(queue, now), unreachable].filter((part) => part !== null).join('. ');
}
