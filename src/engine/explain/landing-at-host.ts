import { hostIsUnreachable, hostStillMerges } from '../messages/status/queue';
import type { QueueSnapshot } from '../model';
import { type Instant, MINUTE } from '../vocabulary';

/** Merges in the background usually take seconds. */
const LONG_MS = 2 * MINUTE;

/** A sentence about a merge that takes the host long; null: none does. */
export function longMerge(queue: QueueSnapshot, now: Instant): string | null {
  const { landing, merging } = queue;
  if (landing === null || merging === undefined || now - merging.since < LONG_MS) return null;
  return hostStillMerges(queue, merging.number, now - merging.since);
}

/** Adds the host's part in a landing under way. */
export function withHostsPart(queue: QueueSnapshot, words: string, now: Instant): string {
  const { hostUnreachableSince: since } = queue;
  const unreachable = since === null ? null : hostIsUnreachable(queue, since, now);
  return [words, longMerge(queue, now), unreachable].filter((part) => part !== null).join('. ');
}
