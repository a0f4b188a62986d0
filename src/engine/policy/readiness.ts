import type { Entry, QueueSnapshot } from '../model';
import { type Instant, type Mergeability, MINUTE } from '../vocabulary';
import { lostNeeds } from './needs';
import { maySomethingTimeOut, putOffByDowntimes } from './time-out';
import { isConcluded } from '../states';

/** The `readiness` object of the API. */
export interface EntryReadiness {
  readonly requiresImpactedTargets: boolean;
  readonly hasImpactedTargets: boolean;
  readonly doesBaseBranchMatch: boolean;
  readonly hostMergeability: Mergeability;
  /** The numbers of the dependencies that keep the entry from being ready. */
  readonly unmetDependencies: readonly number[];
}

export function doesBaseMatch(queue: QueueSnapshot, entry: Entry): boolean {
  const { base } = entry.pullRequest;
  return base === null || base === queue.branch;
}

/** A draft, or a pull request with an unmet demand of the host, counts as not mergeable even without conflicts. */
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

/** Whether a demand of the host is unmet, so that the host would refuse a landing now. */
export function isAnythingUnmet({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).length > 0;
}

/** Whether a demand of the host is unmet that somebody must act to meet. */
export function lacksDemand({ pullRequest }: Entry): boolean {
  return (pullRequest.unmet ?? []).some(({ isPending }) => isPending !== true);
}

/** A check that has not started within this time is not expected to be reported any more. */
const SILENT_FOR: Instant = 15 * MINUTE;

/**
 * When an unmet demand that needs no action, such as a check, is overdue: 15 minutes after it was first seen if it has
 * not started, or after the time-out of the queue's tests if it is under way. Null if no such demand is unmet.
 */
export function overdueAt({ settings, downtimes }: QueueSnapshot, { pullRequest }: Entry): Instant | null {
  const limits = (pullRequest.unmet ?? []).flatMap(({ isPending, isRunning, since }) => {
    if (isPending !== true || since === undefined) return [];
    const limit = isRunning ? settings.testingTimeoutMinutes * MINUTE : SILENT_FOR;
    return putOffByDowntimes(downtimes, since, since + limit);
  });
  return limits.length === 0 ? null : Math.min(...limits);
}

/**
 * Whether a demand that needs no action is overdue, so that other entries stop waiting for this entry. False while the
 * host does not answer.
 */
export function isOverdue(queue: QueueSnapshot, entry: Entry, now: Instant): boolean {
  const at = overdueAt(queue, entry);
  return at !== null && at <= now && maySomethingTimeOut(queue);
}

/** Whether the entry meets all conditions for going from `not_ready` to `pending`. */
export function isReady(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return (
    readiness.hostMergeability === 'mergeable' && readiness.unmetDependencies.length === 0 && fitsQueue(queue, entry)
  );
}

/**
 * Whether base branch and impacted targets fit the queue. Mergeability is left out, because the host is asked about it
 * again before a test starts.
 */
export function fitsQueue(queue: QueueSnapshot, entry: Entry): boolean {
  const readiness = readinessOf(queue, entry);
  return readiness.doesBaseBranchMatch && (!readiness.requiresImpactedTargets || readiness.hasImpactedTargets);
}

/** Whether any entry is ready, in the snapshot or outside of it: only then a test of the target is of use. */
export function isAnybodyReady({ entries, moreToLoad }: QueueSnapshot): boolean {
  return moreToLoad.waiting || entries.some(({ state }) => !isConcluded(state) && state !== 'not_ready');
}
