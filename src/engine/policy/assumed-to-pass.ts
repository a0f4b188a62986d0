import type { QueueSnapshot } from '../model';
import { type Group, isDryRun, isUnready } from './line';

/**
 * Whether later runs assume that the group passes, and are built on it. False for a dry run, a failed run without a
 * failure depth, a conflict with an entry ahead, and an entry that is not ready any more. In parallel mode, also false
 * for a group that failed and is tested again.
 */
export function isAssumedToPass(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (isUnready(group) || isDryRun(group) || isDistrusted(queue, group)) return false;
  if (run?.phase === 'failed') return run.failure !== null && run.failure.depth > 0;
  return run?.phase !== 'conflicted';
}

/** A group is distrusted until as many entries have concluded as there are slots, times this factor. */
const TURNS_OF_OTHERS = 4;

/**
 * The value of `QueueSnapshot.concluded` from which an entry that fails now, and is tested again, is treated like a new
 * entry.
 */
export function distrustedUntil({ settings, concluded, limits }: QueueSnapshot): number {
  return concluded + TURNS_OF_OTHERS * Math.min(settings.concurrency, limits.runsInFlight);
}

/**
 * Whether the group failed for no known reason, and has not passed since. Most such groups fail again, and then all
 * runs built on them would start again. The distrust ends, because otherwise later entries would land past the group
 * for ever, and each such landing puts the group off its base.
 */
export function isDistrusted({ mode, settings, concluded }: QueueSnapshot, { run, entries }: Group): boolean {
  if (mode === 'single' || settings.pendingFailureDepth > 0) return false;
  if (run?.phase === 'passed' || run?.phase === 'landing') return false;
  return entries.some(({ redRebuiltAt }) => redRebuiltAt !== null && concluded < redRebuiltAt);
}
