import type { Entry, QueueSnapshot } from '../model';
import { type Instant, type Mergeability, MINUTE } from '../vocabulary';
import { lostNeeds } from './needs';
import { maySomethingTimeOut, putOffByDowntimes } from './time-out';
import { isConcluded } from '../states';

/** The `readiness` object of the interface. */
export interface EntryReadiness {
  readonly requiresImpactedTargets: boolean;
  readonly hasImpactedTargets: boolean;
  readonly doesBaseBranchMatch: boolean;
  readonly hostMergeability: Mergeability;
  /** Numbers of pull requests that it needs, and that are neither on the target nor on their way to it. */
  readonly unmetDependencies: readonly number[];
}

export function doesBaseMatch(queue: QueueSnapshot, entry: Entry): boolean {
  const { base } = entry.pullRequest;
  return base === null || base === queue.branch;
}

/** A draft, or one of which the host demands something, counts as not mergeable, whatever the host says of its conflicts. */
export function readinessOf(queue: QueueSnapshot, entry: Entry): EntryReadiness {
  const { draft, mergeability } = entry.pullRequest;
  return {
    requiresImpactedTargets: queue.mode === 'parallel',
    hasImpactedTargets: entry.hasTargets,
    doesBaseBranchMatch: doesBaseMatch(queue, entry),
    hostMergeability: draft || isAnythingUnmet(entry) ? 'not_mergeable' : mergeability,
    unmetDependencies: [...new Set(lostNeeds(queue, entry).map(({ need }) => need.number))],
  };
}

/** The host does not let it land as it is now. */
export function isAnythingUnmet({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).length > 0;
}

/** As `isAnythingUnmet`, and it will not come by itself. */
export function lacksDemand({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).some(({ isPending }) => isPending !== true);
}

/** A check that nobody reports of. */
const SILENT_FOR: Instant = 15 * MINUTE;

/**
 * When what may come by itself has not come for too long: it was not even under way for 15 minutes, or it is for longer than a test of the
 * queue may take. Null: nothing is missing that may come by itself.
 */
export function overdueAt({ settings, downtimes }: QueueSnapshot, { pullRequest }: Entry): Instant | null {
  const limits = (pullRequest.unmet ?? []).flatMap(({ isPending, isRunning, since }) => {
    if (isPending !== true || since === undefined) return [];
    const limit = isRunning ? settings.testingTimeoutMinutes * MINUTE : SILENT_FOR;
    return putOffByDowntimes(downtimes, since, since + limit);
  });
  return limits.length === 0 ? null : Math.min(...limits);
}

/** What may come by itself is overdue: others do not wait for it. Not while the host does not answer. */
export function isOverdue(queue: QueueSnapshot, entry: Entry, now: Instant): boolean {
  const at = overdueAt(queue, entry);
  return at !== null && at <= now && maySomethingTimeOut(queue);
}

/** Only what is ready goes from not_ready to pending. */
export function isReady(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return (
    readiness.hostMergeability === 'mergeable' && readiness.unmetDependencies.length === 0 && fitsQueue(queue, entry)
  );
}

/** Ready except for mergeability, which the host is asked about again before a start. */
export function fitsQueue(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return readiness.doesBaseBranchMatch && (!readiness.requiresImpactedTargets || readiness.hasImpactedTargets);
}

/** Somebody's test or landing waits for the word of the target. One that is not ready does not. */
export function isAnybodyReady({ entries, moreToLoad }: QueueSnapshot): boolean {
  return moreToLoad.waiting || entries.some(({ state }) => !isConcluded(state) && state !== 'not_ready');
}
