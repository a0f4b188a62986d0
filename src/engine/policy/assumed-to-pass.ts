import type { QueueSnapshot } from '../model';
import { type Group, isDryRun, isUnready } from './line';

/**
 * Whether later runs assume that the group passes, and are built on it. False for a dry run, a failed run without a
 * failure depth, a conflict with an entry ahead, and an entry that is not ready any more. In parallel mode also for an
 * entry that failed and is tested again.
 */
export function isAssumedToPass(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (isUnready(group) || isDryRun(group) || isDistrusted(queue, group)) return false;
  if (run?.phase === 'failed') return run.failure !== null && run.failure.depth > 0;
  return run?.phase !== 'conflicted';
}

/** By this factor, every slot may conclude another entry meanwhile. */
const TURNS_OF_OTHERS = 4;

/** How many entries must conclude until one that fails now, and is tested again, counts like a new one. */
export function distrustedUntil({ settings, concluded, limits }: QueueSnapshot): number {
  return concluded + TURNS_OF_OTHERS * Math.min(settings.concurrency, limits.runsInFlight);
}

/**
 * Whether it failed for no known reason, and has not passed since. Most of these fail again, and then all runs built on
 * them would start again. Not for ever: later entries land past it, and each such landing puts it off its base.
 */
export function isDistrusted({ mode, settings, concluded }: QueueSnapshot, { run, entries }: Group): boolean {
  if (mode === 'single' || settings.pendingFailureDepth > 0) return false;
  if (run?.phase === 'passed' || run?.phase === 'landing') return false;
  return entries.some(({ redRebuiltAt }) => redRebuiltAt !== null && concluded < redRebuiltAt);
}
