import type { QueueSnapshot } from '../model';
import { type Group, isDryRun, isUnready } from './line';

/**
 * Whether the entries behind are built on it. False for a dry run, for a red run without a failure depth, for one that conflicts with
 * something ahead of it, and for one that is not ready any more. In lanes also for one that was red and is tested again.
 */
export function isBelieved(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (isUnready(group) || isDryRun(group) || isDoubted(queue, group)) return false;
  if (run?.phase === 'failed') return run.failure !== null && run.failure.depth > 0;
  return run?.phase !== 'conflicted';
}

/** As often as this every slot may conclude another one meanwhile. */
const TURNS_OF_OTHERS = 4;

/** How many have to conclude until what is red now, and is tested again, is believed in as if it were new. */
export function doubtedUntil({ settings, concluded, limits }: QueueSnapshot): number {
  return concluded + TURNS_OF_OTHERS * Math.min(settings.concurrency, limits.runsInFlight);
}

/**
 * It was red by nothing that is known, and did not pass since. Most of those are red again, and each time all that is built on
 * them would start anew. Not for ever: those behind land past it, and that puts it off its base.
 */
export function isDoubted({ mode, settings, concluded }: QueueSnapshot, { run, entries }: Group): boolean {
  if (mode === 'single' || settings.pendingFailureDepth > 0) return false;
  if (run?.phase === 'passed' || run?.phase === 'landing') return false;
  return entries.some(({ redRebuiltAt }) => redRebuiltAt !== null && concluded < redRebuiltAt);
}
